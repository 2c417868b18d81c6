"""Data movement: concatenation, slices, transposes, padding."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import Operation, SSAValue

from ...dialects import nn
from ...dialects.inferred import shape_of
from .elementwise import as_it_lies, common_order
from .refusals import refuse, refuse_unknown
from .tensors import UNKNOWN, Tensor
from .writer import TflWriter, View, emits, sizes_of

# --- of tensors -----------------------------------------------------------------------------


def concatenated(write: TflWriter, parts: Sequence[Tensor], axis: int) -> Tensor:
    """The tensors one after the other along an axis."""
    if len(parts) == 1:
        return parts[0]
    sizes = [part.shape[axis] for part in parts]
    shape = list(parts[0].shape)
    shape[axis] = UNKNOWN if UNKNOWN in sizes else sum(sizes)
    return write.op("CONCATENATION", parts, shape, like=parts[0], axis=axis)


def with_pads(
    write: TflWriter, x: Tensor, pads: Sequence[tuple[int, int]], fill: float | None = None
) -> Tensor:
    """The tensor with elements before and after each dimension: zeros, or `fill`."""
    if not any(begin or end for begin, end in pads):
        return x
    shape = [n if n < 0 else n + a + b for n, (a, b) in zip(x.shape, pads, strict=True)]
    amounts = write.constant(list(pads), "int32")
    if not fill:
        return write.op("PAD", [x, amounts], shape, like=x)
    return write.op("PADV2", [x, amounts, write.scalar(x, fill)], shape, like=x)


def cropped(
    write: TflWriter, x: Tensor, starts: Sequence[int], sizes: Sequence[int], steps: Sequence[int]
) -> Tensor:
    """`sizes[k]` elements of each dimension from `starts[k]` on, `steps[k]` apart; size -1 means all that remain."""
    if not any(starts) and tuple(sizes) == x.shape and all(step == 1 for step in steps):
        return x
    ends = [
        0 if size < 0 else start + (size - 1) * step + (1 if step > 0 else -1)
        for start, size, step in zip(starts, sizes, steps, strict=True)
    ]
    open_end = [size < 0 or end < 0 for size, end in zip(sizes, ends, strict=True)]
    mask = sum(1 << k for k, is_open in enumerate(open_end) if is_open)
    limits = [write.integers(numbers) for numbers in (starts, ends, steps)]
    return write.op("STRIDED_SLICE", [x, *limits], sizes, like=x, end_mask=mask)


def gathered(write: TflWriter, x: Tensor, places: Sequence[int], axis: int) -> Tensor:
    """The elements at constant indices along an axis."""
    if list(places) == list(range(x.shape[axis])):
        return x
    shape = (*x.shape[:axis], len(places), *x.shape[axis + 1 :])
    return write.op("GATHER", [x, write.integers(places)], shape, like=x, axis=axis)


# --- of the model ---------------------------------------------------------------------------


@emits(nn.TransposeOp)
def transpose(write: TflWriter, op: nn.TransposeOp) -> None:
    """No data moves: `result[i]` is the input's dimension `order[i]`, in whatever order that lies."""
    view, rank = write.view(op.input), len(shape_of(op.input))
    order = write.numbers(op, op.order, "order") or list(reversed(range(rank)))
    write.values[op.result] = View(view.tensor, tuple(view.order[i] for i in order))


@emits(nn.ConcatOp)
def concat(write: TflWriter, op: nn.ConcatOp) -> None:
    rank = len(shape_of(op.result))
    order = common_order(write, list(op.inputs), rank)
    parts = [write.arranged(value, order) for value in op.inputs]
    parts = [part for part in parts if 0 not in part.shape] or parts[:1]
    axis = order.index(op.axis.value.data % rank)
    write.set(op.result, concatenated(write, parts, axis), order)


