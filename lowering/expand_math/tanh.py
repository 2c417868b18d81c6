"""
`tanh`. In f32 `x (P(x²) / Q(x²))`, |x| limited to `TANH_LIMIT`; odd, below 1, and at most 5 units in the last
place off (at the limit and beyond, where it stays 4.5 below 1). Coefficients: a minimax fit known from Eigen's
vectorized mathematics. In f64 `e / (e + 2)` of `e = exp(2 |x|) - 1`.
"""

from __future__ import annotations

from xdsl.dialects.builtin import f64

from ..bodies import Scalar, select
from .exponential import expm1
from .polynomial import horner

TANH_LIMIT = 7.90531110763549805
TANH_P = (
    -2.76076847742355e-16,
    2.00018790482477e-13,
    -8.60467152213735e-11,
    5.12229709037114e-08,
    1.48572235717979e-05,
    6.37261928875436e-04,
    4.89352455891786e-03,
)
"""Coefficients of P, the highest power of x² first."""
TANH_Q = (1.19825839466702e-06, 1.18534705686654e-04, 2.26843463243900e-03, 4.89352518554385e-03)
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
