"""
Data movement along dynamic dimensions: a gather finds the elements in the value at its largest size.

    f(slice(x, 0, n)) = slice(gather(x, indices), 0, m)      with indices and m computed of n
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType, i64
from xdsl.ir import Operation, SSAValue
from xdsl.utils.exceptions import DiagnosticException

from ...dialects import nn
from ...dialects.blob import BlobAttr
from ...dialects.inferred import constant_integers, label, normalize_axis, shape_of, tensor
from ...dialects.nn.writer import Writer
from ...passes.shapes.computed_integers import Size, source
from ...passes.shapes.sum_of_sizes import Sum
from .appended import names_only_row, refuse_other_rows
from .bounded import Bounded, is_same, masked, refusal, same
from .interval_analysis import IntervalAnalysis


def concat(write: Writer, op: nn.ConcatOp, given: Sequence[Bounded]) -> Bounded | None:
    """Parts of dynamic size one after the other: each is written behind what there is of those before it."""
    axis = normalize_axis(op, op.axis.value.data, len(shape_of(op.result)))
    if not any(axis in each.sizes for each in given):
        return None
    others = [{d: size for d, size in each.sizes.items() if d != axis} for each in given]
    if any(not same(each, others[0]) for each in others):
        raise refusal(op)
    if len(given) >= MANY:
        joined = _compacted(write, given, axis)
        return Bounded(joined.value, others[0] | joined.sizes)
    value, size = given[0].value, size_of(write, given[0], axis)
    for each in given[1:]:
        count = shape_of(each.value)[axis]
        if isinstance(size, int):
            value = write(nn.ConcatOp, value, each.value, axis=axis)
        else:
            most = int(min(IntervalAnalysis().of(size).high, shape_of(value)[axis]))
            value = _with_room(write, value, axis, most + count)
            places = write(nn.AddOp, _numbers(write, count), size)
            value = write(nn.ScatterUpdateOp, value, places, each.value, write.integer(axis))
        size = _plus(write, size, size_of(write, each, axis))
    assert isinstance(size, SSAValue)
    return Bounded(value, others[0] | {axis: size})


MANY = 5
"""Parts that are moved at once, not one after the other, which takes some operations for each of them."""


def _compacted(write: Writer, given: Sequence[Bounded], axis: int) -> Bounded:
    """All that the parts have room for is put together; what there is of each moves behind that of those before it."""
    rooms = [shape_of(each.value)[axis] for each in given]
    sizes = [size_of(write, each, axis) for each in given]
    counts = write.joined([_listed(write, size) for size in sizes], 0)
    starts = write(nn.CumSumOp, counts, write.integer(0), exclusive=True, reverse=False)
    part = write.integers(*(i for i, room in enumerate(rooms) for _ in range(room)))
    number = write.integers(*(i for room in rooms for i in range(room)))
    start, count = (take(write, each, part, 0) for each in (starts, counts))
    most = sum(
        int(min(IntervalAnalysis().of_sum(Sum.of(size)).high, room))
        for size, room in zip(sizes, rooms, strict=True)
    )
    place = write(nn.AddOp, start, number)
    is_there = write(nn.LessOp, number, count)
    place = write(nn.SelectOp, is_there, place, write.scalar_like(place, most))
    joined = write(nn.ConcatOp, *(each.value for each in given), axis=axis)
    shape = [most if d == axis else size for d, size in enumerate(shape_of(joined))]
    zeros = write.constant(BlobAttr.of(TensorType(tensor(joined).element_type, shape), 0))
    value = write(nn.ScatterUpdateOp, zeros, place, joined, write.integer(axis))
    total = write(nn.ReduceSumOp, counts, write.integers(0), keep_dims=True)
    return Bounded(value, {axis: total})


def _listed(write: Writer, size: Size) -> SSAValue:
    """A size as a vector of one integer."""
    return write.integers(size) if isinstance(size, int) else write.reshaped(size, (1,))


def _with_room(write: Writer, value: SSAValue, axis: int, most: int) -> SSAValue:
    """The same elements in a dimension of size `most`: with those that they were cut from, or zeros, behind them."""
    if isinstance(cut := value.owner, nn.SliceOp) and shape_of(cut.input)[axis] >= most:
        limits = [constant_integers(each) for each in (cut.start, cut.step, cut.axes)]
        if limits == [[0], [1], [axis]]:
            return cut.input
    shape = shape_of(value)
    if (missing := most - shape[axis]) <= 0:
        return value
    begins, ends = [0] * len(shape), [missing * (d == axis) for d in range(len(shape))]
    sides = (write.integers(*side) for side in (begins, ends))
    return write(nn.PadOp, value, *sides, write.scalar_like(value, 0), pad_mode="constant")


def slices(write: Writer, op: nn.SliceOp, given: Sequence[Bounded]) -> Bounded | None:
    """Limits that are computed, or along a dynamic dimension, in steps forward."""
    data, rank = given[0], len(shape_of(op.input))
    start, stop, step, axes = map(constant_integers, op.operands[1:])
    if axes is None or any(each.sizes for each in given[1:]):
        raise refusal(op)
    axes = [normalize_axis(op, axis, rank) for axis in axes]
    for place, axis in enumerate(axes):
        is_known = axis not in data.sizes and start is not None and stop is not None
        if step is None or (not is_known and step[place] < 1):
            raise refusal(op)
        if is_known:
            limits = (write.integers(each[place]) for each in (start, stop, step) if each)
            part = write(nn.SliceOp, data.value, *limits, write.integers(axis))
            data = Bounded(part, data.sizes)
        else:
            first, last = (_limit(write, each, place) for each in (op.start, op.stop))
            data = _cut(write, data, axis, first, last, step[place])
    return data


def pad(write: Writer, op: nn.PadOp, given: Sequence[Bounded]) -> Bounded:
    """By computed numbers of elements, or after a dynamic dimension, which may so become a known one."""
    data, value = given[0], given[3].value if len(given) > 3 else None
    if op.pad_mode.data != "constant" or any(each.sizes for each in given[1:]):
        raise refusal(op)
    if value is None:
        value = write.scalar_like(data.value, 0)
    operands = (op.pads_begin, op.pads_end)
    rank = len(shape_of(data.value))
    begins, ends = ([source(each, axis) for axis in range(rank)] for each in operands)
    known = [_known_pads(data, axis, begins[axis], ends[axis]) for axis in range(rank)]
    if any(map(any, known)):
        sides = (write.integers(*side) for side in zip(*known, strict=True))
        data = Bounded(write(nn.PadOp, data.value, *sides, value, pad_mode="constant"), data.sizes)
    for axis, (begin, end) in enumerate(zip(begins, ends, strict=True)):
        if begin is None or end is None:
            raise refusal(op)
        if (begin, end) not in ((0, 0), known[axis]):
            data = _padded(write, op, data, axis, begin, end, value)
    return data


def _known_pads(data: Bounded, axis: int, begin: Size | None, end: Size | None) -> tuple[int, int]:
    """The padding of a dimension of known size, if it is known, too."""
    if axis in data.sizes or not isinstance(begin, int) or not isinstance(end, int):
        return 0, 0
    return begin, end


def _padded(
    write: Writer, op: nn.PadOp, data: Bounded, axis: int, begin: Size, end: Size, value: SSAValue
) -> Bounded:
    """Element `i` is number `i - begin` of the data, if that exists, else the value."""
    size, shape = size_of(write, data, axis), list(shape_of(data.value))
    total = Sum.of(size).plus(Sum.of(begin), 1).plus(Sum.of(end), 1)
    most = largest(op, total)
    begin, end = (each if isinstance(each, int) else wide(write, each) for each in (begin, end))
    number = write(nn.SubtractOp, _numbers(write, most), begin)
    exists = write(nn.LessOp, number, size)
    if isinstance(begin, SSAValue) or begin:
        exists = write(nn.LogicalAndOp, exists, write(nn.GreaterEqualOp, number, 0))
    inside = write.clamp(number, 0, shape[axis])
    exists = write.reshaped(exists, [most if d == axis else 1 for d in range(len(shape))])
    result = write(nn.SelectOp, exists, take(write, data.value, inside, axis), value)
    sizes = {d: each for d, each in data.sizes.items() if d != axis}
    if total.terms:
        known = _plus(write, _plus(write, size, begin), end)
        assert isinstance(known, SSAValue)
        sizes[axis] = write(nn.MaximumOp, known, 0)
    return Bounded(result, sizes)


def largest(op: Operation, total: Sum) -> int:
    """The most that a dynamic size may be. Raises DiagnosticException where nothing bounds it."""
    most = IntervalAnalysis().of_sum(total).high
    if most > LARGEST:
        raise DiagnosticException(
            f"{label(op)}: nothing bounds the size of its result, which only the run can tell; let the model limit it, "
            "as by the minimum of it and a constant"
        )
    return max(int(most), 0)


LARGEST = 1 << 24
"""Sizes beyond this are not taken for bounds."""


def _cut(
    write: Writer, data: Bounded, axis: int, start: Size, stop: Size, step: int = 1
) -> Bounded:
    """Elements `start` to `stop` along an axis, in steps forward."""
    if step > 1:
        return _every(write, _cut(write, data, axis, start, stop), axis, step)
    most, size = shape_of(data.value)[axis], size_of(write, data, axis)
    value = data.value
    if start == 0 and isinstance(stop, int) and 0 <= stop < most:
        value = write.slice(value, 0, stop, axis)
    stop = _counted(write, stop, size, most)
    if start == 0:
        if (high := IntervalAnalysis().of(stop).high) < shape_of(value)[axis]:
            value = write.slice(value, 0, int(high), axis)
        return Bounded(value, data.sizes | {axis: stop})
    first = _counted(write, start, size, most)
    count = Sum.of(stop).plus(Sum.of(first), -1)
    if not count.terms:
        places = write(nn.AddOp, _numbers(write, max(count.constant, 0)), first)
        sizes = {d: each for d, each in data.sizes.items() if d != axis}
        return Bounded(take(write, value, places, axis), sizes)
    some = IntervalAnalysis().of_sum(count)
    places = _numbers(write, int(max(min(most, some.high), 0)))
    value = take(write, value, write(nn.AddOp, places, first), axis)
    size = write(nn.SubtractOp, stop, first)
    size = size if some.low >= 0 else write(nn.MaximumOp, size, 0)
    return Bounded(value, data.sizes | {axis: size})


def _every(write: Writer, data: Bounded, axis: int, step: int) -> Bounded:
    """Every `step`-th element along an axis, beginning with the first."""
    most = shape_of(data.value)[axis]
    limits = (write.integers(each) for each in (0, most, step, axis))
    value = write(nn.SliceOp, data.value, *limits)
    if (size := data.sizes.get(axis)) is None:
        return Bounded(value, data.sizes)
    count = write(nn.DivideOp, write(nn.AddOp, size, step - 1), write.scalar_like(size, step))
    return Bounded(value, data.sizes | {axis: count})


def _limit(write: Writer, limits: SSAValue, place: int) -> Size:
    """The limit at a place: a constant, or computed."""
    if (known := constant_integers(limits)) is not None:
        return known[place]
    if shape_of(limits) != (1,):
        limits = write.slice(limits, place, place + 1, 0)
    return wide(write, limits)


def _counted(write: Writer, limit: Size, size: Size, most: int) -> SSAValue:
    """A limit counted from the start and within the dimension; it may count from the end, and lie beyond it."""
    if isinstance(limit, int):
        if limit >= most and isinstance(size, SSAValue):
            return size
        if limit < 0 and isinstance(size, SSAValue):
            from_end = write(nn.AddOp, size, limit)
            if IntervalAnalysis().of_sum(Sum.of(from_end)).low >= 0:
                return from_end
        if isinstance(size, int):
            return write.integers(slice(limit).indices(most)[1])
        limit = write.integers(limit)
    known = IntervalAnalysis().of(limit)
    if known.low < 0:
        limit = from_start(write, limit, size)
    elif isinstance(size, int) and known.high <= size:
        return limit
    if isinstance(size, int):
        return write.clamp(limit, 0, most)
    beyond = Sum.of(limit).plus(Sum.of(size), -1)
    if known.low >= 0 and not beyond.terms and beyond.constant <= 0:
        return limit
    return write(nn.MaximumOp, write(nn.MinimumOp, limit, size), 0)


def gather(write: Writer, op: nn.GatherOp, given: Sequence[Bounded]) -> Bounded | None:
    """Along a dynamic dimension: indices count from its end, and lie beyond it, too."""
    data, indices, _ = given
    (axis,) = constant_integers(op.axis) or (0,)
    axis = normalize_axis(op, axis, len(shape_of(op.input)))
    if names_only_row(op, data.value, axis):
        refuse_other_rows(write, indices.value)
        return data
    if axis not in data.sizes or op.batch_dims.value.data:
        return None
    size, most = size_of(write, data, axis), shape_of(data.value)[axis]
    assert isinstance(size, SSAValue)
    places = _inside(write, wide(write, indices.value), size, most)
    more = len(shape_of(op.indices)) - 1
    sizes = {d + more * (d > axis): each for d, each in data.sizes.items() if d != axis}
    sizes |= {axis + d: each for d, each in indices.sizes.items()}
    return Bounded(take(write, data.value, places, axis), sizes)


def gather_elements(write: Writer, op: nn.GatherElementsOp, given: Sequence[Bounded]) -> Bounded:
    """Elements of unknown number, from among as many as there are."""
    data, indices = given
    axis = normalize_axis(op, op.axis.value.data, len(shape_of(op.input)))
    places = wide(write, indices.value)
    if isinstance(size := size_of(write, data, axis), SSAValue):
        places = _inside(write, places, size, shape_of(data.value)[axis])
    value = write(nn.GatherElementsOp, data.value, places, **op.properties)
    return Bounded(value, indices.sizes)


def _inside(write: Writer, places: SSAValue, size: SSAValue, most: int) -> SSAValue:
    return inside(write, places, write.reshaped(size, ()), write.scalar_like(places, most))


def inside(write: Writer, places: SSAValue, size: SSAValue, beyond: SSAValue) -> SSAValue:
    """Indices that count from the start of what is there, `beyond` where they lie outside."""
    places = from_start(write, places, size)
    there = write(
        nn.LogicalAndOp, write(nn.GreaterEqualOp, places, 0), write(nn.LessOp, places, size)
    )
    return write(nn.SelectOp, there, places, beyond)


def from_start(write: Writer, places: SSAValue, size: SSAValue | int) -> SSAValue:
    """Indices that all count from the start: those below 0 count from the end."""
    from_end = write(nn.AddOp, places, size)
    return write(nn.SelectOp, write(nn.LessOp, places, 0), from_end, places)


def scatter(write: Writer, op: nn.ScatterElementsUpdateOp, given: Sequence[Bounded]) -> Bounded:
    """Updates that are not there go to where nothing is; negative indices count from the end of what is there."""
    data, indices, updates, _ = given
    (axis,) = constant_integers(op.axis) or (0,)
    axis = normalize_axis(op, axis, len(shape_of(op.data)))
    if updates.sizes and not (same(updates.sizes, indices.sizes) or _are_cut_to_fit(op, indices)):
        raise refusal(op)
    slices = _named_slices(op, data, indices, axis)
    names, sizes = indices.value, indices.sizes
    if slices is not None:
        names, sizes = write.reshaped(slices, (shape_of(slices)[axis],)), {0: sizes[axis]}
    places, most = wide(write, names), shape_of(data.value)[axis]
    if axis in data.sizes:
        places = from_start(write, places, size_of(write, data, axis))
    for d, size in sizes.items():
        places = masked(write, places, d, size, most)
    operands = (data.value, places, updates.value, op.axis)
    if slices is not None:
        return Bounded(write(nn.ScatterUpdateOp, *operands), data.sizes)
    value = write(nn.ScatterElementsUpdateOp, *operands, **op.properties)
    return Bounded(value, data.sizes)


def _are_cut_to_fit(op: nn.ScatterElementsUpdateOp, indices: Bounded) -> bool:
    """Whether updates are the first ones, as many as there are indices, as PyTorch's scatter takes them."""
    cut, shape = op.updates.owner, shape_of(op.indices)
    if not isinstance(cut, nn.SliceOp):
        return False
    limits = [constant_integers(each) for each in (cut.start, cut.step, cut.axes)]
    return limits == [[0] * len(shape), [1] * len(shape), [*range(len(shape))]] and all(
        size is not None and _is_size(size, indices.sizes.get(d, known))
        for d, known in enumerate(shape)
        for size in (source(cut.stop, d),)
    )


