"""A part of a tensor anew, at a place that is computed."""

from __future__ import annotations

import numpy as np
from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import SSAValue
from xdsl.utils.exceptions import DiagnosticException

from ....dialects import nn
from ....dialects.inferred import shape_of
from ..graph import Operator
from .reader import Reader, integer, reads
from .shapes import carried, long


@reads("DYNAMIC_UPDATE_SLICE")
def update_slice(read: Reader, op: Operator) -> None:
    """`x[place : place + size] = part`, the place moved so that the part is within `x`."""
    x, part = (read.value(operand) for operand in op.inputs[:2])
    places, whole = long(read, op.inputs[2]), shape_of(x)
    if DYNAMIC_INDEX in (*whole, *shape_of(part)):
        raise DiagnosticException("its sizes must be known; convert the model with fixed shapes")
    is_new = read.constant(np.ones([1] * len(whole), np.bool_))
    for axis, (size, count) in enumerate(zip(shape_of(part), whole, strict=True)):
        if size == count:
            continue
        place = _gathered(read, places, read.constant(np.array(axis)), 0)
        index = read(nn.SubtractOp, read.index(*range(count)), _within(read, place, count - size))
        is_inside = read(nn.EqualOp, index, _within(read, index, size - 1))
        part = _gathered(read, part, _within(read, index, size - 1), axis)
        along = [count if i == axis else 1 for i in range(len(whole))]
        is_new = read(nn.LogicalAndOp, is_new, read.reshaped(is_inside, along))
    carried(read, op, read(nn.SelectOp, is_new, part, x), op.inputs[0])


def _within(read: Reader, index: SSAValue, most: int) -> SSAValue:
    """`min(max(index, 0), most)`"""
    least = read(nn.MaximumOp, index, read.scalar(index, 0))
    return read(nn.MinimumOp, least, read.scalar(index, most))


def _gathered(read: Reader, value: SSAValue, indices: SSAValue, axis: int) -> SSAValue:
    along = read.constant(np.array(axis))
    return read(nn.GatherOp, value, indices, along, batch_dims=integer(0))
