"""
Rows of codes in the orders of matched weights (`dialects.kernel.Matched`), which lie one after the other in scratch
memory. The blocks of a row lie where the row does, or are gathered first: from several taps, or from codes apart.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from ....dialects.kernel import Matched, PackedLayout
from ....dialects.kernel.packed_layout import BLOCK, ENTRY_BYTES, chunk_steps
from ...machine import Isa
from .. import ir
from ..elements import Operand, load_raw
from ..intrinsics import call_intrinsic
from ..run_time import Extent, extent_value
from ..schedule.costs import odd_lines
from ..vectors import (
    I8,
    I32,
    I64,
    byte_offset,
    for_each,
    index,
    scaled,
    shuffle,
    splat,
)
from .widened_rows import WidenedTap

SHUFFLE = "llvm.x86.ssse3.pshuf.b.128"
"""What orders the codes of a block."""

ROWS_AT_ONCE = 4
"""Rows that are put in order in an iteration."""

N = TypeVar("N", covariant=True)
M = TypeVar("M")


@dataclass(frozen=True)
class MatchedRows(Generic[N]):
    """
    Rows of so many `pairs` of blocks, `row_bytes` apart. So many `tiles` have an order in common, whose table takes
    `table_bytes`, and `chunk_bytes` with their weights; there are so many `chunks` of whole tiles. No block begins
    behind `last`.

    Where rows are gathered, from `taps` of so many `codes`, they lie `gathered_bytes` apart, else 0.
    """

    pairs: N
    row_bytes: N
    tiles: N
    table_bytes: N
    chunk_bytes: N
    chunks: N
    last: N
    codes: int
    gathered_bytes: N
    taps: tuple[WidenedTap[N], ...] = ()

    @property
    def all_bytes(self: MatchedRows[int]) -> int:
        """Of a row in order and, if there is one, the gathered one."""
        return self.row_bytes + self.gathered_bytes

    def each(self, change: Callable[[N], M]) -> MatchedRows[M]:
        """The same with other numbers."""
        return MatchedRows(
            change(self.pairs),
            change(self.row_bytes),
            change(self.tiles),
            change(self.table_bytes),
            change(self.chunk_bytes),
            change(self.chunks),
            change(self.last),
            self.codes,
            change(self.gathered_bytes),
            tuple(tap.each(change) for tap in self.taps),
        )


def matched_rows(
    layout: PackedLayout, depth: int, columns: int, stride: int, taps: tuple[WidenedTap[int], ...]
) -> MatchedRows[int]:
    """
    Rows of so many codes, which lie so many elements apart, for all columns. Rows lie in different sets of a cache.
    """
    matched, width = Matched(depth), layout.lanes * layout.nr_vectors
    step = width * layout.kr
    return MatchedRows(
        matched.blocks // 2,
        odd_lines(matched.codes, 1),
        layout.matched_tiles,
        matched.table_steps(layout) * step,
        chunk_steps(layout, depth) * step,
        -(-(columns // width) // layout.matched_tiles),
        depth - BLOCK,
        taps[-1].codes if taps else depth,
        odd_lines(depth, 1) if taps or stride != 1 else 0,
        taps,
    )


@dataclass(frozen=True)
class RowOrder:
    """Puts rows of `a` in an order; `element` names its codes, which become u8."""

    b: ir.IRBuilder
    isa: Isa
    a: Operand
    element: str
    rows: MatchedRows[Extent]

    def gather(self, x: ir.Value, step: Extent, count: ir.Value, place: ir.Value) -> None:
        """Writes so many rows, `step` bytes apart from `x` on, without gaps to `place`."""

        def row(r: ir.Value) -> None:
            source = byte_offset(self.b, x, scaled(self.b, r, step))
            target = byte_offset(self.b, place, scaled(self.b, r, self.rows.gathered_bytes))
            self._taps(0, source, target)

        for_each(self.b, count, row)

    def _taps(self, level: int, source: ir.Value, target: ir.Value) -> None:
        if level == len(self.rows.taps):
            self._codes(source, target)
            return
        b, tap = self.b, self.rows.taps[level]

        def one(i: ir.Value) -> None:
            here = byte_offset(b, source, scaled(b, i, tap.bytes))
            self._taps(level + 1, here, byte_offset(b, target, scaled(b, i, tap.codes)))

        for_each(b, extent_value(tap.count), one)

    def _codes(self, source: ir.Value, target: ir.Value) -> None:
        """The same for the codes of a tap. The last block may overlap the one before."""
        b, (stride,) = self.b, self.a.strides
        whole, rest = divmod(self.rows.codes, BLOCK)

        def block(first: ir.Value) -> None:
            here = byte_offset(b, source, scaled(b, first, stride))
            codes = load_raw(b, here, self.a.element, stride, BLOCK, BLOCK)
            b.store(codes, byte_offset(b, target, first), align=1)

        def code(i: ir.Value) -> None:
            found = b.load(byte_offset(b, source, scaled(b, i, stride)), align=1, typ=I8)
            b.store(found, byte_offset(b, target, i), align=1)

        if not whole:
            for_each(b, rest, code)
            return
        for_each(b, whole, lambda i: block(scaled(b, i, BLOCK)))
        if rest:
            block(index(self.rows.codes - BLOCK))

    def emit(
        self, x: ir.Value, step: Extent, count: ir.Value, table: ir.Value, place: ir.Value
    ) -> None:
        """Reads so many rows, `step` bytes apart from `x` on, and writes them in the order of a table to `place`."""
        b, row_bytes = self.b, self.rows.row_bytes
        block = ir.VectorType(I8, BLOCK)
        whole = b.udiv(count, index(ROWS_AT_ONCE))
        done = scaled(b, whole, ROWS_AT_ONCE)

        def pair(i: ir.Value) -> None:
            entry = byte_offset(b, table, scaled(b, i, ENTRY_BYTES))
            order = b.load(entry, align=1, typ=block)
            first, second = (self._begin(x, entry, n) for n in range(2))
            to = byte_offset(b, place, scaled(b, i, 2 * BLOCK))

            def some(r: ir.Value, several: int) -> None:
                """Several rows from number r on."""
                sides = [byte_offset(b, side, scaled(b, r, step)) for side in (first, second)]
                target = byte_offset(b, to, scaled(b, r, row_bytes))
                for n in range(several):
                    if n:
                        sides = [byte_offset(b, side, step) for side in sides]
                        target = byte_offset(b, target, row_bytes)
                    left, right = (b.load(side, align=1, typ=block) for side in sides)
                    right = call_intrinsic(b, SHUFFLE, block, [right, order])
                    for half in _halves():
                        codes = shuffle(b, left, half, right)
                        if self.element == "i8":
                            codes = b.xor(codes, splat(I8, BLOCK, -128))
                        at = byte_offset(b, target, half[0] * 2)
                        b.store(codes, at, align=1)

            for_each(b, whole, lambda i: some(scaled(b, i, ROWS_AT_ONCE), ROWS_AT_ONCE))
            for_each(b, b.sub(count, done), lambda i: some(b.add(done, i), 1))

        for_each(b, extent_value(self.rows.pairs), pair)

    def _begin(self, x: ir.Value, entry: ir.Value, number: int) -> ir.Value:
        """Where a block of the first row begins."""
        b = self.b
        place = byte_offset(b, entry, BLOCK + number * I32.width // 8)
        first = b.zext(b.load(place, align=1, typ=I32), I64)
        return byte_offset(b, x, b.smin(first, extent_value(self.rows.last)))


def _halves() -> list[list[int]]:
    """The lanes of two blocks, one of each after the other, as many as a block has at a time."""
    lanes = [lane + side for lane in range(BLOCK) for side in (0, BLOCK)]
    return [lanes[:BLOCK], lanes[BLOCK:]]
