"""Polynomials in kernel bodies."""

from __future__ import annotations

from collections.abc import Sequence

from ..kernel_bodies.bodies import Scalar


def horner(x: Scalar, coefficients: Sequence[float]) -> Scalar:
    """`((c0 x + c1) x + c2) …`; where c0 is 1, nothing is multiplied by it."""
    first, second, *rest = coefficients
    value = x + second if first == 1 else x.number(first).fma(x, second)
    for coefficient in rest:
        value = value.fma(x, coefficient)
    return value
