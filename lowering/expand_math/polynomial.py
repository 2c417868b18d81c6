"""Polynomials in kernel bodies."""

from __future__ import annotations

from collections.abc import Sequence

from ..bodies import Body, Scalar


def horner(body: Body, x: Scalar, coefficients: Sequence[float]) -> Scalar:
    """`((c0 x + c1) x + c2) …`"""
    first, *rest = coefficients
    value = body.like(first, x)
    for coefficient in rest:
        value = body.fma(value, x, body.like(coefficient, x))
    return value
