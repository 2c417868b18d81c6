"""Tiles of positions that Winograd's algorithm transforms: where they begin, and which of them have fewer positions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from typing import Generic, TypeVar

from .. import ir
from ..run_time import Extent, Number, extent_value, later, later_unless_zero, times
from ..vectors import I1, I64, byte_offset, index, loop, scaled

N = TypeVar("N")
M = TypeVar("M")


@dataclass(frozen=True)
class TileLine(Generic[N]):
    """The `count` tiles along a dimension: `whole` ones, and one more with `rest` positions if these are not 0."""

    count: N
    whole: N
    rest: N

    def each(self, change: Callable[[N], M]) -> TileLine[M]:
        """The same with other numbers."""
        return TileLine(change(self.count), change(self.whole), change(self.rest))


@dataclass(frozen=True)
class Tiles(Generic[N]):
    """Tiles of `tile` x `tile` positions of images, or of so many `planes` of volumes."""

    tile: int
    planes: tuple[N, ...]
    down: TileLine[N]
    across: TileLine[N]

    def each(self, change: Callable[[N], M]) -> Tiles[M]:
        """The same with other numbers."""
        planes = tuple(map(change, self.planes))
        return Tiles(self.tile, planes, self.down.each(change), self.across.each(change))


def tiles_of(tile: int, positions: Sequence[int], table: list[int]) -> Tiles[Number]:
    """
    The tiles of positions (plane, row, column) or (row, column), their numbers in the table. Only where images are
    smaller than a tile, the rests are numbers of the code, so that nothing is computed of what they do not have.
    """
    *planes, height, width = positions
    is_small = min(height, width) < tile

    def line(size: int) -> TileLine[Number]:
        whole, rest = divmod(size, tile)
        return TileLine(
            later(whole + (rest > 0), table),
            later_unless_zero(whole, table),
            rest if is_small else later(rest, table),
        )

    counts = tuple(later(count, table) for count in planes)
    return Tiles(tile, counts, line(height), line(width))


def without_rests(tiles: Tiles[Number], positions: Sequence[int]) -> Tiles[Number]:
    """The same for code that knows that tiles of these positions are whole, if they are."""
    if any(size % tiles.tile for size in positions[-2:]):
        return tiles
    down, across = (replace(line, rest=0) for line in (tiles.down, tiles.across))
    return replace(tiles, down=down, across=across)


Emit = Callable[[ir.Value, Sequence[ir.Value], Extent, Extent], None]


def each_tile(
    b: ir.IRBuilder, tiles: Tiles[Extent], start: ir.Value, count: ir.Value, emit: Emit
) -> None:
    """
    A loop over so many tiles, at least one, from one on: emits for each its number here; image, plane where there are
    some, row and column of positions where it begins; and how many rows and columns of positions it has. Where the last
    rows and the last columns have fewer, both are values of the run, for whole tiles, too.
    """
    tile, down, across = tiles.tile, tiles.down, tiles.across

    def iteration(i: ir.Value, carried: list[ir.Value]) -> list[ir.Value]:
        *images, row, column = carried
        place = [*images, scaled(b, row, tile), scaled(b, column, tile)]

        def line(rows: int) -> None:
            _whole_or_rest(b, tile, across, column, lambda columns: emit(i, place, rows, columns))

        if isinstance(down.rest, int):
            _whole_or_rest(b, tile, down, row, line)
            return _following(b, tiles, carried)
        rows, columns = (
            b.select(
                b.icmp_signed("<", at, extent_value(each.whole)),
                index(tile),
                extent_value(each.rest),
            )
            for at, each in ((row, down), (column, across))
        )
        emit(i, place, rows, columns)
        return _following(b, tiles, carried)

    first = [start]
    for extent in reversed(_counts(tiles)):
        first[:1] = (op(first[0], extent_value(extent)) for op in (b.udiv, b.urem))
    loop(b, count, first, iteration, runs=True)


def is_whole(b: ir.IRBuilder, tile: int, sizes: Sequence[Extent]) -> ir.Value:
    """Whether a tile has all positions along each of these dimensions."""
    return reduce(b.and_, [b.icmp_signed("==", extent_value(size), index(tile)) for size in sizes])


def _counts(tiles: Tiles[Extent]) -> list[Extent]:
    """Of planes, and of tiles along each dimension of an image."""
    return [*tiles.planes, tiles.down.count, tiles.across.count]


def _whole_or_rest(
    b: ir.IRBuilder,
    tile: int,
    line: TileLine[Extent],
    number: ir.Value,
    emit: Callable[[int], None],
) -> None:
    """Emits for the positions of this tile of a line whose rest is known."""
    assert isinstance(line.rest, int)
    if isinstance(line.whole, int) or not line.rest:
        emit(line.rest or tile)
        return
    with b.if_else(b.icmp_signed("<", number, line.whole)) as (full, partial):
        with full:
            emit(tile)
        with partial:
            emit(line.rest)


def _following(b: ir.IRBuilder, tiles: Tiles[Extent], place: Sequence[ir.Value]) -> list[ir.Value]:
    """Image, plane, row and column of the next tile."""
    image, *others = place
    carry: ir.Value = ir.Constant(I1, 1)
    found: list[ir.Value] = []
    for number, count in zip(reversed(others), reversed(_counts(tiles)), strict=True):
        number = b.add(number, b.zext(carry, I64))
        carry = b.icmp_signed("==", number, extent_value(count))
        found.insert(0, b.select(carry, index(0), number))
    return [b.add(image, b.zext(carry, I64)), *found]


def grid(
    b: ir.IRBuilder, first: ir.Value, down: Extent, along: Extent, rows: int, columns: int
) -> list[list[ir.Value]]:
    """
    The addresses of `rows` x `columns` elements, line by line; lines lie `down` bytes apart, columns `along`. Twice and
    four times a distance are no instructions of their own on x86-64.
    """
    lines = [first]
    while len(lines) < rows:
        lines.append(byte_offset(b, lines[-1], down))
    distances = [times(b, along, n) for n in range(columns)]
    return [[byte_offset(b, line, distance) for distance in distances] for line in lines]
