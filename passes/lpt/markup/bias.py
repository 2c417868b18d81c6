"""Bias: the addition of a constant to a product."""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp, i32
from xdsl.ir import Operation, SSAValue

from ....dialects.inferred import tensor
from ....dialects.nn import AddOp, MultiplyOp, SliceOp, SubtractOp, constant_of
from ....dialects.qnn import DequantizeOp
from ....dialects.walk import all_operations
from ..attributes import BIAS, note
from ..products import PRODUCTS
from ..target import Target


def mark_bias(module: ModuleOp, target: Target) -> None:
    """`add(product, constant)` is a bias; a dequantization may lie between them."""
    for op in all_operations(module):
        note_bias(op)


def note_bias(op: Operation) -> None:
    """Marks an operation that adds a bias."""
    if isinstance(op, AddOp) and any(
        is_product(value) and constant_of(other) is not None
        for value, other in ((op.lhs, op.rhs), (op.rhs, op.lhs))
    ):
        note(op, BIAS)


def is_product(value: SSAValue) -> bool:
    """Whether a value is the result of a product, dequantized or not, also where its zero points were split off."""
    owner = value.owner
    if isinstance(owner, DequantizeOp):
        return is_product(owner.input)
    if isinstance(owner, SubtractOp) and tensor(value).element_type == i32:
        return is_product(owner.lhs)
    if isinstance(owner, SubtractOp):
        sums, shift = owner.lhs.owner, owner.rhs.owner
        if not isinstance(sums, SliceOp) or not isinstance(shift, MultiplyOp):
            return False
        window = shift.lhs.owner
        return isinstance(window, SliceOp) and window.input == sums.input and is_product(sums.input)
    return isinstance(owner, PRODUCTS)
