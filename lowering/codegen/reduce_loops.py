"""The loops of a reduction: what of its schedule decides machine code, and the numbers that do not."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import prod
from typing import Generic, TypeVar

from ..machine import FIRST_LEVEL_BYTES, Isa
from .elements import Operand
from .run_time import Number, known_or_later, later, later_unless_zero
from .schedule import MapSchedule
from .schedule.merging import merge_loops
from .schedule.reduction_blocks import FEWEST_TOGETHER, MOST_BESIDE, MOST_TOGETHER, block

N = TypeVar("N", covariant=True)
M = TypeVar("M")

MANY = 8
"""Iterations that several threads can divide evenly enough."""

UNROLLED = 16
"""Elements of a window that is read without a loop."""

INDEPENDENT_VECTORS = 4
"""Vectors of points that are reduced at once: enough to hide the latency of an addition."""

FREE_REGISTERS = 2
"""Vector registers beside sums and what the points that are computed together share: for what each one reads."""


@dataclass(frozen=True)
class ReduceLoops(Generic[N]):
    """
    Loops over `outer` points, then over `wide` points of `vectors` beside each other, the `narrow` vectors left and the
    points of the `rest`. Along these an operand moves by its one of `lane_strides`, which decides how its elements are
    loaded. Then there are loops over the `window`, or all of it is `unrolled`; elements of x lie `steps` bytes apart.
    With several partial accumulators, all points are `outer` ones, and elements of the window's last dimension are
    beside each other instead: `strips` of as many, and `strip_rest`. Of those points, each is one of so many `together`
    that read the same elements of one operand, and `together_strides` apart; `beside` each there are others, which read
    the same elements of another operand, and lie `beside_strides` apart. `divided` is the loop that threads divide,
    if any; that over `wide` points is the last one.
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
    together: int = 1
    together_strides: tuple[N, ...] = ()
    beside: int = 1
    beside_strides: tuple[N, ...] = ()

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
            self.together,
            tuple(map(change, self.together_strides)),
            self.beside,
            tuple(map(change, self.beside_strides)),
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
    isa: Isa,
    domain: Sequence[int],
    window: Sequence[int],
    partials: int,
    operands: Sequence[Operand],
    steps: Sequence[Sequence[int]],
) -> ReduceLoops[int]:
    """The same with so many accumulators for each point."""
    *lines, last = window
    strips, rest = divmod(last, partials)
    largest = _largest(domain, window, operands, steps)
    order = list(range(len(domain)))
    if largest is not None:
        order.sort(key=lambda d: operands[largest].strides[d] == 0 and domain[d] > 1)
    by_dimension = [[operand.strides[d] for operand in operands] for d in order]
    sizes, strides = merge_loops([domain[d] for d in order], by_dimension)
    together, apart, beside, aside = 1, (), 1, ()
    if largest is not None and sizes and not strides[-1][largest]:
        together, apart = _block(sizes, strides, -1, MOST_TOGETHER)
    others = [n for n in range(len(steps)) if n != largest]
    if together > 1 and len(steps) == 2 <= len(sizes) and not strides[-2][others[0]]:
        vectors = max(1, partials // isa.lanes)
        most = (isa.registers - FREE_REGISTERS) // vectors // (min(together, FEWEST_TOGETHER) + 1)
        beside, aside = _block(sizes, strides, -2, min(most, MOST_BESIDE))
    strides = [each for size, each in zip(sizes, strides, strict=True) if size != 1]
    sizes = [size for size in sizes if size != 1]
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
        together,
        apart,
        beside,
        aside,
    )


def _block(
    sizes: list[int], strides: list[list[int]], dimension: int, most: int
) -> tuple[int, tuple[int, ...]]:
    """
    Takes a block of points out of the loop over a dimension. Gives their number, and how far operands move from one to
    the next.
    """
    count, apart = block(sizes[dimension], most), strides[dimension]
    sizes[dimension] //= count
    strides[dimension] = [count * stride for stride in apart]
    return count, tuple(apart) if count > 1 else ()


def _largest(
    domain: Sequence[int],
    window: Sequence[int],
    operands: Sequence[Operand],
    steps: Sequence[Sequence[int]],
) -> int | None:
    """
    The number of the reduced operand of which most is read, if that does not stay in the first-level cache, or there
    are two. What reads a part of it again follows at once: it comes once from memory, and the others, which are
    smaller, come again.
    """
    read: list[int] = []
    for x, along in zip(operands, steps, strict=False):
        moving = [n for n, stride in zip(domain, x.strides, strict=True) if stride]
        inside = [n for n, step in zip(window, along, strict=True) if step]
        read.append(x.size * prod(moving) * prod(inside))
    most = max(read, default=0)
    return read.index(most) if most > FIRST_LEVEL_BYTES or len(read) == 2 else None


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
