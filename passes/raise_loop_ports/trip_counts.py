"""Counters in the condition of a loop, and lengths in its trip count."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import TensorType, i1
from xdsl.ir import SSAValue
from xdsl.rewriter import InsertPoint

from ...dialects import infra, nn
from ...dialects.blob import BlobAttr
from ...dialects.inferred import constant_integers, shape_of
from ...dialects.nn.writer import Writer
from ..infer_shapes import KnownIntegers
from .loop import Carried, Loop, both, conjuncts, is_equal, scalar
from .places import step_of

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
    """The loop goes on while a counter, `step` more after each iteration, is less than `value + more`."""

    counter: Carried
    step: int
    value: SSAValue
    more: int


def raise_trip_count(loop: Loop) -> bool:
    """
    While `counter < limit`, and whatever else holds, is at most `⌈(limit - start) / step⌉` iterations, for a counter
    that is `step` more after each and a limit that stays.
    """
    if loop.op.condition is None:
        return False
    leaves = conjuncts(loop.op.condition)
    first = constant_integers(loop.op.trip_count)
    if first is None:
        return loop.stays("trip count", "another one is known only when the loop runs")
    counts = [_count(loop, leaf) for leaf in leaves]
    raised = [leaf for leaf, count in zip(leaves, counts, strict=True) if count is not None]
    if not raised:
        return loop.stays(
            "condition",
            "it compares no counter, which is as much more at each step, with what stays",
        )
    given = [] if first[0] < 0 else [first[0]]
    rest = [leaf for leaf in leaves if leaf not in raised]
    before = [
        leaf
        for leaf in conjuncts(loop.op.execution_condition)
        if not any(loop.mirrors(each, leaf) for each in raised)
    ]
    limits = [*given, *(count for count in counts if count is not None)]
    always = loop.outside.constant(BlobAttr.of(TensorType(i1, []), [1]))
    loop.op.operands[0] = _least(loop.outside, limits)
    loop.op.operands[1] = both(loop.outside, before) or always
    last = loop.body.last_op
    assert last is not None
    loop.test(both(Writer(InsertPoint.before(last)), rest))
    return True


def _count(loop: Loop, leaf: SSAValue) -> Count | None:
    """How many iterations a part of the condition lets happen; None where it is no limit of a counter."""
    limit = _limit(loop, leaf)
    if limit is None:
        return None
    start, end = limit.counter.start, loop.outer(limit.value)
    known = [KnownIntegers()(each) for each in (start, end)]
    if known[0] is not None and known[1] is not None:
        count = -((known[0][0] - known[1][0] - limit.more) // limit.step)
        return max(count, 0)
    if limit.step != 1:
        loop.stays("condition", f"its limit is unknown, and counted to in steps of {limit.step}")
        return None
    write = loop.outside
    count = scalar(write, end)
    if known[0] is None or known[0][0]:
        count = write(nn.SubtractOp, count, scalar(write, start))
    if limit.more:
        count = write(nn.AddOp, count, write.scalar_like(count, limit.more))
    return count


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
            return CounterLimit(each, step, limit, more)
    return None


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
