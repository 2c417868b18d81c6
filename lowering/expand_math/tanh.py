"""
`tanh`. In f32 `x (P(x²) / Q(x²))`, |x| limited to `TANH_LIMIT`; odd, below 1, and at most 5 units in the last
place off (at the limit and beyond, where it stays 4.5 below 1). Coefficients: a minimax fit of degree 9 over 8 up to
the limit, 6e-9 off. In f64 `e / (e + 2)` of `e = exp(2 |x|) - 1`.
"""

from __future__ import annotations

from xdsl.dialects.builtin import f64

from ..bodies import Scalar, select
from .exponential import expm1
from .polynomial import horner

TANH_LIMIT = 7.90531110763549805
TANH_P = (1.793848313e-02, 2.561596154e01, 4.163624466e03, 1.564904021e05, 1.163469850e06)
"""Coefficients of P, the highest power of x² first."""
TANH_Q = (1.0, 3.982602896e02, 3.047228359e04, 5.443136251e05, 1.163469856e06)
"""Coefficients of Q."""

WIDE_LIMIT = 20.0
"""In f64 tanh is 1 from here on."""


def expand_tanh(x: Scalar) -> Scalar:
    """The hyperbolic tangent."""
    if x.type == f64:
        return _wide(x)
    x = limited(x)
    square = x * x
    return x * (horner(square, TANH_P) / horner(square, TANH_Q))


def limited(x: Scalar) -> Scalar:
    """x where `tanh` is not as good as ±1 yet; in f32."""
    return x.clamp(-TANH_LIMIT, TANH_LIMIT)


def _wide(x: Scalar) -> Scalar:
    size = abs(x).at_most(WIDE_LIMIT)
    e = expm1(size + size)
    tanh = e / (e + 2)
    return select(x < 0, -tanh, tanh)
