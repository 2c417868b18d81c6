"""Bias: the addition of a constant to a product."""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from ....dialects.nn import AddOp, constant_of
from ....dialects.walk import all_operations
from ..attributes import BIAS, note
from ..products import is_product
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
