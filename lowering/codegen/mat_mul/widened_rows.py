"""
Rows of codes that become words once for all units: where `vpmaddwd` multiplies words, each tile of units would widen
them again. Those of a panel lie one after the other in scratch memory. The codes of a row lie side by side, or those of
each tap of a window do.

In a fast inner product, a row begins with minus the sum over pairs of steps of the products of their codes, which is
what its sums begin with (`dialects.kernel.ConvolutionLayout`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from ....dialects.kernel.packed_layout import SUM_BYTES
from ...instructions import VPMADDWD_256
from ...machine import Isa
from .. import ir
from ..elements import Operand, load_raw
from ..instructions import widen
from ..intrinsics import call_intrinsic
from ..microkernel.tile import FIRST_BYTES
from ..run_time import Extent, extent_value
from ..schedule.costs import odd_lines
from ..schedule.mat_mul import WORD_BYTES
from ..vectors import (
    I16,
    I32,
    I64,
    byte_offset,
    for_each,
    index,
    lanes_of,
    loop,
    scaled,
    shuffle,
    splat,
    zero,
)

N = TypeVar("N", covariant=True)
M = TypeVar("M")


@dataclass(frozen=True)
class WidenedTap(Generic[N]):
    """A loop over `count` taps, each so many `codes` of a row, which lie so many `bytes` apart in a."""

    count: N
    bytes: N
    codes: N

    def each(self, change: Callable[[N], M]) -> WidenedTap[M]:
        """The same with other numbers."""
        return WidenedTap(change(self.count), change(self.bytes), change(self.codes))


@dataclass(frozen=True)
class WidenedRows(Generic[N]):
    """
    Rows of `vectors` vectors of words, at least one, and of `rest` words that do not fill one, for each of the `taps`,
    which are loops. Rows lie `row_bytes` apart, behind a sum where they are `paired`.
    """

    vectors: N
    rest: int
    row_bytes: N
    paired: bool
    taps: tuple[WidenedTap[N], ...] = ()

    @staticmethod
    def of(
        codes: int, lanes: int, paired: bool, taps: tuple[WidenedTap[int], ...] = ()
    ) -> WidenedRows[int]:
        """Rows of so many codes that lie in different sets of a cache; a vector has so many lanes of i32."""
        words = codes + FIRST_BYTES // WORD_BYTES * paired
        row_bytes = odd_lines(words, WORD_BYTES) * WORD_BYTES
        vectors, rest = divmod(taps[-1].codes if taps else codes, words_in_vector(lanes))
        return WidenedRows(vectors, rest, row_bytes, paired, taps)

    def each(self, change: Callable[[N], M]) -> WidenedRows[M]:
        """The same with other numbers."""
        taps = tuple(tap.each(change) for tap in self.taps)
        return WidenedRows(
            change(self.vectors), self.rest, change(self.row_bytes), self.paired, taps
        )


@dataclass(frozen=True)
class RowWidening:
    """
    Widens rows of `a`, vector by vector, as they are loaded: that takes no more than a load. The last vector may
    overlap the one before.
    """

    b: ir.IRBuilder
    isa: Isa
    a: Operand
    kind: str
    rows: WidenedRows[Extent]

    def emit(self, x: ir.Value, step: Extent, count: ir.Value, place: ir.Value) -> None:
        """Reads so many rows, `step` bytes apart from `x` on, and writes to `place`."""
        b, rows = self.b, self.rows

        def row(r: ir.Value) -> None:
            source = byte_offset(b, x, scaled(b, r, step))
            target = byte_offset(b, place, scaled(b, r, rows.row_bytes))
            words_at = byte_offset(b, target, FIRST_BYTES * rows.paired)
            sums = [zero(ir.VectorType(I32, self.isa.lanes))] * rows.paired
            for total in self._taps(rows.taps, source, words_at, sums):
                sum = call_intrinsic(b, "llvm.vector.reduce.add", I32, [total], [total.type])
                b.store(sum, target, align=SUM_BYTES)

        for_each(b, count, row)

    def _taps(
        self,
        taps: Sequence[WidenedTap[Extent]],
        source: ir.Value,
        target: ir.Value,
        sums: list[ir.Value],
    ) -> list[ir.Value]:
        """Widens what these loops go over, and subtracts from the sums."""
        if not taps:
            return self._codes(source, target, sums)
        b, (tap, *inner) = self.b, taps

        def one(i: ir.Value, sums: list[ir.Value]) -> list[ir.Value]:
            here = byte_offset(b, source, scaled(b, i, tap.bytes))
            there = byte_offset(b, target, scaled(b, scaled(b, i, tap.codes), WORD_BYTES))
            return self._taps(inner, here, there, sums)

        return loop(b, extent_value(tap.count), sums, one, runs=True)

    def _codes(self, source: ir.Value, target: ir.Value, sums: list[ir.Value]) -> list[ir.Value]:
        """The same for codes side by side."""
        b, rest, width = self.b, self.rows.rest, words_in_vector(self.isa.lanes)
        vectors = extent_value(self.rows.vectors)

        def vector(i: ir.Value, sums: list[ir.Value]) -> list[ir.Value]:
            words = self._vector(source, target, scaled(b, i, width))
            return [self._less_products(total, words) for total in sums]

        sums = loop(b, vectors, sums, vector, runs=True)
        if not rest:
            return sums
        first = b.add(scaled(b, vectors, width), index(rest - width))
        words = self._vector(source, target, first)
        order = [*range(width, 2 * width - rest), *range(width - rest, width)]
        new = shuffle(b, words, order, zero(words.type))
        return [self._less_products(total, new) for total in sums]

    def _vector(self, source: ir.Value, target: ir.Value, first: ir.Value) -> ir.Value:
        """The words of a vector of codes from number `first` on, which are written as well."""
        b, width = self.b, words_in_vector(self.isa.lanes)
        (stride,) = self.a.strides
        here = byte_offset(b, source, scaled(b, first, stride * self.a.size))
        words = widen(b, load_raw(b, here, self.a.element, stride, width, width), self.kind, I16)
        b.store(words, byte_offset(b, target, scaled(b, first, WORD_BYTES)), align=1)
        return words

    def _less_products(self, total: ir.Value, words: ir.Value) -> ir.Value:
        """Sums without the products of each two words with the two behind them."""
        b, fours = self.b, ir.VectorType(I64, lanes_of(words) // 4)
        behind = b.lshr(b.bitcast(words, fours), splat(I64, fours.count, 32))
        pairs = [words, b.bitcast(behind, words.type)]
        return b.sub(total, call_intrinsic(b, VPMADDWD_256.intrinsic, total.type, pairs))


def words_in_vector(lanes: int) -> int:
    """Words in a vector of so many lanes of i32."""
    return 2 * lanes
