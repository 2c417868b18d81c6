"""What a word that is none resembles."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import SequenceMatcher, get_close_matches

ALIKE = 0.1
"""How much less the second may resemble a word than the first, of 1."""


def nearest(word: str, known: Iterable[str]) -> list[str]:
    """Of the known words the one that resembles a word most, and another that does nearly as much."""
    found = get_close_matches(word, [*known], 2)
    ratios = [SequenceMatcher(None, each, word).ratio() for each in found]
    return [each for each, ratio in zip(found, ratios, strict=True) if ratio > ratios[0] - ALIKE]
