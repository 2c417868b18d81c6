"""Shapes, and data movement: reshape, split, slice, pad, tile and the like."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import DYNAMIC_INDEX, i32, i64
from xdsl.ir import Operation, SSAValue
from xdsl.utils.exceptions import DiagnosticException

from ....dialects import nn
from ....dialects.elements import is_integer
from ....dialects.inferred import constant_integers, label, shape_of, tensor
from ....dialects.nn.strided_slice import SliceEntry
from .graph import GraphWriter
from .handlers import DeclinedError, Written, writes

LAST = (1 << 63) - 1
"""A limit behind all elements."""


def known(op: Operation, value: SSAValue, what: str) -> Sequence[int]:
    """The integers of an operand. Raises DiagnosticException where they are known only at run time."""
    if (found := constant_integers(value)) is None:
        raise DiagnosticException(
            f"{label(op)}: {what} is not constant, ONNX needs to know it; run fold-constants first"
        )
    return found


@writes(nn.ReshapeOp)
def reshape(graph: GraphWriter, op: nn.ReshapeOp) -> Written:
    """In ONNX, 0 copies a dimension unless `allowzero` is set."""
    target = constant_integers(op.shape)
    keeps_zeros = not op.special_zero and (target is None or 0 in target)
    if keeps_zeros and target is not None and -1 in target:
        target = shape_of(op.result)  # ONNX takes either
    shape = graph.vector(op.shape) if target is None else graph.integers(*target)
    return graph("Reshape", graph[op.input], shape, allowzero=1 if keeps_zeros else None)


@writes(nn.SqueezeOp)
def squeeze(graph: GraphWriter, op: nn.SqueezeOp) -> Written:
    shape = shape_of(op.input)
    axes = [i for i, size in enumerate(shape) if size == 1]
    if op.axes is not None and (listed := constant_integers(op.axes)):
        named = [axis % len(shape) for axis in listed]
        axes = [axis for axis in named if axis in axes or not op.allow_axis_skip]
    if not axes:  # which to ONNX Runtime are all
        return graph("Identity", graph[op.input])
    return graph("Squeeze", graph[op.input], graph.integers(*axes))


@writes(nn.UnsqueezeOp)
def unsqueeze(graph: GraphWriter, op: nn.UnsqueezeOp) -> Written:
    return graph("Unsqueeze", graph[op.input], graph.vector(op.axes))


@writes(nn.ShapeOfOp)
def shape_of_(graph: GraphWriter, op: nn.ShapeOfOp) -> Written:
    return graph.cast(graph("Shape", graph[op.input]), i64, op.output_type)


@writes(nn.BroadcastOp)
def broadcast(graph: GraphWriter, op: nn.BroadcastOp) -> Written:
    return graph("Expand", graph[op.input], graph.vector(op.target_shape))


@writes(nn.TransposeOp)
def transpose(graph: GraphWriter, op: nn.TransposeOp) -> Written:
    order = constant_integers(op.order) or range(len(shape_of(op.input)))[::-1]
    return graph.transposed(graph[op.input], order)


@writes(nn.SplitOp)
def split(graph: GraphWriter, op: nn.SplitOp) -> Written:
    axis = known(op, op.axis, "axis")[0]
    count = op.num_splits.value.data
    return graph.node("Split", [graph[op.input]], count, axis=axis, num_outputs=count)


@writes(nn.VariadicSplitOp)
def variadic_split(graph: GraphWriter, op: nn.VariadicSplitOp) -> Written:
    """The part that is left (-1) is computed where its size is known only at run time."""
    axis = known(op, op.axis, "axis")[0]
    sizes = [shape_of(result)[axis] for result in op.results]
    lengths = graph.integers(*sizes)
    if DYNAMIC_INDEX in sizes:
        given, zero = graph.vector(op.split_lengths), graph.integers(0)
        end = axis + 1 if axis != -1 else None
        whole = graph("Shape", graph[op.input], start=axis, end=end)
        is_rest = graph("Less", given, zero)
        others = graph("ReduceSum", graph("Where", is_rest, zero, given), keepdims=1)
        lengths = graph("Where", is_rest, graph("Sub", whole, others), given)
    return graph.node("Split", [graph[op.input], lengths], len(sizes), axis=axis)


def is_empty(op: nn.SliceOp | nn.StridedSliceOp) -> bool:
    """Whether a slice is empty. ONNX reads limits out of bounds differently, and might take elements."""
    return 0 in shape_of(op.result) and DYNAMIC_INDEX not in shape_of(op.result)


def _empty(graph: GraphWriter, op: nn.SliceOp | nn.StridedSliceOp) -> str:
    nothing = graph.scalar(0, tensor(op.input).element_type)
    return graph("Expand", nothing, graph.integers(*shape_of(op.result)))


@writes(nn.SliceOp)
def slice_(graph: GraphWriter, op: nn.SliceOp) -> Written:
    if is_empty(op):
        return _empty(graph, op)
    limits = (graph.vector(each) for each in (op.start, op.stop, op.axes, op.step))
    return graph("Slice", graph[op.input], *limits)


@writes(nn.StridedSliceOp)
def strided_slice(graph: GraphWriter, op: nn.StridedSliceOp) -> Written:
    """A Slice of all dimensions with limits; then dimensions that shrink are removed, and new ones are added."""
    if is_empty(op):
        return _empty(graph, op)
    shape = shape_of(op.input)
    (places,) = shape_of(op.begin)
    strides = [1] * places if op.strides is None else known(op, op.strides, "strides")
    entries = list(op.entries(places, len(shape)))
    cut = [entry for entry in entries if entry.kind in ("slice", "shrink")]
    x = graph[op.input]
    if cut:
        starts, ends = _limits(graph, op, cut, strides)
        steps = graph.integers(*(1 if e.kind == "shrink" else strides[e.place] for e in cut))
        axes = graph.integers(*(entry.dimension for entry in cut))
        x = graph("Slice", x, starts, ends, axes, steps)
    if gone := [entry.dimension for entry in cut if entry.kind == "shrink"]:
        x = graph("Squeeze", x, graph.integers(*gone))
    result = [entry.kind for entry in entries if entry.kind != "shrink"]
    if new := [i for i, kind in enumerate(result) if kind == "new"]:
        x = graph("Unsqueeze", x, graph.integers(*new))
    return x if cut or new else graph("Identity", x)


def _limits(
    graph: GraphWriter, op: nn.StridedSliceOp, cut: Sequence[SliceEntry], strides: Sequence[int]
) -> tuple[str, str]:
    """Starts and ends of slices. Limits that a mask leaves out lie outside of all dimensions."""
    begin, end = constant_integers(op.begin), constant_integers(op.end)
    starts, ends = list[str](), list[str]()
    for entry in cut:
        at, back = entry.place, strides[entry.place] < 0
        first = _element(graph, op.begin, begin, at)
        last = _element(graph, op.end, end, at)
        if entry.kind == "shrink":
            if begin is not None:
                last = graph.integers(begin[at] + 1 if begin[at] != -1 else LAST)
            else:
                after = graph("Add", first, graph.integers(1))
                is_last = graph("Equal", after, graph.integers(0))
                last = graph("Where", is_last, graph.integers(LAST), after)
        else:
            if op.masked(op.begin_mask, at):
                first = graph.integers(LAST if back else 0)
            if op.masked(op.end_mask, at):
                last = graph.integers(-LAST if back else LAST)
        starts.append(first)
        ends.append(last)
    return _joined(graph, starts), _joined(graph, ends)


def _element(graph: GraphWriter, value: SSAValue, numbers: Sequence[int] | None, at: int) -> str:
    if numbers is not None:
        return graph.integers(numbers[at])
    return graph("Gather", graph.vector(value), graph.integers(at), axis=0)


def _joined(graph: GraphWriter, parts: Sequence[str]) -> str:
    return graph("Concat", *parts, axis=0) if len(parts) > 1 else parts[0]


@writes(nn.TileOp)
def tile(graph: GraphWriter, op: nn.TileOp) -> Written:
    """ONNX needs a repetition for each dimension: the shorter of shape and repetitions is extended by ones in front."""
    x, repeats, shape = graph[op.input], graph.vector(op.repeats), shape_of(op.input)
    missing = len(shape_of(op.result)) - len(shape)
    if missing > 0:
        x = graph("Unsqueeze", x, graph.integers(*range(missing)))
    if (ahead := len(shape) - shape_of(op.repeats)[0]) > 0:
        repeats = graph("Concat", graph.integers(*[1] * ahead), repeats, axis=0)
    return graph("Tile", x, repeats)


@writes(nn.RangeOp)
def range_(graph: GraphWriter, op: nn.RangeOp) -> Written:
    """Narrow types are counted in i64, or f32."""
    element = op.output_type
    limits = [
        graph.cast(graph.single(value), tensor(value).element_type, element)
        for value in op.operands
    ]
    if is_integer(element) and element not in (i32, i64):
        limits = [graph.cast(limit, element, i64) for limit in limits]
        return graph.cast(graph("Range", *limits), i64, element)
    return graph("Range", *limits)


@writes(nn.OneHotOp)
def one_hot(graph: GraphWriter, op: nn.OneHotOp) -> Written:
    """In ONNX, negative indices count from the end. If they are to give off values, they are moved behind it."""
    indices = graph.cast(graph[op.indices], tensor(op.indices).element_type, i64)
    depth = graph.vector(op.depth)
    if op.negative_indices_mode.data == "ignore_negative":
        below = graph("Less", indices, graph.scalar(0, i64))
        indices = graph("Where", below, graph("Squeeze", depth, graph.integers(0)), indices)
    values = [
        graph.reshaped(graph[value], (1,)) if not shape_of(value) else graph[value]
        for value in (op.off_value, op.on_value)
    ]
    pair = graph("Concat", *values, axis=0)
    if shape_of(op.indices):
        return graph("OneHot", indices, depth, pair, axis=op.axis.value.data)
    row = graph("OneHot", graph.reshaped(indices, (1,)), depth, pair, axis=-1)
    return graph("Squeeze", row, graph.integers(0))


@writes(nn.ReverseSequenceOp)
def reverse_sequence(graph: GraphWriter, op: nn.ReverseSequenceOp) -> Written:
    """In ONNX, batch and steps are the first two dimensions."""
    rank = len(shape_of(op.input))
    batch, steps = (each.value.data % rank for each in (op.batch_axis, op.seq_axis))
    order = [batch, steps, *(i for i in range(rank) if i not in (batch, steps))]
    lengths = graph.cast(graph[op.seq_lengths], tensor(op.seq_lengths).element_type, i64)
    if {batch, steps} == {0, 1}:
        return graph("ReverseSequence", graph[op.input], lengths, batch_axis=batch, time_axis=steps)
    x = graph.transposed(graph[op.input], order)
    x = graph("ReverseSequence", x, lengths, batch_axis=0, time_axis=1)
    return graph.transposed(x, [order.index(i) for i in range(rank)])


@writes(nn.PadOp)
def pad(graph: GraphWriter, op: nn.PadOp) -> Written:
    mode = op.pad_mode.data
    if mode == "symmetric":
        return _symmetric(graph, op)
    begin, end = constant_integers(op.pads_begin), constant_integers(op.pads_end)
    if begin is not None and end is not None:
        pads = graph.integers(*begin, *end)
    else:
        pads = graph("Concat", graph.vector(op.pads_begin), graph.vector(op.pads_end), axis=0)
    value = "" if op.pad_value is None else graph.single(op.pad_value)
    return graph("Pad", graph[op.input], pads, value, mode=mode)


def _symmetric(graph: GraphWriter, op: nn.PadOp) -> str:
    """
    Symmetric padding, which ONNX does not have: the border and its neighbours, in reverse order. Negative pads crop.
    """
    x, pads = (
        graph[op.input],
        zip(
            known(op, op.pads_begin, "pads_begin"), known(op, op.pads_end, "pads_end"), strict=True
        ),
    )
    for axis, (before, after) in enumerate(pads):
        parts = [x]
        if before > 0:
            parts.insert(0, _cut(graph, x, axis, before - 1, -LAST, -1))
        if after > 0:
            parts.append(_cut(graph, x, axis, -1, -after - 1, -1))
        x = graph("Concat", *parts, axis=axis) if len(parts) > 1 else x
        if before < 0 or after < 0:
            x = _cut(graph, x, axis, max(-before, 0), after if after < 0 else LAST, 1)
    return graph("Identity", x)


def _cut(graph: GraphWriter, x: str, axis: int, start: int, stop: int, step: int) -> str:
    return graph("Slice", x, *(graph.integers(number) for number in (start, stop, axis, step)))


@writes(nn.DepthToSpaceOp)
def depth_to_space(graph: GraphWriter, op: nn.DepthToSpaceOp) -> Written:
    if len(shape_of(op.input)) != 4:
        raise DeclinedError
    mode = {"blocks_first": "DCR", "depth_first": "CRD"}[op.mode.data]
    return graph("DepthToSpace", graph[op.input], blocksize=op.block_size.value.data, mode=mode)


@writes(nn.SpaceToDepthOp)
def space_to_depth(graph: GraphWriter, op: nn.SpaceToDepthOp) -> Written:
    if len(shape_of(op.input)) != 4 or op.mode.data != "blocks_first":
        raise DeclinedError
    return graph("SpaceToDepth", graph[op.input], blocksize=op.block_size.value.data)
