"""Integers that a condition compares in floating point."""

from __future__ import annotations

from math import ceil, floor, prod

from xdsl.dialects.builtin import (
    AnyFloat,
    BFloat16Type,
    Float16Type,
    Float32Type,
    Float64Type,
    IntegerType,
)
from xdsl.ir import SSAValue
from xdsl.rewriter import InsertPoint

from ...dialects import nn
from ...dialects.elements import limits_of
from ...dialects.inferred import shape_of, tensor
from ...dialects.nn.writer import Writer
from ..infer_shapes import KnownIntegers
from .loop import Loop, conjuncts

LARGEST_EXACT = {
    Float16Type.name: 2**11,
    BFloat16Type.name: 2**8,
    Float32Type.name: 2**24,
    Float64Type.name: 2**53,
}
"""By type of floating point, up to where each integer is a number of it."""

_ROUNDS_UP = {(nn.LessOp, 1), (nn.GreaterEqualOp, 1), (nn.LessEqualOp, 0), (nn.GreaterOp, 0)}
"""Comparisons, and the operand that is the limit, which are true of the same integers once that is rounded up."""


def compare_integers(loop: Loop) -> bool:
    """
    `f32(i) < c` is `i < ⌈c⌉`, for an integer `i` and a known `c` up to which f32 is exact: rounding changes no
    integer's side. What is equal to `c` counts likewise: `f32(i) <= c` is `i <= ⌊c⌋`.
    """
    if loop.op.condition is None:
        return False
    changed = [_compare_integers(loop, leaf) for leaf in conjuncts(loop.op.condition)]
    return any(changed)


def _compare_integers(loop: Loop, leaf: SSAValue) -> bool:
    op = leaf.owner
    if not isinstance(op, nn.LessOp | nn.LessEqualOp | nn.GreaterOp | nn.GreaterEqualOp):
        return False
    compared = tensor(op.lhs).element_type
    if not isinstance(compared, AnyFloat):
        return False
    for where, limit in enumerate(op.operands):
        integer, number = _integer(op.operands[1 - where]), _number(loop, limit)
        if integer is None or number is None or not abs(number) <= LARGEST_EXACT[compared.name]:
            continue
        whole = ceil(number) if (type(op), where) in _ROUNDS_UP else floor(number)
        low, high = limits_of(tensor(integer).element_type)
        if low <= whole <= high:
            write = Writer(InsertPoint.before(op))
            sides = [integer, write.scalar_like(integer, whole)]
            new = write(type(op), *(sides if where else sides[::-1]))
            leaf.replace_all_uses_with(new)
            return True
    return False


def _integer(value: SSAValue) -> SSAValue | None:
    """What was converted to this."""
    op = value.owner
    if not isinstance(op, nn.ConvertOp):
        return None
    return op.input if isinstance(tensor(op.input).element_type, IntegerType) else None


def _number(loop: Loop, value: SSAValue) -> float | None:
    """The number that a value of the body is in every iteration."""
    if isinstance(value.owner, nn.ConstantOp):
        blob = value.owner.value.data
        return float(blob.distinct()[0]) if prod(shape_of(value)) == 1 else None
    integer = _integer(value)
    if integer is None or not loop.is_outer(integer):
        return None
    known = KnownIntegers()(loop.outer(integer))
    return float(known[0]) if known is not None and len(known) == 1 else None
