"""The sizes of a convolution by Winograd's algorithm that do not decide its machine code."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from ....dialects.kernel import WinogradLayout
from ..elements import Operand
from ..run_time import Number, later, later_unless_zero
from ..schedule.winograd import SUM_BYTES, WinogradSchedule, WinogradShape
from .winograd_tiles import Tiles

N = TypeVar("N")
M = TypeVar("M")


@dataclass(frozen=True)
class WinogradSizes(Generic[N]):
    """
    Blocks of `rows` tiles: `blocks` of them, `count` tiles in all. Of `unit_tiles`, `whole` ones have so many `vectors`
    of units, and one more has `last_vectors`. Filters of a tile of units lie `filters` apart. Ins and outs move by
    `strides` along (image, plane, row, column), without planes in images, and by `unit_strides` along tiles of units.
    In scratch memory, sums begin at `sums_begin`; tiles of them lie `sum_tile` apart, points `sum_point`. All distances
    are bytes. Threads divide blocks if `divides_blocks` is 1, else tiles of units.
    """

    tiles: Tiles[N]
    count: N
    rows: N
    blocks: N
    unit_tiles: N
    whole: N
    vectors: N
    last_vectors: N
    filters: N
    strides: tuple[tuple[N, ...], ...]
    unit_strides: tuple[N, ...]
    sums_begin: N
    sum_tile: N
    sum_point: N
    divides_blocks: N

    def each(self, change: Callable[[N], M]) -> WinogradSizes[M]:
        """The same with other numbers."""
        return WinogradSizes(
            self.tiles.each(change),
            change(self.count),
            change(self.rows),
            change(self.blocks),
            change(self.unit_tiles),
            change(self.whole),
            change(self.vectors),
            change(self.last_vectors),
            change(self.filters),
            tuple(tuple(map(change, strides)) for strides in self.strides),
            tuple(map(change, self.unit_strides)),
            change(self.sums_begin),
            change(self.sum_tile),
            change(self.sum_point),
            change(self.divides_blocks),
        )


def sizes_in_table(
    shape: WinogradShape,
    layout: WinogradLayout,
    schedule: WinogradSchedule,
    tiles: Tiles[Number],
    b: Operand,
    others: Sequence[Operand],
    sums_begin: int,
    table: list[int],
) -> WinogradSizes[Number]:
    """The sizes of a kernel, as entries that are appended to its table."""
    width, count = layout.nr_vectors * layout.lanes, shape.tiles(layout.tile)
    whole, rest = divmod(shape.units, width)
    return WinogradSizes[Number](
        tiles,
        later(count, table),
        later(layout.rows, table),
        later(-(-count // layout.rows), table),
        later(whole + (rest > 0), table),
        later(whole, table) if whole or rest % layout.lanes == 0 else 0,
        later(layout.nr_vectors, table),
        later(rest // layout.lanes, table),
        later(b.strides[0] * b.size, table),
        tuple(
            tuple(later_unless_zero(stride * o.size, table) for stride in o.strides[:-1])
            for o in others
        ),
        tuple(later_unless_zero(width * o.strides[-1] * o.size, table) for o in others),
        later(sums_begin, table),
        later(width * SUM_BYTES, table),
        later(schedule.sums_stride * SUM_BYTES, table),
        later(int(schedule.split == "blocks"), table),
    )
