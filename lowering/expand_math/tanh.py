"""
`tanh`. In f32 `x (P(x²) / Q(x²))`, |x| limited to `TANH_LIMIT`; odd, below 1 (3e-7 at the limit and beyond), x near 0,
and at most 4.8 units in the last place off, of all numbers of f32. Coefficients: a minimax fit of degree 9 over 8 up to
the limit, with the last bits that make the least of these units. In f64 `e / (e + 2)` of `e = exp(2 |x|) - 1`.
"""

from __future__ import annotations

from xdsl.dialects.builtin import f64

from ..kernel_bodies.bodies import Scalar, select
from .exponential import expm1
from .polynomial import horner

TANH_LIMIT = 7.90531110763549805
TANH_P = (1.793850772e-02, 2.561596870e01, 4.163625000e03, 1.564904219e05, 1.163469500e06)
"""Coefficients of P, the highest power of x² first."""
TANH_Q = (1.0, 3.982604370e02, 3.047228516e04, 5.443136250e05, 1.163469500e06)
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