@emits(nn.SplitOp, nn.VariadicSplitOp)
def split(write: TflWriter, op: nn.SplitOp | nn.VariadicSplitOp) -> None:
    x, order = as_it_lies(write, op.input)
    (axis,) = write.numbers(op, op.axis, "axis")
    axis, count = order.index(axis % x.rank), len(op.results)
    shapes = [tuple(sizes_of(result)[i] for i in order) for result in op.results]
    place, results = write.constant(axis, "int32"), [x]
    if isinstance(op, nn.SplitOp) and count > 1:
        results = write.several("SPLIT", [place, x], shapes, num_splits=count)
    elif isinstance(op, nn.VariadicSplitOp) and count > 1:
        lengths = [shape[axis] for shape in shapes]
        if UNKNOWN in lengths:
            lengths = write.numbers(op, op.split_lengths, "split_lengths")
        kept = [i for i, length in enumerate(lengths) if length]
        if any(op.results[i].first_use for i in range(count) if i not in kept):
            raise refuse(op, "it has an empty part; remove what uses it")
        operands = [x, write.integers([lengths[i] for i in kept]), place]
        parts = [shapes[i] for i in kept]
        given = write.several("SPLIT_V", operands, parts, num_splits=len(kept))
        for i, result in zip(kept, given, strict=True):
            write.set(op.results[i], result, order)
        return
    for value, result in zip(op.results, results, strict=True):
        write.set(value, result, order)


@emits(nn.SliceOp)
def slice_(write: TflWriter, op: nn.SliceOp) -> None:
    rank = len(shape_of(op.input))
    axes = [axis % rank for axis in write.numbers(op, op.axes, "axes")]
    if write.known(op.start) is None or write.known(op.stop) is None:
        raise refuse(
            op,
            "its limits are computed; take a constant number of elements at computed places instead "
            "(nn.gather; in TensorFlow tf.slice, or tf.gather of begin + tf.range(count))",
        )
    start, stop, step = (
        write.numbers(op, value, name)
        for value, name in ((op.start, "start"), (op.stop, "stop"), (op.step, "step"))
    )
    places: list[slice] = [slice(None)] * rank
    for axis, first, last, by in zip(axes, start, stop, step, strict=True):
        size = shape_of(op.input)[axis]
        unknown = size == DYNAMIC_INDEX
        places[axis] = slice(first, last, by) if unknown else op.part(first, last, by, size)
    taken(write, op, op.input, places, op.results[0])


def taken(
    write: TflWriter,
    op: Operation,
    value: SSAValue,
    places: Sequence[slice],
    result: SSAValue | None,
) -> Tensor:
    """The elements that Python's slices select in each dimension; also sets `result`."""
    (x, order), shape = as_it_lies(write, value), shape_of(value)
    starts, sizes, steps = [0] * len(places), [0] * len(places), [1] * len(places)
    for k, axis in enumerate(order):
        place = places[axis]
        if shape[axis] != DYNAMIC_INDEX:
            first, last, step = place.indices(shape[axis])
            starts[k], sizes[k], steps[k] = first, len(range(first, last, step)), step
        elif place == slice(None):
            sizes[k] = UNKNOWN
        else:
            return _taken_of_unknown(write, op, x, [places[i] for i in order], order, result)
    if 0 in sizes:
        raise refuse(op, "its result is empty; remove what uses it")
    found = cropped(write, x, starts, sizes, steps)
    if result is not None:
        write.set(result, found, order)
    return found


def _taken_of_unknown(
    write: TflWriter,
    op: Operation,
    x: Tensor,
    places: Sequence[slice],
    order: tuple[int, ...],
    result: SSAValue | None,
) -> Tensor:
    """LiteRT clamps limits itself, so sizes need not be known."""
    limit = np.iinfo(np.int32)
    begin_mask = sum(1 << k for k, place in enumerate(places) if place.start is None)
    end_mask = sum(1 << k for k, place in enumerate(places) if place.stop is None)
    limits = [
        write.integers([min(max(n or 0, limit.min), limit.max) for n in numbers])
        for numbers in zip(*((place.start, place.stop) for place in places), strict=True)
    ]
    steps = write.integers([place.step or 1 for place in places])
    sizes = [
        UNKNOWN if size < 0 else len(range(*place.indices(size)))
        for size, place in zip(x.shape, places, strict=True)
    ]
    operands = [x, *limits, steps]
    found = write.op(
        "STRIDED_SLICE", operands, sizes, like=x, begin_mask=begin_mask, end_mask=end_mask
    )
    if result is not None:
        write.set(result, found, order)
    return found


