"""The sizes of a convolution that do not decide its machine code."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import prod
from typing import Generic, TypeVar

from ....dialects.kernel import ConvolutionLayout, GroupedLayout
from ..elements import Operand
from ..microkernel.microkernel import Tap
from ..run_time import Number, later_unless_zero
from ..schedule.convolution import ConvolutionSchedule, ConvolutionShape, Split

SPLITS: tuple[Split, ...] = ("groups", "positions", "tiles")
"""The loops that threads may divide, by number."""

TapLoop = tuple[int, int, int]
"""Its count, and how many elements of a and of b lie between iterations."""

N = TypeVar("N", covariant=True)
M = TypeVar("M")


@dataclass(frozen=True)
class ConvolutionSizes(Generic[N]):
    """
    `groups`, 0 if there is one; `outer` positions, at each of which are `blocks` of lines, `whole_lines` of them whole;
    `whole_rows` register tiles along each; `whole_units` tiles of units. `panel` of all `rows` of register tiles go
    through the tiles of units together, or all if it is 0. Distances are bytes, of each operand: from a group to the
    next one, from one of the `outer` positions, of the lines and of the columns to the next, and between tiles of
    units. `split` numbers what threads divide.
    """

    groups: N
    outer: tuple[N, ...]
    blocks: N
    whole_lines: N
    whole_rows: N
    whole_units: N
    panel: N
    rows: N
    by_group: tuple[N, ...]
    by_outer: tuple[tuple[N, ...], ...]
    by_line: tuple[N, ...]
    by_column: tuple[N, ...]
    by_tile: tuple[N, ...]
    split: N

    def each(self, change: Callable[[N], M]) -> ConvolutionSizes[M]:
        """The same sizes with another kind of numbers."""

        def all_of(numbers: tuple[N, ...]) -> tuple[M, ...]:
            return tuple(map(change, numbers))

        return ConvolutionSizes(
            change(self.groups),
            all_of(self.outer),
            change(self.blocks),
            change(self.whole_lines),
            change(self.whole_rows),
            change(self.whole_units),
            change(self.panel),
            change(self.rows),
            all_of(self.by_group),
            tuple(map(all_of, self.by_outer)),
            all_of(self.by_line),
            all_of(self.by_column),
            all_of(self.by_tile),
            change(self.split),
        )


def at_run_time(
    sizes: ConvolutionSizes[int], schedule: ConvolutionSchedule, table: list[int]
) -> ConvolutionSizes[Number]:
    """
    The same sizes with numbers in the table. A few stay known, since few kernels have them and they spare loops or
    strides: zeros, and the ones of a single row of register tiles and of lines that are one register tile each.
    """
    found = sizes.each(lambda number: later_unless_zero(number, table))
    if sizes.rows == 1:
        found = replace(found, rows=1, blocks=1, whole_lines=sizes.whole_lines)
    if sizes.whole_rows == 1 and (sizes.rows == 1 or schedule.lines > 1):
        found = replace(found, whole_rows=1)
    return found


def outer_at_run_time(sizes: ConvolutionSizes[int], table: list[int]) -> ConvolutionSizes[Number]:
    """
    The same sizes with the distances of lines, and of positions around them, in the table. Register tiles of one line
    do not look at these.
    """
    change = partial(later_unless_zero, table=table)
    return replace(
        sizes.each(int),
        by_outer=tuple(tuple(map(change, each)) for each in sizes.by_outer),
        by_line=tuple(map(change, sizes.by_line)),
    )


def sizes_of(
    shape: ConvolutionShape,
    schedule: ConvolutionSchedule,
    packed: ConvolutionLayout | None,
    operands: Sequence[Operand],
) -> tuple[ConvolutionSizes[int], tuple[int, int, int]]:
    """
    The sizes, and what register tiles leave of lines, columns and units. Operands move along [group, positions…, unit],
    but b, the second one, along [group, channel, unit] or, packed, [group, tile].
    """
    width = schedule.nr_vectors * schedule.lanes
    whole_lines, lines = divmod(shape.lines, schedule.lines)
    whole_rows, columns = divmod(shape.rows, schedule.rows)
    whole_units, units = divmod(shape.units, width)
    a, b, *others = operands
    outer, blocks = shape.positions[:-2], whole_lines + (lines > 0)
    rows = prod(outer) * blocks

    def by(d: int) -> tuple[int, ...]:
        """How operands move along a dimension of positions; filters do not move."""
        return (a.strides[d] * a.size, 0, *(o.strides[d] * o.size for o in others))

    groups = [o.strides[0] * o.size for o in operands]
    per_unit = width if packed is None else 1
    by_tile = [per_unit * b.strides[-1] * b.size, *(width * o.strides[-1] * o.size for o in others)]
    sizes = ConvolutionSizes(
        0 if shape.groups == 1 else shape.groups,
        outer,
        blocks,
        whole_lines,
        whole_rows,
        whole_units,
        0 if rows <= schedule.panel else schedule.panel,
        rows,
        tuple(groups) if shape.groups > 1 else (0,) * len(groups),
        tuple(by(1 + d) for d in range(len(outer))),
        by(-3),
        by(-2),
        (groups_of(packed, width) * groups[0], *by_tile),
        SPLITS.index(schedule.split),
    )
    return sizes, (lines, columns, units)


def groups_of(packed: ConvolutionLayout | None, width: int) -> int:
    """How many groups share a tile of so many units; 0 where tiles do not have whole groups."""
    if not isinstance(packed, GroupedLayout):
        return 0
    return width * packed.tile_groups // (packed.lanes * packed.nr_vectors)


def tap_loops(
    taps: Sequence[TapLoop], inner: Sequence[int], operands: Sequence[Operand]
) -> tuple[Tap[int], ...]:
    """Loops over taps, around the inner dimension, which moves a and b by so many bytes."""
    found: list[Tap[int]] = []
    for count, *steps in reversed(taps):
        x, y = (step * operand.size for step, operand in zip(steps, operands, strict=True))
        found.insert(0, Tap(count, x, y, x - inner[0], y - inner[1]))
        inner = count * x, count * y
    return tuple(found)
