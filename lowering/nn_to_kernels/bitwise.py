"""Bitwise shifts and negation. Operations that booleans have as well are in `comparison`."""

from __future__ import annotations

from xdsl.dialects import arith
from xdsl.dialects.builtin import i1
from xdsl.ir import SSAValue

from ...dialects import nn
from ...dialects.elements import bits_of, is_unsigned
from ...dialects.inferred import tensor
from ..kernel_bodies.bodies import Scalar, select
from .rule import kernel_rule
from .writer import KernelWriter


@kernel_rule(nn.BitwiseNotOp)
def bitwise_not(op: nn.BitwiseNotOp, write: KernelWriter) -> SSAValue:
    element = tensor(op.result).element_type

    return write.elementwise(lambda x: (x ^ (1 if element == i1 else -1)).wrap(element))


@kernel_rule(nn.BitwiseLeftShiftOp, nn.BitwiseRightShiftOp)
def shift(op: nn.BitwiseOp, write: KernelWriter) -> SSAValue:
    """Amounts that the type has not enough bits for, negative ones among them, leave 0, or the sign."""
    element = tensor(op.result).element_type
    left = type(op) is nn.BitwiseLeftShiftOp
    keeps_sign = not left and not is_unsigned(element) and element != i1
    logical = arith.ShLIOp if left else arith.ShRUIOp

    def compute(x: Scalar, amount: Scalar) -> Scalar:
        limited = amount.apply(arith.MinUIOp, bits_of(x.type) - 1)
        if keeps_sign:
            return x >> limited
        shifted = x.apply(logical, limited)
        return select(limited.equals(amount), shifted, 0).wrap(element)

    return write.elementwise(compute)
