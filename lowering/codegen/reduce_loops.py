"""The loops of a reduction: what of its schedule decides machine code, and the numbers that do not."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import prod
from typing import Generic, TypeVar

from ..machine import Isa
from .elements import Operand
from .run_time import Number, known_or_later, later, later_unless_zero
from .schedule import MapSchedule
from .schedule.merging import merge_loops

N = TypeVar("N", covariant=True)
M = TypeVar("M")

MANY = 8
"""Iterations that several threads can divide evenly enough."""

UNROLLED = 16
"""Elements of a window that is read without a loop."""

INDEPENDENT_VECTORS = 4
"""Vectors of points that are reduced at once: enough to hide the latency of an addition."""


@dataclass(frozen=True)
class ReduceLoops(Generic[N]):
    """
    Loops over `outer` points, then over `wide` points of `vectors` beside each other, the `narrow` vectors left and the
    points of the `rest`. Along these an operand moves by its one of `lane_strides`, which decides how its elements are
    loaded. Then there are loops over the `window`, or all of it is `unrolled`; elements of x lie `steps` bytes apart.
    With several partial accumulators, all points are `outer` ones, and elements of the window's last dimension are
    beside each other instead: `strips` of as many, and `strip_rest`. `divided` is the loop that threads divide, if any;
    that over `wide` points is the last one.
    """

    outer: tuple[N, ...]
    outer_strides: tuple[tuple[N, ...], ...]
    vectors: int
    wide: N
    narrow: N
    rest: int
    lane_strides: tuple[int, ...]
    window: tuple[N, ...]
    unrolled: tuple[int, ...]
    steps: tuple[tuple[N, ...], ...]
    strips: N
    strip_rest: int
    divided: N | None

    def each(self, change: Callable[[N], M]) -> ReduceLoops[M]:
        """The same with other numbers."""
        return ReduceLoops(
            tuple(map(change, self.outer)),
            tuple(tuple(map(change, strides)) for strides in self.outer_strides),
            self.vectors,
            change(self.wide),
            change(self.narrow),
            self.rest,
            self.lane_strides,
            tuple(map(change, self.window)),
            self.unrolled,
            tuple(tuple(map(change, steps)) for steps in self.steps),
            change(self.strips),
            self.strip_rest,
            None if self.divided is None else change(self.divided),
        )


def at_run_time(loops: ReduceLoops[int], table: list[int]) -> ReduceLoops[Number]:
    """
    The same with numbers in the table, but for those that spare instructions: zeros, and ones where they are not of
    vectors, of which there may be one or more.
    """
    wide, narrow, strips = (
        later_unless_zero(count, table) for count in (loops.wide, loops.narrow, loops.strips)
    )
    divided = None if loops.divided is None else later(loops.divided, table)
    found = replace(loops, wide=0, narrow=0, strips=0, divided=None).each(
        lambda number: known_or_later(number, table)
    )
    return replace(found, wide=wide, narrow=narrow, strips=strips, divided=divided)


def loops_of_points(
    isa: Isa,
    domain: Sequence[int],
    window: Sequence[int],
    operands: Sequence[Operand],
    steps: Sequence[Sequence[int]],
) -> ReduceLoops[int]:
    """With one accumulator for each point; the first operands move by `steps` elements along the window."""
    often = [prod(window)] * len(steps)
    plan = MapSchedule.choose(isa, domain, [each.strides for each in operands], often=often)
    strides = plan.inner_strides
    whole, rest = divmod(plan.inner, isa.lanes)
    is_smooth = all(stride in (0, 1) for stride in strides[: len(steps)])
    vectors = next(n for n in (INDEPENDENT_VECTORS, 2, 1) if n == 1 or (is_smooth and n <= whole))
    wide, narrow = divmod(whole, vectors)
    is_unrolled = prod(window) <= UNROLLED
    counts = (*plan.outer, plan.inner // (INDEPENDENT_VECTORS * isa.lanes))
    return ReduceLoops(
        plan.outer,
        plan.outer_strides,
        vectors,
        wide,
        narrow,
        rest,
        strides,
        () if is_unrolled else tuple(window),
        tuple(window) if is_unrolled else (),
        _in_bytes(operands, steps),
        0,
        0,
        _divided(counts),
    )


def loops_of_lanes(
    domain: Sequence[int],
    window: Sequence[int],
    partials: int,
    operands: Sequence[Operand],
    steps: Sequence[Sequence[int]],
) -> ReduceLoops[int]:
    """The same with so many accumulators for each point."""
    *lines, last = window
    strips, rest = divmod(last, partials)
    by_dimension = [[operand.strides[d] for operand in operands] for d in range(len(domain))]
    sizes, strides = merge_loops(domain, by_dimension)
    return ReduceLoops(
        tuple(sizes),
        tuple(tuple(each[o] for each in strides) for o in range(len(operands))),
        1,
        0,
        0,
        0,
        tuple(step[-1] for step in steps),
        tuple(lines),
        (),
        _in_bytes(operands, [step[:-1] for step in steps]),
        strips,
        rest,
        _divided(sizes),
    )


def _in_bytes(
    operands: Sequence[Operand], steps: Sequence[Sequence[int]]
) -> tuple[tuple[int, ...], ...]:
    x = operands[: len(steps)]
    return tuple(
        tuple(step * each.size for step in along) for each, along in zip(x, steps, strict=True)
    )


def _divided(counts: Sequence[int]) -> int | None:
    """The first long loop, or else the longest; a window is never divided."""
    long = (level for level, count in enumerate(counts) if count >= MANY)
    return next(long, max(range(len(counts)), key=lambda level: counts[level], default=None))
