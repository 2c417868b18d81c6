"""Counters in the condition of a loop, and lengths in its trip count."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import IntAttr, TensorType, i1
from xdsl.ir import SSAValue
from xdsl.rewriter import InsertPoint

from ...dialects import infra, nn
from ...dialects.blob import BlobAttr
from ...dialects.inferred import constant_integers, shape_of, tensor
from ...dialects.nn.writer import Writer
from ..infer_shapes import KnownIntegers
from .loop import Loop, both, conjuncts, is_equal, scalar
from .places import Places, step_of

NO_LIMIT = -1
"""The trip count of a loop that its condition or its slices end."""

COMPARISONS: dict[type[nn.ComparisonOp], tuple[bool, int]] = {
    nn.LessOp: (False, 0),
    nn.LessEqualOp: (False, 1),
    nn.GreaterOp: (True, 0),
    nn.GreaterEqualOp: (True, 1),
}
"""Whether the limit comes first, and how many counts more than their difference happen."""


Count = int | SSAValue
"""How many iterations follow: a number, or an i64 in front of the loop."""


@dataclass(frozen=True)
class CounterLimit:
    """The loop goes on while a counter, `step` more than `start` after an iteration, is less than `value + more`."""

    start: Count
    step: int
    value: SSAValue
    more: int


def fold_trip_count(loop: Loop) -> bool:
    """A trip count that shapes and constants determine is a constant."""
    given = loop.op.trip_count
    if isinstance(given.owner, nn.ConstantOp) or (known := KnownIntegers()(given)) is None:
        return False
    loop.op.operands[0] = loop.outside.integer(known[0])
    return True


def raise_trip_count(loop: Loop) -> bool:
    """
    While `counter < limit`, and whatever else holds, is at most `⌈(limit - start) / step⌉` iterations, for a counter
    that is `step` more after each and a limit that stays. A loop that does not compare them before the first iteration
    has that one anyway.
    """
    if loop.op.condition is None:
        return False
    first = constant_integers(loop.op.trip_count)
    if first is None:
        return loop.stays("trip count", "another one is known only when the loop runs")
    known = KnownIntegers()
    before = [each for each in conjuncts(loop.op.execution_condition) if known(each) != [1]]
    counts, tested, rest = _counts(loop, before)
    if not counts:
        return loop.stays(
            "condition",
            "it compares no counter, which is as much more at each step, with what stays",
        )
    if not all(isinstance(count, int) for count in counts) and not _merge_last_values(loop):
        return loop.stays("condition", "a last value of unknown shape would have no first one")
    given = [] if first[0] < 0 else [first[0]]
    always = loop.outside.constant(BlobAttr.of(TensorType(i1, []), [1]))
    loop.op.operands[0] = _least(loop.outside, [*given, *counts])
    untested = [each for each in before if each not in tested]
    loop.op.operands[1] = both(loop.outside, untested) or always
    last = loop.body.last_op
    assert last is not None
    loop.test(both(Writer(InsertPoint.before(last)), rest))
    return True


def _counts(
    loop: Loop, before: Sequence[SSAValue]
) -> tuple[list[Count], list[SSAValue], list[SSAValue]]:
    """
    The counts that parts of the loop's condition stand for, the conditions of the first iteration that these counts
    test, too, and the parts that stand for none.
    """
    counts: list[Count] = []
    tested: list[SSAValue] = []
    rest: list[SSAValue] = []
    for leaf in () if loop.op.condition is None else conjuncts(loop.op.condition):
        mirrored = [each for each in before if loop.mirrors(leaf, each)]
        count = _count(loop, leaf, least=0 if mirrored else 1)
        if count is None:
            rest.append(leaf)
        else:
            counts.append(count)
            tested += mirrored
    return counts, tested, rest


def _merge_last_values(loop: Loop) -> bool:
    """
    A computed trip count does not say that a loop runs. Where constants do, last values that no input is merged with
    get zeros as the first ones, which nothing reads; the others stay without. False where a shape is unknown.
    """
    if not loop.op.runs():
        return True
    merged = {port.result.data for port in loop.op.inputs if isinstance(port, infra.MergedAttr)}
    last = {port.result.data for port in loop.op.outputs if isinstance(port, infra.IterationAttr)}
    types = {slot: tensor(loop.op.yielded[slot]) for slot in sorted(last - merged)}
    if not all(type.has_static_shape() for type in types.values()):
        return False
    for slot, type in types.items():
        zeros = loop.outside.constant(BlobAttr.of(type, 0))
        loop.add_input(zeros, infra.MergedAttr(IntAttr(slot)), type)
    return True


def _count(loop: Loop, leaf: SSAValue, least: int) -> Count | None:
    """How many iterations, `least` or more, a part of the condition lets happen; None where it limits no counter."""
    limit = _limit(loop, leaf)
    if limit is None:
        return None
    start, end = limit.start, loop.outer(limit.value)
    first = [start] if isinstance(start, int) else KnownIntegers()(start)
    last = KnownIntegers()(end)
    if first is not None and last is not None:
        return max(-((first[0] - last[0] - limit.more) // limit.step), least)
    if limit.step != 1:
        loop.stays("condition", f"its limit is unknown, and counted to in steps of {limit.step}")
        return None
    write = loop.outside
    count = scalar(write, end)
    if first is None or first[0]:
        given = write.scalar_like(count, start) if isinstance(start, int) else scalar(write, start)
        count = write(nn.SubtractOp, count, given)
    if limit.more:
        count = write(nn.AddOp, count, write.scalar_like(count, limit.more))
    return write(nn.MaximumOp, count, write.scalar_like(count, least)) if least else count


def _limit(loop: Loop, leaf: SSAValue) -> CounterLimit | None:
    op = leaf.owner
    if not isinstance(op, nn.ComparisonOp) or type(op) not in COMPARISONS:
        return None
    is_swapped, more = COMPARISONS[type(op)]
    counter, limit = op.operands[::-1] if is_swapped else op.operands
    if shape_of(limit) not in ((), (1,)) or not loop.is_outer(limit):
        return None
    for each in loop.carried():
        if each.after is counter and (step := step_of(each)) is not None and step > 0:
            return CounterLimit(each.start, step, limit, more)
    places = Places.of(loop, counter)
    if places is None or places.slope.size != 1 or (step := int(places.slope.item())) <= 0:
        return None
    return CounterLimit(int(places.first.item()) - step, step, limit, more)


def _least(write: Writer, counts: Sequence[Count]) -> SSAValue:
    """The smallest of several trip counts, at least 0."""
    known = [count for count in counts if isinstance(count, int)]
    different: list[SSAValue] = []
    for count in counts:
        if not isinstance(count, int) and not any(is_equal(count, each) for each in different):
            different.append(count)
    if known and (not different or min(known) <= 0):
        return write.integer(min(known))
    result = different[0]
    for each in different[1:]:
        result = write(nn.MinimumOp, result, each)
    if known:
        result = write(nn.MinimumOp, result, write.scalar_like(result, min(known)))
    return write(nn.MaximumOp, result, write.scalar_like(result, 0))


# --- lengths ----------------------------------------------------------------------------------------


def counts_of(trip_count: SSAValue) -> list[SSAValue]:
    """The counts of which a trip count is the smallest, at least 0."""
    op = trip_count.owner
    if isinstance(op, nn.MaximumOp) and constant_integers(op.rhs) == [0]:
        return counts_of(op.lhs)
    if isinstance(op, nn.MinimumOp):
        return [count for side in op.operands for count in counts_of(side)]
    return [trip_count]


def is_length(count: SSAValue, value: SSAValue, axis: int) -> bool:
    """Whether this is how many elements a value has along an axis."""
    while isinstance(
        op := count.owner, nn.ConvertOp | nn.SqueezeOp | nn.ReshapeOp | nn.ReduceMaxOp
    ):
        count = op.operands[0]
    size = shape_of(value)[axis]
    if size >= 0:
        return KnownIntegers()(count) == [size]
    if not isinstance(op, nn.StridedSliceOp | nn.SliceOp | nn.GatherOp):
        return False
    sizes, where = op.operands[0], constant_integers(op.operands[1])
    while isinstance(sizes.owner, nn.ConvertOp):
        sizes = sizes.owner.input
    if where is None or list(where) != [axis] or shape_of(op.results[0]) not in ((), (1,)):
        return False
    return isinstance(sizes.owner, nn.ShapeOfOp) and sizes.owner.input is value


def drop_lengths(loop: Loop) -> bool:
    """A trip count that is the number of parts of a sliced operand is no limit: the parts end the loop."""
    if constant_integers(loop.op.trip_count) is not None:
        return False
    sliced = [
        (operand, port.axis.data)
        for operand, port in zip(loop.op.operands_, loop.op.inputs, strict=True)
        if isinstance(port, infra.SlicedAttr) and (port.start.data, port.stride.data) == (0, 1)
    ]
    counts = counts_of(loop.op.trip_count)
    rest = [each for each in counts if not any(is_length(each, *part) for part in sliced)]
    if len(rest) == len(counts):
        return False
    limit = loop.outside.integer(NO_LIMIT)
    loop.op.operands[0] = _least(loop.outside, rest) if rest else limit
    return True
