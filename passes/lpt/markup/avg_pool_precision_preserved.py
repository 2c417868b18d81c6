"""AvgPoolPrecisionPreserved: whether AvgPool rounds its means to codes."""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, SSAValue

from ....dialects.nn import AddOp, AvgPoolOp, MultiplyOp, SubtractOp, constant_of
from ....dialects.qnn import FakeQuantizeOp
from ....dialects.walk import block_operations
from ..attributes import AVG_POOL_PRECISION_PRESERVED, note, precisions_of, preserves_precision
from ..target import Target
from .body_boundaries import blocks_of


def mark_avg_pool_precision_preserved(module: ModuleOp, target: Target) -> None:
    """
    AvgPool rounds to codes if a consumer computes on codes, behind sums and products with constants, too. In front of
    a FakeQuantize, which rounds anyway, of what gives values between codes, and of a result of the model, means keep
    their fractions.
    """
    for block in blocks_of(module):
        _mark(block, target)


def _mark(block: Block, target: Target) -> None:
    wanted: set[SSAValue] = set()
    for op in reversed(block_operations(block)):
        is_pool = isinstance(op, AvgPoolOp) and target.is_about(op)
        if is_pool or preserves_precision(op) or joins_dequantization(op):
            if wanted.isdisjoint(op.results) or target.gives_values(op):
                continue
            if is_pool:
                note(op, AVG_POOL_PRECISION_PRESERVED)
            wanted.update(op.operands)
        elif computes_on_codes(op, target):
            wanted.update(op.operands)


def joins_dequantization(op: Operation) -> bool:
    """Whether an operation with a constant becomes a part of the dequantization, which leaves the codes as they are."""
    return isinstance(op, AddOp | SubtractOp | MultiplyOp) and any(
        constant_of(operand) is not None for operand in op.operands
    )


def computes_on_codes(op: Operation, target: Target) -> bool:
    """Whether an operation may take codes for what it computes, by the markup and the target."""
    return (
        target.is_about(op)
        and not isinstance(op, FakeQuantizeOp)
        and () not in precisions_of(op).values()
    )
