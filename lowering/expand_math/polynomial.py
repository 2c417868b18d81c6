"""Polynomials in kernel bodies."""

from __future__ import annotations

from collections.abc import Sequence

from ..bodies import Scalar


def horner(x: Scalar, coefficients: Sequence[float]) -> Scalar:
    """`((c0 x + c1) x + c2) …`"""
    first, *rest = coefficients
    value = x.number(first)
    for coefficient in rest:
        value = value.fma(x, coefficient)
    return value
