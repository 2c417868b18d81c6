"""Sequences and optionals. They are resolved while a model is read, so the module has none."""

from __future__ import annotations

from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType, i1, i64
from xdsl.ir import SSAValue

from ....dialects import nn
from ....dialects.blob import BlobAttr
from ....dialects.inferred import shape_of
from ..node import Node, Stack, Value, Values
from ..rule_table import rule


@rule("SequenceConstruct")
def construct(node: Node) -> Values:
    return tuple(node.inputs)


@rule("SequenceEmpty")
def empty(node: Node) -> Values:
    return ()


@rule("SequenceAt")
def at(node: Node) -> Values:
    if isinstance(stack := node.value(0), Stack):
        place = node.write.reshaped(node[1], ())
        return node.write(nn.GatherOp, stack.tensor, place, node.write.integer(0), batch_dims=0)
    values = node.sequence(0)
    return values[_place(node, 1, len(values), len(values) - 1)]


@rule("SequenceInsert")
def insert(node: Node) -> Values:
    values = list(node.sequence(0))
    place = len(values)
    if node.get(2) is not None:
        place = _place(node, 2, len(values), len(values))
    values.insert(place, node.value(1))
    return tuple(values)


@rule("SequenceErase")
def erase(node: Node) -> Values:
    values = list(node.sequence(0))
    place = len(values) - 1
    if node.get(1) is not None:
        place = _place(node, 1, len(values), len(values) - 1)
    if not values:
        raise node.refuse("its sequence is empty")
    del values[place]
    return tuple(values)


def _place(node: Node, index: int, count: int, most: int) -> int:
    """A position, counted from the front."""
    (place,) = node.integers(index, "positions")
    if not -count <= place <= most:
        raise node.refuse(f"position {place} is out of range for {count} values")
    return place + count if place < 0 else place


@rule("SequenceLength")
def length(node: Node) -> Values:
    if isinstance(stack := node.value(0), Stack):
        sizes = node.write(nn.ShapeOfOp, stack.tensor)
        return node.write.reshaped(node.write.slice(sizes, 0, 1, 0), ())
    return node.write.constant(BlobAttr.of(TensorType(i64, []), len(node.sequence(0))))


MOST_PARTS = 1 << 16
"""Each part is an operation or more: of so many, a model takes seconds to read."""


@rule("SplitToSequence")
def split(node: Node) -> Values:
    """
    Parts of given lengths; parts of one length, the last of which may be smaller; or parts of size 1, without that
    dimension.
    """
    x, write, axis = node[0], node.write, node.axis(node.rank())
    size = shape_of(x)[axis]
    lengths = None if node.get(1) is None else node.integers(1, "lengths")
    if size == DYNAMIC_INDEX:
        raise node.refuse(
            f"the size of dimension {axis} is unknown; give the model's inputs fixed shapes"
        )
    part = 1 if lengths is None else lengths[0] if shape_of(node[1]) == () else None
    if part is not None:
        if part < 1:
            raise node.refuse(f"parts of {part} elements are none")
        if (count := -(-size // part)) > MOST_PARTS:
            raise node.refuse(
                f"dimension {axis} of size {size} would be {count} parts, and at most {MOST_PARTS} are made; use "
                "longer parts"
            )
        lengths = [min(part, size - start) for start in range(0, size, part)]
    assert lengths is not None, "there is a length of all parts, or one of each"
    if sum(lengths) != size:
        raise node.refuse(f"lengths {lengths} do not fit dimension {axis} of size {size}")
    if not lengths:
        return ()
    along = write.constant(BlobAttr.of(TensorType(i64, []), axis))
    parts = write.all(nn.VariadicSplitOp, x, along, write.integers(*lengths))
    if node.get(1) is None and not node("keepdims", 1):
        parts = [write(nn.SqueezeOp, part, write.integers(axis)) for part in parts]
    return tuple(parts)


@rule("ConcatFromSequence")
def concat(node: Node) -> Values:
    write = node.write
    if isinstance(stack := node.value(0), Stack):
        return _put_together(node, stack.tensor)
    values = [node.tensor_of(value) for value in node.sequence(0)]
    if not values:
        raise node.refuse("its sequence is empty")
    rank = len(shape_of(values[0])) + bool(node("new_axis", 0))
    axis = node.axis(rank)
    if node("new_axis", 0):
        values = [write(nn.UnsqueezeOp, value, write.integers(axis)) for value in values]
    return write(nn.ConcatOp, *values, axis=axis)


def _put_together(node: Node, stack: SSAValue) -> Values:
    """The first dimension goes where the new one is to be, or is merged with the one along which values lie."""
    write, new = node.write, bool(node("new_axis", 0))
    rank = len(shape_of(stack))
    axis = node.axis(rank if new else rank - 1)
    order = [*range(1, axis + 1), 0, *range(axis + 1, rank)]
    moved = write(nn.TransposeOp, stack, write.integers(*order)) if axis else stack
    if new:
        return moved
    sizes = write(nn.ShapeOfOp, moved)
    ahead, behind = write.slice(sizes, 0, axis, 0), write.slice(sizes, axis + 2, rank, 0)
    shape = write(nn.ConcatOp, ahead, write.integers(-1), behind, axis=0)
    return write(nn.ReshapeOp, moved, shape)


@rule("Concat")
def concat_tensors(node: Node) -> Values:
    values = [node[i] for i in range(len(node.inputs))]
    axis = node.axis(node.rank()) if "axis" in node.attributes else 1
    return node.write(nn.ConcatOp, *values, axis=axis)


@rule("Optional")
def optional(node: Node) -> Values:
    return node.value(0)


@rule("OptionalGetElement")
def get_element(node: Node) -> Values:
    value: Value = node.value(0)
    if value is None:
        raise node.refuse("its optional is empty")
    return value


@rule("OptionalHasElement")
def has_element(node: Node) -> Values:
    there = node.value(0) is not None
    return node.write.constant(BlobAttr.of(TensorType(i1, []), int(there)))
