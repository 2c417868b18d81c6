"""Rewrites of operations whose results would depend on elements beyond a dynamic size."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any

from xdsl.dialects.builtin import AnyFloat, TensorType
from xdsl.ir import Operation, SSAValue

from ...dialects import nn
from ...dialects.blob import BlobAttr
from ...dialects.elements import ends_of
from ...dialects.inferred import constant_integers, normalize_axis, shape_of, tensor
from ...dialects.nn.writer import Writer
from . import data_movement, rows
from .appended import is_zero_beyond
from .bounded import Bounded, is_same, masked, refusal
from .laws import axes_of, mat_mul
from .resampling import interpolate

Rewrite = Callable[[Writer, Any, Sequence[Bounded]], Bounded | None]


def _shape_of(write: Writer, op: nn.ShapeOfOp, given: Sequence[Bounded]) -> Bounded:
    """Known sizes, and those that only the run can tell."""
    (data,) = given
    parts = [
        write(nn.ConvertOp, data.sizes[d], destination_type=op.output_type)
        if d in data.sizes
        else write.constant(BlobAttr.of(TensorType(op.output_type, [1]), [size]))
        for d, size in enumerate(shape_of(data.value))
    ]
    return Bounded(write(nn.ConcatOp, *parts, axis=0), {})


def _reduce_masked(write: Writer, op: nn.ReduceOp, given: Sequence[Bounded]) -> Bounded | None:
    """Along dimensions of unknown size: what lies beyond becomes a number that changes nothing."""
    data, value = given[0], given[0].value
    along = axes_of(op) & data.sizes.keys()
    if not along:
        return None
    shape, kind, element = shape_of(value), type(op), tensor(value).element_type
    count: SSAValue | None = None
    for axis in sorted(along):
        size = data.sizes[axis]
        value = masked(write, value, axis, size, _neutral(op))
        count = size if count is None else write(nn.MultiplyOp, count, size)
    is_mean = kind is nn.ReduceMeanOp
    if is_mean and not isinstance(element, AnyFloat):
        raise refusal(op)
    kind = nn.ReduceSumOp if is_mean else kind
    result = write(kind, value, op.axes, **op.properties)
    if is_mean and count is not None:
        rest = prod(shape[d] for d in axes_of(op) - along)
        numbers = write(nn.ConvertOp, count, destination_type=element)
        some = write(nn.MaximumOp, write(nn.MultiplyOp, numbers, rest), 1)
        number = write.reshaped(some, ())
        result = write(nn.DivideOp, result, number)
    left = [d for d in range(len(shape)) if op.keep_dims or d not in axes_of(op)]
    sizes = {left.index(d): size for d, size in data.sizes.items() if d not in along}
    return Bounded(result, sizes)


def _cum_sum_masked(write: Writer, op: nn.CumSumOp, given: Sequence[Bounded]) -> Bounded | None:
    """Sums that begin at the end of a dimension of unknown size: zeros are put beyond it."""
    data, (axis,) = given[0], constant_integers(op.axis) or (0,)
    axis = normalize_axis(op, axis, len(shape_of(op.input)))
    if not op.reverse or axis not in data.sizes:
        return None
    value = masked(write, data.value, axis, data.sizes[axis], 0)
    return Bounded(write(nn.CumSumOp, value, op.axis, **op.properties), data.sizes)


def _mat_mul_masked(write: Writer, op: nn.MatMulOp, given: Sequence[Bounded]) -> Bounded | None:
    """Sums over a dimension of unknown size: there are zeros beyond, or put there."""
    left, right = given
    axes = [
        max(len(shape_of(each.value)) - 1 - is_outer, 0)
        for each, is_outer in ((left, bool(op.transpose_a)), (right, not op.transpose_b))
    ]
    sizes = [each.sizes.get(axis) for each, axis in zip(given, axes, strict=True)]
    met = [size for size in sizes if size is not None]
    if not met:
        return None
    if not all(is_same(size, met[0]) for size in met):
        raise refusal(op)
    parts = [
        Bounded(
            each.value
            if size is None or is_zero_beyond(each.value, axis, size)
            else masked(write, each.value, axis, size, 0),
            {d: known for d, known in each.sizes.items() if d != axis},
        )
        for each, axis, size in zip(given, axes, sizes, strict=True)
    ]
    kept = mat_mul(op, parts) if any(part.sizes for part in parts) else {}
    return Bounded(write(nn.MatMulOp, *(part.value for part in parts), **op.properties), kept)


def _neutral(op: nn.ReduceOp) -> float:
    """What a reduction gives for no elements at all."""
    low, high = ends_of(tensor(op.input).element_type)
    match op:
        case nn.ReduceSumOp() | nn.ReduceMeanOp() | nn.ReduceLogicalOrOp():
            return 0
        case nn.ReduceProdOp() | nn.ReduceLogicalAndOp():
            return 1
        case nn.ReduceMaxOp():
            return low
        case nn.ReduceMinOp():
            return high
        case _:
            raise refusal(op)


REWRITES: dict[type[Operation], Rewrite] = {
    nn.ShapeOfOp: _shape_of,
    nn.ConcatOp: data_movement.concat,
    nn.SliceOp: data_movement.slices,
    nn.PadOp: data_movement.pad,
    nn.InterpolateOp: interpolate,
    nn.GatherOp: data_movement.gather,
    nn.GatherElementsOp: data_movement.gather_elements,
    nn.ReshapeOp: data_movement.reshape,
    nn.GatherNdOp: rows.gather_nd,
    nn.ScatterElementsUpdateOp: data_movement.scatter,
    nn.ScatterNdUpdateOp: rows.scatter_nd,
    nn.MatMulOp: _mat_mul_masked,
    nn.CumSumOp: _cum_sum_masked,
    **dict.fromkeys(
        (kind for kind in nn.Nn.operations if nn.ReduceOp in kind.__mro__), _reduce_masked
    ),
}
"""By operation, what is written in its place; None leaves it to its law."""
