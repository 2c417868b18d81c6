"""DYNAMIC_UPDATE_SLICE: overwrites a part of a tensor, from a computed index on."""

from __future__ import annotations

from xdsl.dialects import func
from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType, i1, i64
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import InsertPoint
from xdsl.utils.exceptions import DiagnosticException

from ...dialects import nn, tfl
from ...dialects.blob import BlobAttr
from ...dialects.inferred import shape_of
from ...dialects.nn.writer import Writer
from ...dialects.rewriter import Rewriter
from ...dialects.walk import all_operations


def expand_updates(function: func.FuncOp) -> None:
    """
    Writes each `tfl.dynamic_update_slice` as operations of `nn`, after `raise-loop-ports` has found concatenations.
    """
    for op in all_operations(function):
        if isinstance(op, tfl.DynamicUpdateSliceOp):
            Rewriter.replace_op(op, [], [updated(Writer(InsertPoint.before(op)), op)])


def updated(write: Writer, op: Operation) -> SSAValue:
    """`x[start : start + size] = part`; the start is clamped so that the part is within `x`."""
    x, part, places = op.operands
    whole = shape_of(x)
    if DYNAMIC_INDEX in (*whole, *shape_of(part)):
        raise DiagnosticException(
            f"{op.name}: puts {part.type} into {x.type}; its sizes must be known: convert the model with fixed "
            "shapes, or give its inputs shapes with reshape"
        )
    is_new = write.constant(BlobAttr.of(TensorType(i1, [1] * len(whole)), [1]))
    places = write.converted(places, i64)
    for axis, (size, count) in enumerate(zip(shape_of(part), whole, strict=True)):
        if size == count:
            continue
        place = _within(write, _gathered(write, places, write.integer(axis), 0), count - size)
        index = write(nn.SubtractOp, write.integers(*range(count)), place)
        inside = _within(write, index, size - 1)
        part = _gathered(write, part, inside, axis)
        along = write.integers(*(count if i == axis else 1 for i in range(len(whole))))
        is_inside = write(nn.ReshapeOp, write(nn.EqualOp, index, inside), along)
        is_new = write(nn.LogicalAndOp, is_new, is_inside)
    return write(nn.SelectOp, is_new, part, x)


def _within(write: Writer, index: SSAValue, most: int) -> SSAValue:
    """`min(max(index, 0), most)`"""
    least = write(nn.MaximumOp, index, write.integer(0))
    return write(nn.MinimumOp, least, write.integer(most))


def _gathered(write: Writer, value: SSAValue, indices: SSAValue, axis: int) -> SSAValue:
    return write(nn.GatherOp, value, indices, write.integer(axis), batch_dims=0)
