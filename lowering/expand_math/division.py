"""
A division by a constant, without the divider: `q = x (1/c)` is nearly the quotient, and `q + (x - q c) (1/c)` rounds as
the quotient does, with two fused multiply-adds (P. Markstein, IBM J. Res. Dev. 34(1), 1990, theorem 8). A vector unit
divides sixteen numbers in about 16 cycles and does this in 3.

What the rest `x - q c` loses where it is subnormal may leave the last bit wrong: for |x| below 2⁻¹⁰⁰ in f32.
"""

from __future__ import annotations

from math import frexp
from struct import pack, unpack
from typing import Any, cast

from xdsl.dialects import arith
from xdsl.dialects.builtin import Float32Type, FloatAttr

from ..kernel_bodies.bodies import Scalar, select

TINY = 2.0**-126
"""The least normal number of f32."""


def expand_division(x: Scalar, divisor: Scalar) -> Scalar | None:
    """Of f32, where neither the constant nor its reciprocal is subnormal, infinite or 0."""
    constant = divisor.value.owner
    if not isinstance(constant, arith.ConstantOp) or not isinstance(x.type, Float32Type):
        return None
    c = cast("FloatAttr[Any]", constant.value).value.data
    if not TINY <= abs(c) <= 1 / TINY:
        return None
    (reciprocal,) = unpack("f", pack("f", 1 / c))
    quotient = x * reciprocal
    if abs(frexp(c)[0]) == 0.5:
        return quotient  # of a power of two, exact
    rest = (-quotient).fma(divisor, x)
    rounded = rest.fma(reciprocal, quotient)
    # NaN, as inf - inf is, or 0, whose sign the sum has lost.
    is_special = rounded.compare("ueq", 0)
    return select(is_special, quotient, rounded)
