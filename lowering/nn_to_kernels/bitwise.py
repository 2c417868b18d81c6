"""Operations on bits: shifts and negation. What truth values have, too, is in `comparison`."""

from __future__ import annotations

from xdsl.dialects import arith
from xdsl.dialects.builtin import i1

from ...dialects import nn
from ...dialects.elements import bits_of, is_unsigned
from ...dialects.inferred import tensor
from ..bodies import Body, Scalar
from .rule import Lowered, binary, rule, unary


@rule(nn.BitwiseNotOp)
def bitwise_not(op: nn.BitwiseNotOp) -> Lowered:
    element = tensor(op.result).element_type

    def compute(body: Body, x: Scalar) -> Scalar:
        ones = body.like(1 if element == i1 else -1, x)
        return body.wrap(body.logic("xor", x, ones), element)

    return unary(op, compute)


@rule(nn.BitwiseLeftShiftOp, nn.BitwiseRightShiftOp)
def shift(op: nn.BitwiseOp) -> Lowered:
    """Amounts that the type has not enough bits for, negative ones among them, leave 0, or the sign."""
    element = tensor(op.result).element_type
    left = isinstance(op, nn.BitwiseLeftShiftOp)
    keeps_sign = not left and not is_unsigned(element) and element != i1
    logical = arith.ShLIOp if left else arith.ShRUIOp

    def compute(body: Body, x: Scalar, amount: Scalar) -> Scalar:
        most = body.like(bits_of(x.type) - 1, x)
        limited = body.emit(arith.MinUIOp(amount, most))
        if keeps_sign:
            return body.emit(arith.ShRSIOp(x, limited))
        shifted = body.emit(logical(x, limited))
        fits = body.compare("eq", limited, amount)
        return body.wrap(body.select(fits, shifted, body.like(0, x)), element)

    return binary(op, compute)
