"""
`1 / (1 + exp(-x)) = e / (1 + e)` of `e = exp(-|x|)`, and 1 less that where x is positive: no bit is lost however
near to 0 or to 1 it comes.

`e = (2ⁿ exp(r / 2))²` with `r = -|x| - 2 n ln 2`: of half the power, 2ⁿ is a normal number even where e is none,
and goes into the exponent as an integer. Coefficients: a fit to exp(r / 2), 2e-9 off at most, and the series.
"""

from __future__ import annotations

import math as numbers
from dataclasses import dataclass

from xdsl.dialects import arith
from xdsl.dialects.builtin import IntegerType, f64, i32, i64

from ...dialects import kernel
from ..bodies import Body, Scalar
from .polynomial import horner


@dataclass(frozen=True)
class Format:
    """Of a floating-point format: the bits of its fraction, where exp is 0, 2 ln 2 in one or two parts."""

    bits: IntegerType
    fraction: int
    lowest: float
    ln4: tuple[float, ...]
    half_exp: tuple[float, ...]  # coefficients of exp(r / 2), the highest power first

    @property
    def shifter(self) -> float:
        """Added to a small number, it leaves the nearest integer in the last bits."""
        return 1.5 * 2.0**self.fraction


_F32 = Format(
    i32,
    23,
    -104.0,
    (1.3862943649291992,),
    (
        2.1630693951e-05,
        2.6169260553e-04,
        2.6042501609e-03,
        2.0833038963e-02,
        1.2499998551e-01,
        5.0000001609e-01,
        1.0,
    ),
)
_F64 = Format(
    i64,
    52,
    -746.0,
    (1.3862943611198906, 4.638093627692599e-17),
    tuple(0.5**k / numbers.factorial(k) for k in range(14, -1, -1)),
)


def expand_sigmoid(body: Body, op: kernel.SigmoidOp) -> Scalar:
    """The logistic function."""
    x, form = op.x, _F64 if op.x.type == f64 else _F32
    zero, one = body.like(0, x), body.like(1, x)
    minus = body.negative(body.absolute(x))
    minus = body.at_least(minus, body.like(form.lowest, x))
    shifter = body.like(form.shifter, x)
    shifted = body.fma(minus, body.like(0.5 / numbers.log(2), x), shifter)
    n, r = body.subtract(shifted, shifter), minus
    for part in form.ln4:
        r = body.fma(n, body.like(-part, x), r)
    half = _times_power(body, horner(body, r, form.half_exp), shifted, form)
    e = body.multiply(half, half)
    below = body.divide(e, body.add(e, one))
    return body.select(body.greater(x, zero), body.subtract(one, below), below)


def _times_power(body: Body, x: Scalar, shifted: Scalar, form: Format) -> Scalar:
    """`2ⁿ x`, n in the last bits of another number."""
    integer = body.emit(arith.BitcastOp(shifted, form.bits))
    exponent = body.emit(arith.ShLIOp(integer, body.like(form.fraction, integer)))
    scaled = body.add(body.emit(arith.BitcastOp(x, form.bits)), exponent)
    return body.emit(arith.BitcastOp(scaled, x.type))
