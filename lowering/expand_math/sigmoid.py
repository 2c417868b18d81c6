"""
`1 / (1 + exp(-x))`: no bit is lost however near to 0 or to 1 it comes.

It is `s / (s + s exp(|x|))`, and 1 less that where x is positive. s is a power of 2 that keeps `s exp(|x|)` finite
where the result is subnormal. `s exp(x) = 2ⁿ s exp(r)` with `r = x - n ln 2`; 2ⁿ s comes from the last bits of a
number that n and its biased exponent were added to. In f32 the result is at most 6.2 units in the last place off, of
all numbers: n times what f32 has of ln 2 is up to 4 off where exp(|x|) is greatest.
"""

from __future__ import annotations

import math as numbers
from dataclasses import dataclass

from xdsl.dialects.builtin import IntegerType, f64, i32, i64

from ..kernel_bodies.bodies import Scalar, select
from .exponential import NEAR_ONE
from .polynomial import horner


@dataclass(frozen=True)
class SigmoidFormat:
    """Of a floating-point format: the bits of its fraction, its bias, where exp overflows what s allows, ln 2."""

    bits: IntegerType
    fraction: int
    bias: int
    spare: int  # s = 2 ** -spare
    highest: float
    ln2: tuple[float, ...]
    exp: tuple[float, ...]  # coefficients, the highest power first

    @classmethod
    def of(cls, x: Scalar) -> SigmoidFormat:
        """The format of a scalar."""
        return _F64 if x.type == f64 else _F32

    @property
    def scale(self) -> float:
        """s."""
        return 2.0**-self.spare

    @property
    def shifter(self) -> float:
        """Added to a small number, it leaves the exponent's bits of s times 2 to the nearest integer at the end."""
        return 1.5 * 2.0**self.fraction + self.bias - self.spare


_F32 = SigmoidFormat(
    i32,
    23,
    127,
    24,
    104.0,
    (0.6931471824645996,),
    NEAR_ONE,
)
_F64 = SigmoidFormat(
    i64,
    52,
    1023,
    54,
    746.0,
    (0.6931471805599453, 2.3190468138462996e-17),
    tuple(1 / numbers.factorial(k) for k in range(14, -1, -1)),
)


def expand_sigmoid(x: Scalar) -> Scalar:
    """The logistic function."""
    form = SigmoidFormat.of(x)
    below = form.scale / exp_and_one(abs(x).at_most(form.highest), form)
    return select(x > 0, 1 - below, below)


def exp_and_one(x: Scalar, form: SigmoidFormat) -> Scalar:
    """`s + s exp(x)` where x is at most `highest`, and `s exp(x)` a normal number."""
    shifted = x.fma(1 / numbers.log(2), form.shifter)
    n, r = shifted - form.shifter, x
    for part in form.ln2:
        r = n.fma(-part, r)
    power = (shifted.bitcast(form.bits) << form.fraction).bitcast(x.type)
    return horner(r, form.exp).fma(power, form.scale)
