"""Shapes as data, and operations that make elements or reduce them."""

from __future__ import annotations

from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import SSAValue
from xdsl.utils.exceptions import DiagnosticException

from ...dialects import nn
from ...dialects.inferred import shape_of, tensor
from ..tensorflow import TfOp
from .rules import Legalizer, rule


@rule("Shape")
def shape(t: Legalizer, op: TfOp, x: SSAValue) -> SSAValue:
    return t(nn.ShapeOfOp, x, output_type=op.element)


@rule("Squeeze", moves=True)
def squeeze(t: Legalizer, op: TfOp, x: SSAValue) -> SSAValue:
    axes = op.integers("squeeze_dims") or op.integers("axis")
    if not axes:
        sizes = shape_of(x)
        if DYNAMIC_INDEX in sizes:
            raise DiagnosticException(
                f"{op.label}: which dimensions are 1 is not known while compiling; give it axes"
            )
        axes = [i for i, n in enumerate(sizes) if n == 1]
    return t(nn.SqueezeOp, x, t.integers(*axes)) if axes else x


@rule("ExpandDims", moves=True)
def expand_dims(t: Legalizer, op: TfOp, x: SSAValue, axis: SSAValue) -> SSAValue:
    return t(nn.UnsqueezeOp, x, t.integers(*t.integers_of(op, axis, "axis")))


@rule("Fill", moves=True)
def fill(t: Legalizer, op: TfOp, sizes: SSAValue, value: SSAValue) -> SSAValue:
    return t(nn.BroadcastOp, value, t.long(sizes))


@rule("BroadcastTo", moves=True)
def broadcast_to(t: Legalizer, op: TfOp, value: SSAValue, sizes: SSAValue) -> SSAValue:
    return t(nn.BroadcastOp, value, t.long(sizes))


@rule("Range")
def range_(t: Legalizer, op: TfOp, start: SSAValue, stop: SSAValue, step: SSAValue) -> SSAValue:
    return t(nn.RangeOp, start, stop, step, output_type=tensor(start).element_type)


@rule("OneHot")
def one_hot(
    t: Legalizer, op: TfOp, indices: SSAValue, depth: SSAValue, on: SSAValue, off: SSAValue
) -> SSAValue:
    return t(nn.OneHotOp, indices, depth, on, off, axis=op.integer("axis", -1))


@rule("BatchMatMul", "BatchMatMulV2", "BatchMatMulV3")
def batch_mat_mul(t: Legalizer, op: TfOp, a: SSAValue, b: SSAValue) -> SSAValue:
    return t(nn.MatMulOp, a, b, transpose_a=op.flag("adj_x"), transpose_b=op.flag("adj_y"))


def reduced(
    t: Legalizer, op: TfOp, kind: type[nn.ReduceOp], x: SSAValue, axes: SSAValue
) -> SSAValue:
    """One element of all along some axes."""
    along = t.integers(*t.integers_of(op, axes, "axes"))
    return t(kind, x, along, keep_dims=op.flag("keep_dims"))