def _is_size(left: Size, right: Size) -> bool:
    if isinstance(left, int) or isinstance(right, int):
        return left == right
    return is_same(_unconverted(left), _unconverted(right))


def _unconverted(value: SSAValue) -> SSAValue:
    while isinstance(op := value.owner, nn.ConvertOp):
        value = op.input
    return value


def _named_slices(
    op: nn.ScatterElementsUpdateOp, data: Bounded, indices: Bounded, axis: int
) -> SSAValue | None:
    """One index for each slice, where indices repeat it for all of a slice's elements."""
    repeated = _unconverted(indices.value).owner
    if not isinstance(repeated, nn.BroadcastOp) or op.reduction.data != "none":
        return None
    shape, slices = shape_of(repeated.result), shape_of(repeated.input)
    whole = tuple(shape[axis] if d == axis else n for d, n in enumerate(shape_of(data.value)))
    single = tuple(n if d == axis else 1 for d, n in enumerate(shape))
    is_each = (shape, slices, indices.sizes.keys()) == (whole, single, {axis})
    return repeated.input if is_each else None


def reshape(write: Writer, op: nn.ReshapeOp, given: Sequence[Bounded]) -> Bounded | None:
    """
    A dynamic dimension, split or put together with others: element `i` of those that are there is looked up
    where it lies among all.
    """
    (data, shape), result = given, _known_sizes(op, given[0])
    if not data.sizes and not shape.sizes and result.count(DYNAMIC_INDEX) < 2:
        rest = prod(size for size in result if size != DYNAMIC_INDEX)
        whole = prod(shape_of(data.value))
        known = [whole // max(rest, 1) if size == DYNAMIC_INDEX else size for size in result]
        return Bounded(write.reshaped(data.value, known), {})
    if len(data.sizes) > 1 and not shape.sizes:
        return _merged(write, op, data, result)
    if shape.sizes or len(data.sizes) != 1 or result.count(DYNAMIC_INDEX) != 1:
        raise refusal(op)
    ((axis, _),) = data.sizes.items()
    size, before, at = size_of(write, data, axis), shape_of(data.value), result.index(DYNAMIC_INDEX)
    ahead, behind, most = prod(before[:axis]), prod(before[axis + 1 :]), before[axis]
    first, inner = prod(result[:at]), prod(result[at + 1 :])
    if not first * inner:
        raise refusal(op)
    largest = ahead * most * behind // (first * inner)
    target = [*result[:at], largest, *result[at + 1 :]]
    count = write(nn.DivideOp, write(nn.MultiplyOp, size, ahead * behind), first * inner)
    if (ahead, behind) == (first, inner):
        return Bounded(write.reshaped(data.value, target), {at: data.sizes[axis]})
    flat = write.reshaped(data.value, [prod(before)])
    if (ahead, first) == (1, 1):  # what is there comes first, before and after
        flat = write.slice(flat, 0, prod(target), 0)
        return Bounded(write.reshaped(flat, target), {at: count})
    elements, line = range(prod(target)), largest * inner
    row = write.integers(*(element // line for element in elements))
    column = write.integers(*(element % line for element in elements))
    one = write(nn.MaximumOp, write(nn.MultiplyOp, size, behind), 1)
    number = write(nn.AddOp, write(nn.MultiplyOp, row, write(nn.MultiplyOp, count, inner)), column)
    lines = write(nn.MultiplyOp, write(nn.DivideOp, number, one), most * behind)
    places = write(nn.AddOp, lines, write(nn.FloorModOp, number, one))
    return Bounded(write.reshaped(take(write, flat, places, 0), target), {at: count})


def _merged(write: Writer, op: nn.ReshapeOp, data: Bounded, result: list[int]) -> Bounded:
    """Several dimensions, of which some are dynamic, as the last one: rows of rows are looked up."""
    before, first = shape_of(data.value), min(data.sizes)
    if result != [*before[:first], DYNAMIC_INDEX]:
        raise refusal(op)
    whole = prod(before[first:])
    number, stride = _numbers(write, whole), 1
    places, count = write.integers(0), write.integers(1)
    for axis in reversed(range(first, len(before))):
        size, coordinate = size_of(write, data, axis), number
        count = write(nn.MultiplyOp, count, size)
        if axis > first:
            some = write(nn.MaximumOp, size, 1) if isinstance(size, SSAValue) else size
            coordinate = write(nn.FloorModOp, number, some)
            number = write(nn.DivideOp, number, some)
        places = write(nn.AddOp, places, write(nn.MultiplyOp, coordinate, stride))
        stride *= before[axis]
    flat = write.reshaped(data.value, [*before[:first], whole])
    return Bounded(take(write, flat, places, first), {first: count})


def _known_sizes(op: nn.ReshapeOp, data: Bounded) -> list[int]:
    """The sizes of the result, with those that are computed but known, and the rest beside the size of the data."""
    sizes = list(shape_of(op.result))
    wanted = [source(op.shape, d) for d in range(len(sizes))]
    for d, size in enumerate(wanted):
        if isinstance(size, int) and size > 0:
            sizes[d] = size
    given = [size for size in wanted if isinstance(size, SSAValue)]
    if -1 in wanted and len(given) == 1 and len(data.sizes) == 1:
        ((axis, size),) = data.sizes.items()
        before = shape_of(data.value)
        whole = Sum(0).plus(Sum.of(size), prod(before) // before[axis])
        if (rest := whole.over(Sum.of(given[0]))) is not None:
            sizes[wanted.index(-1)] = rest // prod(each for each in sizes if each > 0)
    return sizes


# --- sizes and places -------------------------------------------------------------------------------


def wide(write: Writer, value: SSAValue) -> SSAValue:
    """Integers as those of 64 bits."""
    return write.converted(value, i64)


def size_of(write: Writer, data: Bounded, axis: int) -> Size:
    return wide(write, data.sizes[axis]) if axis in data.sizes else shape_of(data.value)[axis]


def _plus(write: Writer, left: Size, right: Size) -> Size:
    if isinstance(left, int) and isinstance(right, int):
        return left + right
    return write(nn.AddOp, left, right)


def _numbers(write: Writer, count: int) -> SSAValue:
    return write.constant(BlobAttr.of(TensorType(i64, [count]), range(count)))


def take(write: Writer, value: SSAValue, places: SSAValue, axis: int) -> SSAValue:
    """The elements at places along an axis; beyond the end there are zeros."""
    return write(nn.GatherOp, value, places, write.integer(axis), batch_dims=0)
