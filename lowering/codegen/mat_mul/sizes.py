"""The sizes of a matrix product that do not decide its machine code."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, Literal, TypeVar

from ....dialects.kernel import PackedLayout
from ..elements import Operand
from ..run_time import Number, later_unless_zero
from ..schedule.mat_mul import MatMulSchedule

MANY = 8
"""Tiles that a few threads can divide fairly."""

WIDENED_UNITS = 8
"""Units whose weights are read in the time in which a row is widened."""

Split = Literal["batch", "tiles", "rows"]

SPLITS: dict[Split, int] = {"batch": 1, "tiles": 2, "rows": 3}
"""What threads may divide, by number, none of which is 0; tiles instead of rows where these are few."""

N = TypeVar("N", covariant=True)
M = TypeVar("M")


@dataclass(frozen=True)
class MatMulSizes(Generic[N]):
    """
    The `batch`, in each member of which `panel` rows go through all tiles of units together, of which `whole_tiles` are
    whole. Distances are bytes, of each operand: between members of the batch, by dimension, from a row to the next one
    and from a tile of units to the next one. `split` numbers what threads divide.
    """

    batch: tuple[N, ...]
    panel: N
    whole_tiles: N
    by_batch: tuple[tuple[N, ...], ...]
    by_row: tuple[N, ...]
    by_tile: tuple[N, ...]
    split: N

    def each(self, change: Callable[[N], M]) -> MatMulSizes[M]:
        """The same with other numbers."""

        def all_of(numbers: tuple[N, ...]) -> tuple[M, ...]:
            return tuple(map(change, numbers))

        return MatMulSizes(
            all_of(self.batch),
            change(self.panel),
            change(self.whole_tiles),
            tuple(map(all_of, self.by_batch)),
            all_of(self.by_row),
            all_of(self.by_tile),
            change(self.split),
        )


def at_run_time(sizes: MatMulSizes[Number], table: list[int]) -> MatMulSizes[Number]:
    """The same with numbers in the table, but for zeros, which spare loops or strides."""
    return sizes.each(lambda number: later_unless_zero(number, table))


def sizes_of(
    batch: Sequence[int],
    shape: tuple[int, int],
    depths: Sequence[int],
    groups: int,
    operands: tuple[Sequence[Operand], Sequence[Operand], Sequence[Operand]],
    packed: PackedLayout | None,
    schedule: MatMulSchedule,
) -> MatMulSizes[int]:
    """Those of a product of so many rows and columns, whose operands are each a, each b, and ins and outs."""
    columns, (a, b, others) = shape[1], operands
    width = schedule.nr_vectors * schedule.lanes
    in_common = 1 if packed is None else max(1, packed.matched_tiles)
    if packed is None:
        tiles = [width * each.strides[-2] for each in b]
    else:
        step = groups * packed.stored_vectors * packed.lanes * packed.kr
        tiles = [packed.tile_steps(k) * step for k in depths]
    by_tile = [n * each.size for n, each in zip(tiles, b, strict=True)]
    return MatMulSizes(
        tuple(batch),
        schedule.panel,
        columns // width,
        tuple(
            tuple(each.strides[d] * each.size for each in (*a, *b, *others))
            for d in range(len(batch))
        ),
        (
            *(each.strides[-2] * each.size for each in a),
            *[0] * len(b),
            *(each.strides[-2] * each.size for each in others),
        ),
        (*[0] * len(a), *by_tile, *(width * each.strides[-1] * each.size for each in others)),
        SPLITS[split_of(batch, shape, in_common * width, schedule)],
    )


def split_of(
    batch: Sequence[int], shape: tuple[int, int], width: int, schedule: MatMulSchedule
) -> Split:
    """
    What threads divide, so that they share the work fairly. Whoever computes a piece of the tiles widens all rows, and
    whoever computes a piece of the rows reads all weights: of rows that are widened, what takes less time.
    """
    rows, columns = shape
    if batch and batch[0] >= MANY:
        return "batch"
    prepares = schedule.widens or schedule.matched
    if columns // width < MANY or (prepares and WIDENED_UNITS * rows >= columns):
        return "rows"
    return "tiles"
