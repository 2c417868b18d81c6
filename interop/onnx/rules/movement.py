"""Data movement: split, slice, pad, one-hot and triangles."""

from __future__ import annotations

from xdsl.dialects.builtin import DYNAMIC_INDEX, StringAttr, TensorType, i1, i64
from xdsl.ir import SSAValue

from ....dialects import nn
from ....dialects.blob import BlobAttr
from ....dialects.elements import is_integer
from ....dialects.inferred import NAME, constant_integers, shape_of, tensor
from ..node import Node, Values
from ..rule_table import rule
from .elements import converted


@rule("Split")
def split(node: Node) -> Values:
    """Lengths are an attribute before version 13. Without them, parts are equal, but the last may be smaller."""
    write, axis = node.write, node.axis(node.rank())
    along = write.constant(BlobAttr.of(TensorType(i64, []), axis))
    lengths = node.get(1)
    if lengths is None and "split" in node.attributes:
        lengths = write.integers(*node("split"))
    if lengths is None:
        count, size = node("num_outputs") or len(node.outputs), shape_of(node[0])[axis]
        if size == DYNAMIC_INDEX and node.version >= 18:
            lengths = _lengths(node, axis, count)
            return list(write.all(nn.VariadicSplitOp, node[0], along, lengths))
        if size == DYNAMIC_INDEX or size % count == 0:
            return list(write.all(nn.SplitOp, node[0], along, num_splits=count))
        part = -(-size // count)
        lengths = write.integers(*[part] * (count - 1), size - part * (count - 1))
    return list(write.all(nn.VariadicSplitOp, node[0], along, lengths))


def _lengths(node: Node, axis: int, count: int) -> SSAValue:
    """The lengths of equal parts of an unknown size, of which the last may be smaller."""
    write = node.write
    size = write.slice(write(nn.ShapeOfOp, node[0], output_type=i64), axis, axis + 1, 0)
    rounded = write(nn.AddOp, size, write.integers(count - 1))
    part = write(nn.DivideOp, rounded, write.integers(count))
    parts = [part] * (count - 1)
    before = write(nn.MultiplyOp, part, write.integers(count - 1))
    return write(nn.ConcatOp, *parts, write(nn.SubtractOp, size, before), axis=0)


@rule("Slice")
def slice_(node: Node) -> Values:
    """Limits, axes and steps are attributes before version 10."""
    write = node.write
    if node.version < 10:
        starts, ends = (write.integers(*node.needed(name)) for name in ("starts", "ends"))
        axes, steps = node("axes"), None
        axes = None if axes is None else write.integers(*axes)
    else:
        starts, ends, axes, steps = node[1], node[2], node.get(3), node.get(4)
    (count,) = shape_of(starts)
    if count == DYNAMIC_INDEX:
        raise node.refuse("how many dimensions it slices is unknown")
    if axes is None:
        axes = write.integers(*range(count))
    if steps is None:
        steps = write.integers(*[1] * count)
    return write(nn.SliceOp, node[0], starts, _backwards(node, ends, steps), steps, axes)


WHOLE = (2**31 - 1, 2**63 - 1)
"""Ends that mean the end of the dimension, in either direction."""


def _backwards(node: Node, ends: SSAValue, steps: SSAValue) -> SSAValue:
    """Ends. Where steps are negative, `WHOLE` becomes -∞."""
    lasts, strides = constant_integers(ends), constant_integers(steps)
    if lasts is None or strides is None or min(strides, default=1) > 0:
        return ends
    limits = zip(lasts, strides, strict=True)
    return node.write.integers(
        *[-WHOLE[1] if step < 0 and end in WHOLE else end for end, step in limits]
    )


@rule("Gather")
def gather(node: Node) -> Values:
    axis = node.write.constant(BlobAttr.of(TensorType(i64, []), node.axis(node.rank())))
    return node.write(nn.GatherOp, node[0], node[1], axis, batch_dims=0)


@rule("Pad")
def pad(node: Node) -> Values:
    """
    Pads and the value are attributes before version 11; since version 18, `axes` may say which dimensions are padded.
    """
    x, write, rank = node[0], node.write, node.rank()
    mode = node("mode", "constant")
    if node.version < 11:
        pads = write.integers(*node.needed("pads" if node.version > 1 else "paddings"))
        value = write.scalar_like(x, node("value", 0.0))
    else:
        pads, value = node[1], node.get(2)
    axes = None if node.get(3) is None else node.integers(3, "axes")
    count = rank if axes is None else len(axes)
    begin, end = (write.slice(pads, i * count, (i + 1) * count, 0) for i in range(2))
    if axes is not None:
        begin, end = (_at(node, each, axes, rank) for each in (begin, end))
    if mode == "wrap":
        return _wrapped(node, x, begin, end)
    given = () if value is None or mode != "constant" else (write.reshaped(value, ()),)
    return write(nn.PadOp, x, begin, end, *given, pad_mode=mode)


def _at(node: Node, values: SSAValue, axes: list[int], rank: int) -> SSAValue:
    """Numbers for all dimensions: `values` at `axes`, 0 elsewhere."""
    write = node.write
    padded = write(
        nn.ConcatOp,
        values,
        converted(node, write.integers(0), tensor(values).element_type),
        axis=0,
    )
    places = {axis % rank: i for i, axis in enumerate(axes)}
    order = write.integers(*(places.get(i, len(axes)) for i in range(rank)))
    first = write.constant(BlobAttr.of(TensorType(i64, []), 0))
    return write(nn.GatherOp, padded, order, first, batch_dims=0)


def _wrapped(node: Node, x: SSAValue, begin: SSAValue, end: SSAValue) -> SSAValue:
    """Padding that continues at the opposite end, wrapping around as often as needed."""
    write = node.write
    before, after = constant_integers(begin), constant_integers(end)
    if before is None or after is None:
        raise node.refuse("mode 'wrap' needs constant pads; make them constants")
    for axis, (left, right) in enumerate(zip(before, after, strict=True)):
        if not left and not right:
            continue
        size = _size(node, x, axis)
        stop = write(nn.AddOp, size, right)
        places = write(nn.RangeOp, write.integer(-left), stop, write.integer(1), output_type=i64)
        indices = write(nn.FloorModOp, places, size)
        x = write(nn.GatherOp, x, indices, write.integer(axis), batch_dims=0)
    return x


@rule("ReverseSequence")
def reverse_sequence(node: Node) -> Values:
    return node.write(
        nn.ReverseSequenceOp,
        node[0],
        node[1],
        batch_axis=node("batch_axis", 1),
        seq_axis=node("time_axis", 0),
    )


@rule("OneHot")
def one_hot(node: Node) -> Values:
    """Indices and depth may be in floating point; negative indices count from the end."""
    write = node.write
    indices, depth = (converted(node, node[i], i64) for i in (0, 1))
    depth = write.reshaped(depth, ())
    indices = write(
        nn.SelectOp, write(nn.LessOp, indices, 0), write(nn.AddOp, indices, depth), indices
    )
    off, on = (write.reshaped(half, ()) for half in write.split(node[2], 2, 0))
    return write(nn.OneHotOp, indices, depth, on, off, axis=node("axis", -1))


@rule("Trilu")
def trilu(node: Node) -> Values:
    """Zeros below a diagonal, or above it: columns are compared with rows and `k`."""
    x, write = node[0], node.write
    shape = shape_of(x)
    if len(shape) < 2:
        raise node.refuse(f"its input has {len(shape)} dimensions; it needs two at least")
    k = node.get(1)
    rows, columns = (_counted(node, x, axis) for axis in (-2, -1))
    rows = write(nn.UnsqueezeOp, rows, write.integers(1))
    if k is not None:
        rows = write(nn.AddOp, rows, write.reshaped(converted(node, k, i64), ()))
    kind = nn.GreaterEqualOp if node("upper", 1) else nn.LessEqualOp
    kept = write(kind, columns, rows)
    if tensor(x).element_type == i1:
        return write(nn.LogicalAndOp, x, kept)
    zero = write.scalar_like(x, 0 if is_integer(tensor(x).element_type) else 0.0)
    return write(nn.SelectOp, kept, x, zero)


def _counted(node: Node, x: SSAValue, axis: int) -> SSAValue:
    """0, 1, … for each element of a dimension; named after the node, for sizes that are known only at run time."""
    write = node.write
    size = _size(node, x, axis % len(shape_of(x)))
    count = write(nn.RangeOp, write.integer(0), size, write.integer(1), output_type=i64)
    if isinstance(owner := count.owner, nn.RangeOp):
        owner.attributes[NAME] = StringAttr(f"{node.name}/Range")
    return count


def _size(node: Node, x: SSAValue, axis: int) -> SSAValue:
    """The size of a dimension."""
    write = node.write
    return write.reshaped(write.slice(write(nn.ShapeOfOp, x), axis, axis + 1, 0), ())


def counted_along(node: Node, x: SSAValue, axis: int) -> SSAValue:
    """0, 1 … along a dimension, in a shape that broadcasts to that of `x`."""
    rank = len(shape_of(x))
    count = _counted(node, x, axis)
    line = node.write.integers(*(-1 if i == axis % rank else 1 for i in range(rank)))
    return node.write(nn.ReshapeOp, count, line)
