"""Builtins that move, select and reduce elements differently from TensorFlow's operations."""

from __future__ import annotations

import numpy as np
from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import SSAValue
from xdsl.utils.exceptions import DiagnosticException

from ...dialects import nn, tfl
from ...dialects.inferred import shape_of
from ...dialects.names import namesakes
from ..tensorflow_rules.shapes import reduced
from .translation import Builtin, Translation, computes, rule, to_reach
from .values import quantization_of


@rule("RESHAPE", "SQUEEZE", "EXPAND_DIMS")
def reshape(t: Translation, op: tfl.TflOp) -> None:
    """Codes stay the same, whatever quantization the result declares."""
    source, target = op.operands[0], op.results[0]
    how = t.value(op.operands[1]) if len(op.operands) > 1 else None
    if quantization_of(source) == quantization_of(target):
        t.same(target, _under_shape(t, op, t.value(source), how))
        return
    t.give(target, _under_shape(t, op, t.taken(source), how))


def _under_shape(t: Translation, op: tfl.TflOp, x: SSAValue, how: SSAValue | None) -> SSAValue:
    if shape_of(op.results[0]).count(DYNAMIC_INDEX) <= 1:
        return _reshaped(t, op, x)
    if op.builtin() == "RESHAPE" and how is not None:
        return t(nn.ReshapeOp, x, how)
    if op.builtin() == "EXPAND_DIMS" and how is not None:
        return t(nn.UnsqueezeOp, x, t.integers(*t.integers_of(Builtin(op, ""), how, "axis")))
    if op.builtin() == "SQUEEZE" and len(op.integers("squeeze_dims")):
        return t(nn.SqueezeOp, x, t.integers(*op.integers("squeeze_dims")))
    raise DiagnosticException(
        "its result has several unknown sizes; convert the model with fixed shapes"
    )


def _reshaped(t: Translation, op: tfl.TflOp, x: SSAValue) -> SSAValue:
    """A reshaped value; a constant shape gets the name that it has in the file."""
    shape = shape_of(op.results[0])
    if op.builtin() != "RESHAPE" or len(op.operands) < 2 or list(shape_of(x)) == to_reach(shape):
        return t.reshaped(x, shape)
    if (data := t.data(op.operands[1])) is None or not data.size:
        return t.reshaped(x, shape)
    return t(nn.ReshapeOp, x, t.shape(op.operands[1], shape))


@computes("CONCATENATION", moves=True)
def concatenation(t: Translation, op: tfl.TflOp, *parts: SSAValue) -> SSAValue:
    return t(nn.ConcatOp, *parts, axis=op.integer("axis"))


@computes("DYNAMIC_UPDATE_SLICE", moves=True)
def update_slice(t: Translation, op: tfl.TflOp, *operands: SSAValue) -> SSAValue:
    made = tfl.DynamicUpdateSliceOp.create(operands=operands, result_types=[operands[0].type])
    return t.builder.insert(made).results[0]


REDUCTIONS = namesakes("litert", nn.ReduceOp)


@computes(*REDUCTIONS)
def reduction(t: Translation, op: tfl.TflOp, x: SSAValue, axes: SSAValue) -> SSAValue:
    return reduced(t, Builtin(op, ""), REDUCTIONS[op.builtin()], x, axes)


@computes("L2_NORMALIZATION")
def l2_normalization(t: Translation, op: tfl.TflOp, x: SSAValue) -> SSAValue:
    return t(nn.NormalizeL2Op, x, t.integers(len(shape_of(x)) - 1), eps=1e-6, eps_mode="max")


@computes("EMBEDDING_LOOKUP", moves=True)
def embedding_lookup(t: Translation, op: tfl.TflOp, rows: SSAValue, table: SSAValue) -> SSAValue:
    return t(nn.GatherOp, table, rows, t.integer(0), batch_dims=0)


@computes("BROADCAST_ARGS")
def broadcast_args(t: Translation, op: tfl.TflOp, left: SSAValue, right: SSAValue) -> SSAValue:
    """The shape that two shapes broadcast to."""
    (rank,), (other,) = shape_of(left), shape_of(right)
    if DYNAMIC_INDEX in (rank, other):
        raise DiagnosticException("its shapes have an unknown rank; convert the model with ranks")
    if rank < other:
        left, right, rank, other = right, left, other, rank
    if other < rank:
        right = t(
            nn.ConcatOp,
            t(nn.BroadcastOp, t.like(right, 1), t.integers(rank - other)),
            right,
            axis=0,
        )
    return t(nn.SelectOp, t(nn.EqualOp, left, t.like(left, 1)), right, left)


@computes("RANK")
def rank(t: Translation, op: tfl.TflOp, x: SSAValue) -> SSAValue:
    return t.array(np.array(len(shape_of(x)), np.int32))


@computes("ZEROS_LIKE")
def zeros_like(t: Translation, op: tfl.TflOp, x: SSAValue) -> SSAValue:
    return t(nn.BroadcastOp, t.like(x, 0), t(nn.ShapeOfOp, x))


@computes("MATRIX_DIAG")
def matrix_diag(t: Translation, op: tfl.TflOp, x: SSAValue) -> SSAValue:
    """Rows as diagonals, with zeros beside."""
    size, rank = shape_of(x)[-1], len(shape_of(x))
    if size == DYNAMIC_INDEX:
        raise DiagnosticException("its diagonal has an unknown size; give the inputs shapes")
    is_diagonal = t.array(np.eye(size, dtype=np.bool_))
    return t(nn.SelectOp, is_diagonal, t(nn.UnsqueezeOp, x, t.integers(rank)), t.like(x, 0))


@computes("MATRIX_SET_DIAG", moves=True)
def matrix_set_diag(t: Translation, op: tfl.TflOp, x: SSAValue, diagonal: SSAValue) -> SSAValue:
    """Matrices with other diagonals, which are as long as their shorter side."""
    if (rank := len(shape_of(x))) < 2 or len(shape_of(diagonal)) != rank - 1:
        raise DiagnosticException(f"its diagonals are {diagonal.type}, of matrices {x.type}")
    rows, columns = shape_of(x)[-2:]
    if DYNAMIC_INDEX in (rows, columns):
        raise DiagnosticException("its matrices have an unknown size; give the inputs shapes")
    is_diagonal = t.array(np.eye(rows, columns, dtype=np.bool_))
    along = rank - 1 if rows <= columns else rank - 2
    return t(nn.SelectOp, is_diagonal, t(nn.UnsqueezeOp, diagonal, t.integers(along)), x)
