"""Laws by which the slice to a dynamic size moves behind an operation: `f(slice(x, 0, n)) = slice(f(x), 0, n)`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ...dialects import nn
from ...dialects.inferred import InferredOp, constant_integers, normalize_axis, shape_of
from ...dialects.nn.detection.regions import AlignOp
from ...dialects.nn.window import WindowedOp
from .bounded import Bounded, Sizes, is_same, refusal, same

Law = Callable[[Any, Sequence[Bounded]], Sizes]


def elementwise(op: InferredOp, given: Sequence[Bounded]) -> Sizes:
    """What is computed element by element: sizes of one dimension are one value, or 1."""
    rank = len(shape_of(op.results[0]))
    sizes: Sizes = {}
    for each in given:
        offset = rank - len(shape_of(each.value))
        for dimension, size in each.sizes.items():
            if not is_same(sizes.setdefault(offset + dimension, size), size):
                raise refusal(op)
    for each in given:
        offset, shape = rank - len(shape_of(each.value)), shape_of(each.value)
        for dimension, of_dimension in enumerate(shape):
            if offset + dimension in sizes and dimension not in each.sizes and of_dimension != 1:
                raise refusal(op)
    return sizes


def _transpose(op: nn.TransposeOp, given: Sequence[Bounded]) -> Sizes:
    order = list(constant_integers(op.order) or ()) or list(
        reversed(range(len(shape_of(op.input))))
    )
    return {order.index(dimension): size for dimension, size in given[0].sizes.items()}


def _gather(op: nn.GatherOp, given: Sequence[Bounded]) -> Sizes:
    """Indices of unknown number give slices of unknown number."""
    data, indices, _ = given
    (axis,) = constant_integers(op.axis) or (0,)
    axis, batch = normalize_axis(op, axis, len(shape_of(op.input))), op.batch_dims.value.data
    if axis in data.sizes or batch:
        raise refusal(op)
    more = len(shape_of(op.indices)) - 1
    behind = {d + more * (d > axis): size for d, size in data.sizes.items()}
    return behind | {axis + d: size for d, size in indices.sizes.items()}


def _gather_nd(op: nn.GatherNdOp, given: Sequence[Bounded]) -> Sizes:
    """Rows of indices of unknown number name slices of unknown number."""
    data, indices = given
    named, rows = shape_of(op.indices)[-1], len(shape_of(op.indices)) - 1
    if op.batch_dims.value.data or rows in indices.sizes or any(d < named for d in data.sizes):
        raise refusal(op)
    return indices.sizes | {d - named + rows: size for d, size in data.sizes.items()}


def _reduce(op: nn.ReduceOp, given: Sequence[Bounded]) -> Sizes:
    """Reductions along dimensions of known size."""
    rank, sizes = len(shape_of(op.input)), given[0].sizes
    axes = axes_of(op)
    if axes & sizes.keys():
        raise refusal(op)
    kept = range(rank) if op.keep_dims else [d for d in range(rank) if d not in axes]
    return {list(kept).index(d): size for d, size in sizes.items()}


def axes_of(op: nn.ReduceOp) -> set[int]:
    """The constant axes of a reduction, counted from the front."""
    return {
        normalize_axis(op, axis, len(shape_of(op.input)))
        for axis in constant_integers(op.axes) or ()
    }


def _unsqueeze(op: nn.UnsqueezeOp, given: Sequence[Bounded]) -> Sizes:
    rank = len(shape_of(op.result))
    axes = {normalize_axis(op, axis, rank) for axis in constant_integers(op.axes) or ()}
    kept = [d for d in range(rank) if d not in axes]
    return {kept[d]: size for d, size in given[0].sizes.items()}


def _squeeze(op: nn.SqueezeOp, given: Sequence[Bounded]) -> Sizes:
    shape, listed = shape_of(given[0].value), None
    if op.axes is not None and (listed := constant_integers(op.axes)) is None:
        raise refusal(op)
    axes = {normalize_axis(op, axis, len(shape)) for axis in listed or ()}
    if not axes or axes & given[0].sizes.keys():
        raise refusal(op)
    kept = [d for d in range(len(shape)) if d not in axes]
    return {kept.index(d): size for d, size in given[0].sizes.items()}


def _concat(op: nn.ConcatOp, given: Sequence[Bounded]) -> Sizes:
    """Concatenations along a dimension of known size, of parts that have the same dynamic sizes."""
    axis = normalize_axis(op, op.axis.value.data, len(shape_of(op.result)))
    first = given[0].sizes
    if axis in first or any(not same(each.sizes, first) for each in given):
        raise refusal(op)
    return first


def mat_mul(op: nn.MatMulOp, given: Sequence[Bounded]) -> Sizes:
    """Rows of the left, columns of the right, and matrices beside each other."""
    rank, sizes = len(shape_of(op.result)), Sizes()
    for each, other, is_left, transposed in (
        (given[0], given[1], True, op.transpose_a),
        (given[1], given[0], False, op.transpose_b),
    ):
        shape, others = shape_of(each.value), shape_of(other.value)
        if min(len(shape), len(others)) < 2:
            raise refusal(op)
        free = len(shape) - 1 - (is_left != bool(transposed))
        for dimension, size in each.sizes.items():
            if dimension == free:
                sizes[rank - 1 - is_left] = size
                continue
            at = dimension - len(shape)
            batch = others[:-2]
            of_other = other.sizes.get(at + len(others))
            is_matched = of_other is not None and is_same(of_other, size)
            if at >= -2 or not (is_matched or -at - 2 > len(batch) or batch[at + 2] == 1):
                raise refusal(op)
            sizes[rank + at] = size
    return sizes


def _split(op: nn.SplitOp | nn.VariadicSplitOp, given: Sequence[Bounded]) -> Sizes:
    """Splits along a dimension of known size."""
    (axis,) = constant_integers(op.axis) or (0,)
    if normalize_axis(op, axis, len(shape_of(op.input))) in given[0].sizes:
        raise refusal(op)
    return given[0].sizes


def _images(op: InferredOp, given: Sequence[Bounded]) -> Sizes:
    """Each image of a batch is computed for itself."""
    if given[0].sizes.keys() - {0} or any(each.sizes for each in given[1:]):
        raise refusal(op)
    return given[0].sizes


def _sums(op: nn.CumSumOp, given: Sequence[Bounded]) -> Sizes:
    """Cumulative sums: elements beyond are in no sum, and as zeros in those that begin at the end."""
    return given[0].sizes


def _regions(op: AlignOp, given: Sequence[Bounded]) -> Sizes:
    """Each region is read for itself."""
    image, regions, images = given
    count = regions.sizes.get(0, images.sizes.get(0))
    if image.sizes or count is None or 1 in regions.sizes:
        raise refusal(op)
    return {0: count}


def _points(op: nn.GridSampleOp, given: Sequence[Bounded]) -> Sizes:
    """Each point is read for itself."""
    image, grid = given
    if image.sizes or 0 in grid.sizes:
        raise refusal(op)
    return {d + 1: size for d, size in grid.sizes.items()}


LAWS: dict[type[Any], Law] = {
    nn.TransposeOp: _transpose,
    nn.GatherOp: _gather,
    nn.GatherNdOp: _gather_nd,
    nn.ReduceOp: _reduce,
    nn.UnsqueezeOp: _unsqueeze,
    nn.SqueezeOp: _squeeze,
    nn.ConcatOp: _concat,
    nn.MatMulOp: mat_mul,
    nn.SplitOp: _split,
    nn.VariadicSplitOp: _split,
    AlignOp: _regions,
    nn.CumSumOp: _sums,
    nn.GroupNormalizationOp: _images,
    nn.GridSampleOp: _points,
    WindowedOp: _images,
}
"""By operation, the function that gives the sizes of its results where those of operands move behind it."""
