"""Crops, windows and pooling that ONNX Runtime adds to ONNX (domain `com.microsoft`)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import prod

from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType, i1, i64
from xdsl.ir import SSAValue

from ....dialects import nn
from ....dialects.blob import BlobAttr
from ....dialects.elements import largest_of
from ....dialects.inferred import shape_of, spelled, static_shape
from ....dialects.nn.expression import Expression, concatenated
from ....dialects.nn.window import Window
from ..node import Node, Values
from ..rule_table import rule
from .convolution import window
from .elements import converted


@rule("com.microsoft.CropAndResize")
def crop_and_resize(node: Node) -> Values:
    """
    The boxes `[y1, x1, y2, x2]` of images, each in the size `crop_size`. Their corners are the centers of corner
    elements, 0 and 1 those of the image; what lies outside is `extrapolation_value`.
    """
    write, boxes = node.write, Expression(node.write, node[1])
    sizes = node.integers(3, "crop_size")
    mode = node.choice("mode", "bilinear", {"bilinear": "bilinear", "nearest": "nearest"})
    if len(sizes) != 2 or min(sizes) < 1:
        raise node.refuse(f"crop_size is {spelled(sizes)}; it has two sizes above 0")
    images = write(nn.GatherOp, node[0], node[2], write.integer(0), batch_dims=0)
    count = boxes.shape[0]
    top, left, bottom, right = (each.reshaped(count, 1, 1) for each in boxes.columns())
    rows = _spread(top, bottom, sizes[0]).reshaped(count, sizes[0], 1)
    columns = _spread(left, right, sizes[1]).reshaped(count, 1, sizes[1])
    inside = _is_inside(rows) & _is_inside(columns)
    if mode == "nearest":
        rows, columns = (_nearest(node, *each) for each in ((rows, 2), (columns, 3)))
    grid = concatenated(
        3, *(each.broadcast(count, *sizes).reshaped(count, *sizes, 1) for each in (columns, rows))
    )
    sampled = write(
        nn.GridSampleOp,
        images,
        (grid * 2 - 1).value,
        align_corners=True,
        mode=mode,
        padding_mode="border",
    )
    outside = float(node("extrapolation_value", 0.0))
    kept = inside.reshaped(count, 1, *sizes)
    return kept.where(boxes.on(sampled), outside).value


def _spread(first: Expression, last: Expression, count: int) -> Expression:
    """Places from the first to the last, `[box, 1, count]`; one alone is between both."""
    parts = [i / (count - 1) for i in range(count)] if count > 1 else [0.5]
    return first + (last - first) * first.constant((1, 1, count), parts)


def _is_inside(places: Expression) -> Expression:
    return (places >= 0) & (places <= 1)


def _nearest(node: Node, places: Expression, axis: int) -> Expression:
    """The places of the nearest elements, of two the later one."""
    steps = max(static_shape(node[0])[axis] - 1, 1)
    return (places * steps + 0.5).floor() / steps


@rule("com.microsoft.UnfoldTensor")
def unfold(node: Node) -> Values:
    """All slices of `size` elements along a dimension, `step` apart; their elements are in a new last dimension."""
    write, rank, size, step = node.write, node.rank(), node.number("size"), node("step", 1)
    axis = int(node("dim", -1)) % rank
    whole = shape_of(node[0])[axis]
    if whole == DYNAMIC_INDEX or not 1 <= size <= whole or step < 1:
        raise node.refuse(
            f"slices of {size} elements, {step} apart, of a dimension {spelled([whole])} are not supported; give the "
            "model's inputs fixed shapes"
        )
    starts = range(0, whole - size + 1, step)
    indices = [start + i for start in starts for i in range(size)]
    where = write.constant(BlobAttr.of(TensorType(i64, [len(starts), size]), indices))
    found = write(nn.GatherOp, node[0], where, write.integer(axis), batch_dims=0)
    order = [i for i in range(rank + 1) if i != axis + 1]
    return write.transposed(found, (*order, axis + 1))


@rule("com.microsoft.MaxpoolWithMask")
def max_pool_with_mask(node: Node) -> Values:
    """
    The greatest elements of windows, of which each row ends in front of the first element whose mask is 0. The first
    element of an image always counts. There is one mask, `[1, 1, *image]`.
    """
    shape, mask = static_shape(node[0]), static_shape(node[1])
    kernel, count = node.needed("kernel_shape"), len(shape) - 2
    if count < 1 or len(kernel) != count or mask != (1, 1, *shape[2:]):
        raise node.refuse(
            f"kernel_shape {kernel} and masks {spelled(mask)} do not fit images {spelled(shape)}; use one mask for all "
            "images and channels"
        )
    said = window(node, count)
    moved = Window(kernel=tuple(kernel), rounding="floor", **said)
    pads = moved.padding(shape[2:])
    parts = [
        _every(offset, moved.positions(shape[2:]), said["strides"])
        for offset in product(*map(range, kernel))
    ]
    lowest = node.write.scalar_like(node[0], -largest_of(node.element()))
    image = _padded(node, node[0], pads, lowest)
    counts = _padded(node, _counting(node), pads, node.write.integer(1))
    return _greatest(node, image, counts, parts, kernel[-1], lowest)


def _counting(node: Node) -> SSAValue:
    """1 where an element counts by itself, else 0."""
    write, shape = node.write, static_shape(node[1])
    first = [1] + [0] * (prod(shape) - 1)
    corner = write.constant(BlobAttr.of(TensorType(i1, shape), first))
    counts = write(nn.LogicalOrOp, write(nn.NotEqualOp, node[1], 0), corner)
    return converted(node, counts, i64)


def _padded(
    node: Node, value: SSAValue, pads: Sequence[tuple[int, int]], filler: SSAValue
) -> SSAValue:
    begin, end = (node.write.integers(0, 0, *each) for each in zip(*pads, strict=True))
    return node.write(nn.PadOp, value, begin, end, filler, pad_mode="constant")


def _every(
    offset: Sequence[int], positions: Sequence[int], strides: Sequence[int]
) -> tuple[list[int], list[int], list[int], list[int]]:
    """Starts, stops, steps and axes of the elements at an offset into each window."""
    stops = [
        first + (count - 1) * step + 1
        for first, count, step in zip(offset, positions, strides, strict=True)
    ]
    return [*offset], stops, [*strides], [axis + 2 for axis in range(len(offset))]


def _greatest(
    node: Node,
    image: SSAValue,
    counts: SSAValue,
    parts: Sequence[tuple[list[int], ...]],
    row: int,
    lowest: SSAValue,
) -> SSAValue:
    """Parts are the first elements of all windows, the second ones and so on, `row` of them in each row of a window."""
    write, found, alive = node.write, None, None
    for number, limits in enumerate(parts):
        value, counting = (
            write(nn.SliceOp, each, *(write.integers(*some) for some in limits))
            for each in (image, counts)
        )
        here = write(nn.NotEqualOp, counting, 0)
        alive = here if alive is None or number % row == 0 else write(nn.LogicalAndOp, alive, here)
        value = write(nn.SelectOp, alive, value, lowest)
        found = value if found is None else write(nn.MaximumOp, found, value)
    assert found is not None, "a kernel has elements"
    return found