@emits(nn.TileOp)
def tile(write: TflWriter, op: nn.TileOp) -> None:
    counts = write.numbers(op, op.repeats, "repeats")
    sizes = sizes_of(op.input)
    rank = max(len(counts), len(sizes))
    if 0 in counts:
        raise refuse(op, "its result is empty; remove what uses it")
    x = write.reshaped(write.plain(op.input), (*[1] * (rank - len(sizes)), *sizes))
    counts = [*[1] * (rank - len(counts)), *counts]
    if rank == 0 or all(count == 1 for count in counts):
        write.set(op.result, x)
        return
    repeats = write.integers(counts)
    write.set(op.result, write.op("TILE", [x, repeats], sizes_of(op.result), like=x))


@emits(nn.PadOp)
def pad(write: TflWriter, op: nn.PadOp) -> None:
    begin = write.numbers(op, op.pads_begin, "pads_begin")
    end = write.numbers(op, op.pads_end, "pads_end")
    rank, mode = len(begin), op.pad_mode.data
    x, order = as_it_lies(write, op.input)
    pads = [(begin[i], end[i]) for i in order]
    more = [(max(first, 0), max(last, 0)) for first, last in pads]
    if mode == "constant":
        result = _constant_pad(write, op, x, more)
    elif mode == "edge":
        result = _edge(write, op, x, more)
    else:
        result = _mirrored(write, x, more, reflect=mode == "reflect")
    if any(n < 0 for pair in pads for n in pair):
        sizes = [sizes_of(op.result)[i] for i in order]
        if UNKNOWN in sizes or 0 in sizes:
            raise refuse(op, "negative padding needs known sizes and has to leave something")
        result = cropped(write, result, [max(-first, 0) for first, _ in pads], sizes, [1] * rank)
    write.set(op.result, result, order)


def _constant_pad(
    write: TflWriter, op: nn.PadOp, x: Tensor, pads: Sequence[tuple[int, int]]
) -> Tensor:
    if op.pad_value is None:
        return with_pads(write, x, pads)
    if (fill := write.known(op.pad_value)) is None:
        raise refuse(op, "its pad_value must be constant; fold or fix it first")
    return with_pads(write, x, pads, fill.reshape(-1)[0].item())


def _edge(write: TflWriter, op: nn.PadOp, x: Tensor, pads: Sequence[tuple[int, int]]) -> Tensor:
    for axis, (first, last) in enumerate(pads):
        if not (first or last):
            continue
        if (size := x.shape[axis]) == UNKNOWN:
            raise refuse_unknown(op, "mode 'edge' needs known sizes")
        places = [0] * first + list(range(size)) + [size - 1] * last
        x = gathered(write, x, places, axis)
    return x


def _mirrored(
    write: TflWriter, x: Tensor, pads: Sequence[tuple[int, int]], reflect: bool
) -> Tensor:
    if not any(begin or end for begin, end in pads):
        return x
    shape = [n if n < 0 else n + a + b for n, (a, b) in zip(x.shape, pads, strict=True)]
    amounts = write.constant(list(pads), "int32")
    return write.op(
        "MIRROR_PAD", [x, amounts], shape, like=x, mode="REFLECT" if reflect else "SYMMETRIC"
    )


@emits(nn.ReverseSequenceOp)
def reverse_sequence(write: TflWriter, op: nn.ReverseSequenceOp) -> None:
    x, rank = write.plain(op.input), len(shape_of(op.input))
    batch, along = op.batch_axis.value.data % rank, op.seq_axis.value.data % rank
    lengths = write.known(op.seq_lengths)
    if lengths is not None and (lengths == x.shape[along]).all():
        reversed_ = write.op("REVERSE_V2", [x, write.integers([along])], x.shape, like=x)
        write.set(op.result, reversed_)
        return
    counts = write.cast(write.plain(op.seq_lengths), "int32")
    operands = [x, counts]
    found = write.op("REVERSE_SEQUENCE", operands, x.shape, like=x, batch_dim=batch, seq_dim=along)
    write.set(op.result, found)
