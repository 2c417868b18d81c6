"""Shapes: reading them, and reshaping."""

from __future__ import annotations

from math import prod

from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType, f32, i64
from xdsl.ir import SSAValue

from ....dialects import nn
from ....dialects.blob import Blob, BlobAttr
from ....dialects.inferred import constant_integers, shape_of
from ..node import Node, Values
from ..rule_table import rule


def axes_of(node: Node, since: int, place: int = 1) -> SSAValue | None:
    """Axes: an attribute before version `since`, an input from then on."""
    if node.version >= since:
        return node.get(place)
    axes = node("axes")
    return None if axes is None else node.write.integers(*axes)


@rule("Shape")
def shape(node: Node) -> Values:
    write, rank = node.write, node.rank()
    whole = write(nn.ShapeOfOp, node[0])
    start, end, _ = slice(node("start", 0), node("end"), 1).indices(rank)
    return whole if (start, end) == (0, rank) else write.slice(whole, start, max(end, start), 0)


@rule("Size")
def size(node: Node) -> Values:
    write = node.write
    return write(nn.ReduceProdOp, write(nn.ShapeOfOp, node[0]), write.integers(0))


@rule("Reshape")
def reshape(node: Node) -> Values:
    """0 copies a dimension, unless `allowzero` is set."""
    target = node[1] if node.version >= 5 else node.write.integers(*node.needed("shape"))
    return node.write(nn.ReshapeOp, node[0], target, special_zero=not node("allowzero"))


@rule("Flatten")
def flatten(node: Node) -> Values:
    """Two dimensions: those before `axis` merged, and the others merged."""
    write, rank, axis = node.write, node.rank(), node("axis")
    if not -rank <= axis <= rank:
        raise node.refuse(f"axis {axis} is out of range for rank {rank}")
    known = shape_of(node[0])
    axis = axis + rank if axis < 0 else axis
    for sizes, is_first in ((known[:axis], True), (known[axis:], False)):
        if DYNAMIC_INDEX not in sizes and 0 not in known:
            shape = (prod(sizes), -1) if is_first else (-1, prod(sizes))
            return write(nn.ReshapeOp, node[0], write.integers(*shape))
    whole = write(nn.ShapeOfOp, node[0])
    parts = [
        write(
            nn.ReduceProdOp,
            write.slice(whole, begin, end, 0),
            write.integers(0),
            keep_dims=True,
        )
        for begin, end in ((0, axis), (axis, rank))
    ]
    return write(nn.ReshapeOp, node[0], write(nn.ConcatOp, *parts, axis=0))


@rule("Squeeze")
def squeeze(node: Node) -> Values:
    axes = axes_of(node, 13)
    if axes is None:
        axes = node.write.integers(*node.scope.model.squeezes.axes(shape_of(node[0]), node.name))
    return node.write(nn.SqueezeOp, node[0], axes)


@rule("Unsqueeze")
def unsqueeze(node: Node) -> Values:
    axes = axes_of(node, 13)
    if axes is None:
        raise node.refuse("axes are missing")
    return node.write(nn.UnsqueezeOp, node[0], axes)


@rule("Expand")
def expand(node: Node) -> Values:
    return node.write(nn.BroadcastOp, node[0], node[1], mode="bidirectional")


@rule("Transpose")
def transpose(node: Node) -> Values:
    rank, order = node.rank(), node("perm")
    if order is None:
        order = range(rank - 1, -1, -1)
    # PyTorch's older exporter writes negative dimensions of a permute as they are.
    order = [axis + rank if -rank <= axis < 0 else axis for axis in order]
    return node.write(nn.TransposeOp, node[0], node.write.integers(*order))


@rule("ConstantOfShape")
def constant_of_shape(node: Node) -> Values:
    """A repeated number."""
    value, write = node("value"), node.write
    if value is None:
        number = write.constant(BlobAttr.of(TensorType(f32, []), 0.0))
    else:
        number = write.reshaped(node.scope.constant(value, ""), ())
    if (sizes := constant_integers(node[0])) is not None:
        blob = nn.constant_of(number)
        assert blob is not None
        if min(sizes, default=0) < 0:
            raise node.refuse(f"shape {list(sizes)} has a negative size; give sizes of at least 0")
        type = TensorType(blob.type.element_type, sizes)
        empty = 0 in sizes
        return write.constant(
            BlobAttr(Blob(type, b"" if empty else blob.data.buffer, splat=not empty))
        )
    return write(nn.BroadcastOp, number, node[0])


@rule("Range")
def range_(node: Node) -> Values:
    limits = [node.write.reshaped(node[i], ()) for i in range(3)]
    return node.write(nn.RangeOp, *limits, output_type=node.element())


@rule("Tile")
def tile(node: Node) -> Values:
    if node.version >= 6:
        return node.write(nn.TileOp, node[0], node[1])
    tiles, axis = node.integers(1, "tiles"), node.integers(2, "axis")
    counts = [tiles[0] if i == axis[0] else 1 for i in range(node.rank())]
    return node.write(nn.TileOp, node[0], node.write.integers(*counts))


@rule("DepthToSpace", "SpaceToDepth")
def depth_and_space(node: Node) -> Values:
    """Blocks or channels come first; SpaceToDepth has that choice since opset 28."""
    kind = nn.DepthToSpaceOp if node.type == "DepthToSpace" else nn.SpaceToDepthOp
    mode = node.choice("mode", "DCR", {"DCR": "blocks_first", "CRD": "depth_first"})
    return node.write(kind, node[0], mode=mode, block_size=node.needed("blocksize"))


def whole_range(node: Node, count: int) -> SSAValue:
    """0, 1, … below `count`."""
    return node.write.constant(BlobAttr.of(TensorType(i64, [count]), list(range(count))))
