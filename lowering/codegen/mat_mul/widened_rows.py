"""
Rows of codes that become words once for all units: where `vpmaddwd` multiplies words, each tile of units would widen
them again. Those of a panel lie one after the other in scratch memory.

In a fast inner product, a row begins with minus the sum over pairs of steps of the products of their codes, which is
what its sums begin with (`dialects.kernel.ConvolutionLayout`).
"""

from __future__ import annotations

from collections.abc import Callable
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
    I8,
    I16,
    I32,
    I64,
    broadcast,
    byte_offset,
    for_each,
    index,
    loop,
    scaled,
    shuffle,
    splat,
    zero,
)

N = TypeVar("N", covariant=True)
M = TypeVar("M")


@dataclass(frozen=True)
class WidenedRows(Generic[N]):
    """Rows of so many codes, whose words lie `row_bytes` apart, behind a sum where they are `paired`."""

    codes: N
    row_bytes: N
    paired: bool

    @staticmethod
    def of(codes: int, paired: bool) -> WidenedRows[int]:
        """Rows that lie in different sets of a cache."""
        words = codes + FIRST_BYTES // WORD_BYTES * paired
        return WidenedRows(codes, odd_lines(words, WORD_BYTES) * WORD_BYTES, paired)

    def each(self, change: Callable[[N], M]) -> WidenedRows[M]:
        """The same with other numbers."""
        return WidenedRows(change(self.codes), change(self.row_bytes), self.paired)


@dataclass(frozen=True)
class RowWidening:
    """Widens rows of `a`, vector by vector. Rows have at least a vector of codes: the last one may overlap."""

    b: ir.IRBuilder
    isa: Isa
    a: Operand
    kind: str
    rows: WidenedRows[Extent]

    def emit(self, x: ir.Value, step: Extent, count: ir.Value, place: ir.Value) -> None:
        """Reads so many rows, `step` bytes apart from `x` on, and writes to `place`."""
        b, width = self.b, codes_at_once(self.isa)
        (stride,) = self.a.strides
        codes, row_bytes = extent_value(self.rows.codes), self.rows.row_bytes
        last = b.sub(codes, index(width))
        vectors = b.udiv(b.add(codes, index(width - 1)), index(width))

        def row(r: ir.Value) -> None:
            source = byte_offset(b, x, scaled(b, r, step))
            target = byte_offset(b, place, scaled(b, r, row_bytes))
            words_at = byte_offset(b, target, FIRST_BYTES * self.rows.paired)

            def vector(i: ir.Value, sums: list[ir.Value]) -> list[ir.Value]:
                begin = b.mul(i, index(width))
                first = b.smin(begin, last)
                here = byte_offset(b, source, scaled(b, first, stride * self.a.size))
                raw = load_raw(b, here, self.a.element, stride, width, width)
                there = byte_offset(b, words_at, scaled(b, first, WORD_BYTES))
                b.store(widen(b, raw, self.kind, I16), there, align=1)
                return [self._less_products(total, raw, b.sub(begin, first)) for total in sums]

            sums = [zero(ir.VectorType(I32, self.isa.lanes))] * self.rows.paired
            for total in loop(b, vectors, sums, vector, runs=True):
                sum = call_intrinsic(b, "llvm.vector.reduce.add", I32, [total], [total.type])
                b.store(sum, target, align=SUM_BYTES)

        for_each(b, count, row)

    def _less_products(self, total: ir.Value, raw: ir.Value, known: ir.Value) -> ir.Value:
        """Sums without the products of each two codes with the two behind them, apart from so many `known` codes."""
        b, width, half = self.b, codes_at_once(self.isa), 2 * self.isa.lanes
        numbers = ir.Constant(raw.type, list(range(width)))
        is_new = b.icmp_unsigned(">=", numbers, broadcast(b, b.trunc(known, I8), width))
        words = widen(b, b.select(is_new, raw, zero(raw.type)), self.kind, I16)
        for first in (0, half):
            these = shuffle(b, words, range(first, first + half))
            fours = b.bitcast(these, ir.VectorType(I64, half // 4))
            behind = b.bitcast(b.lshr(fours, splat(I64, half // 4, 32)), these.type)
            pairs = [these, behind]
            total = b.sub(total, call_intrinsic(b, VPMADDWD_256.intrinsic, total.type, pairs))
        return total


def codes_at_once(isa: Isa) -> int:
    """Codes of a vector of bytes."""
    return 4 * isa.lanes
