"""
Rows of codes that become words once for all units: where `vpmaddwd` multiplies words, each tile of units would widen
them again. Those of a panel lie one after the other in scratch memory.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from ...machine import Isa
from .. import ir
from ..elements import Operand, load_raw
from ..instructions import widen
from ..run_time import Extent, extent_value
from ..schedule.costs import odd_lines
from ..schedule.mat_mul import WORD_BYTES
from ..vectors import I16, byte_offset, for_each, index, scaled

N = TypeVar("N", covariant=True)
M = TypeVar("M")


@dataclass(frozen=True)
class WidenedRows(Generic[N]):
    """Rows of so many codes, whose words lie `row_bytes` apart."""

    codes: N
    row_bytes: N

    @staticmethod
    def of(codes: int) -> WidenedRows[int]:
        """Rows that lie in different sets of a cache."""
        return WidenedRows(codes, odd_lines(codes, WORD_BYTES) * WORD_BYTES)

    def each(self, change: Callable[[N], M]) -> WidenedRows[M]:
        """The same with other numbers."""
        return WidenedRows(change(self.codes), change(self.row_bytes))


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

            def vector(i: ir.Value) -> None:
                first = b.smin(b.mul(i, index(width)), last)
                here = byte_offset(b, source, scaled(b, first, stride * self.a.size))
                raw = load_raw(b, here, self.a.element, stride, width, width)
                there = byte_offset(b, target, scaled(b, first, WORD_BYTES))
                b.store(widen(b, raw, self.kind, I16), there, align=1)

            for_each(b, vectors, vector)

        for_each(b, count, row)


def codes_at_once(isa: Isa) -> int:
    """Codes of a vector of bytes."""
    return 4 * isa.lanes
