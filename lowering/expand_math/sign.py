"""Signs of numbers, zeros' included."""

from __future__ import annotations

from xdsl.dialects import arith

from ..bodies import Body, Scalar
from .exponential import Format


def with_sign(body: Body, size: Scalar, x: Scalar) -> Scalar:
    """A number that is not negative, with the sign of x."""
    bits = Format.of(x).bits
    sign = body.constant(-(2 ** (bits.width.data - 1)), bits)
    words = [body.emit(arith.BitcastOp(each, bits)) for each in (size, x)]
    signed = body.logic("or", words[0], body.logic("and", words[1], sign))
    return body.emit(arith.BitcastOp(signed, x.type))
