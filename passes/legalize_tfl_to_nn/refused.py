"""Builtins that cannot be read, and what to do about it."""

from __future__ import annotations

import re

REASONS = {
    "STABLEHLO_.*": "it is StableHLO's; convert the model to LiteRT's own operations",
    "HASHTABLE.*|CONCAT_EMBEDDINGS|LSH_PROJECTION|SKIP_GRAM": (
        "it looks up keys or text; do that before, and give the model what it finds"
    ),
    "RANDOM_.*|MULTINOMIAL|.*RNG_BIT.*": (
        "LiteRT's random numbers come out otherwise on each machine; give them as an input"
    ),
    "CALL|DELEGATE": "it runs what the file does not hold; convert the model anew",
}
"""The reason, by a pattern of names."""


def refusal(builtin: str) -> str:
    """Why a builtin cannot be read, and what to do."""
    for names, reason in REASONS.items():
        if re.fullmatch(names, builtin):
            return reason
    return (
        "there is no such operation here; leave it out of the model, or cut off the part that has it before "
        "it is converted"
    )


def refusal_of_complex(builtin: str) -> str:
    """Why a builtin cannot be read with complex numbers, and what to do."""
    return (
        "complex numbers are read of RFFT2D alone, where they are moved, or made real numbers by REAL, IMAG, "
        "COMPLEX_ABS or CAST; do this with their real and imaginary parts"
    )
