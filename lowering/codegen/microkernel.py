"""
The GEMM microkernel: sums of products for one register tile, the inner loops of all kernels that multiply.

    accumulator[column, row] = sum_{t, k} lhs[row, t, k] * rhs[column, t, k]

The loops go over taps t, then over the inner dimension k, KR elements at a time: those of one multiply-accumulate
instruction. The MR rows of the LHS lie at constant distances from one pointer; a column of the RHS is a vector of
units, so that NR is the number of columns times the lanes of a vector. Convolutions come here without im2col: a row
is a window of the input where it lies.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product as every

from xdsl.dialects.builtin import f32

from ..machine import CACHE_LINE, Isa, Kind, Product
from . import ir
from .elements import size_of
from .instructions import emit_mac
from .microkernel_assembly import MACS, Tile, TileLoop, emit_tile, is_written
from .microkernel_operands import GroupedLhs, LhsOperand, PackedRhs, RhsOperand
from .vectors import (
    F32,
    F64,
    I32,
    SECOND_LEVEL,
    byte_offset,
    loop,
    prefetch_line,
    scaled,
    splat,
    zero,
)

Accumulators = dict[tuple[int, int], ir.Value]
"""Vectors of sums, by column and row of the register tile."""


@dataclass(frozen=True)
class Tap:
    """
    A loop over `most` taps, which lie `x_bytes` apart in the LHS and `y_bytes` in the RHS. Of the outermost loop, only
    the `live` ones may count: the first of them and their count, at least 1.
    """

    most: int
    x_bytes: int
    y_bytes: int
    live: tuple[ir.Value, ir.Value] | None = None


@dataclass(frozen=True)
class Prefetch:
    """Each iteration of the inner loop prefetches `lines` cache lines, `bytes` after the RHS elements it reads."""

    bytes: ir.Value
    lines: int


@dataclass(frozen=True)
class Reduction:
    """
    What is summed: over the taps (outermost first) and `depth` inner elements. An iteration does `unroll` steps of KR
    elements. Step n of an integer sum adds to independent accumulator n modulo `accumulators`, which hides
    the instruction's latency; they are added at the end. `prefetch` says what an iteration fetches of a packed RHS. Of
    several `columns`, the last taps, each has sums of its own, and no other accumulators.

    Where there are `live`, the inner elements are as many equal parts, whole steps, and each numbers the rows of the
    LHS that count in it: the others are known to be zeros.
    """

    product: Product
    taps: tuple[Tap, ...]
    depth: int
    unroll: int
    accumulators: int = 1
    prefetch: Prefetch | None = None
    live: tuple[tuple[int, ...], ...] = ()
    columns: int = 1

    @property
    def part(self) -> int:
        """Inner elements of a part."""
        return self.depth // max(1, len(self.live))


@dataclass
class Microkernel:
    """Emits one register tile: all rows of the LHS, and of the RHS the columns numbered in `wanted`."""

    b: ir.IRBuilder
    isa: Isa
    reduction: Reduction
    lhs: LhsOperand
    rhs: RhsOperand
    wanted: Sequence[int]

    def emit(self, x: ir.Value, y: ir.Value) -> Accumulators:
        """The accumulators of a tile whose LHS and RHS start at these addresses."""
        return {key: value for key, (value,) in self.by_column(x, y).items()}

    def by_column(self, x: ir.Value, y: ir.Value) -> dict[tuple[int, int], list[ir.Value]]:
        """The same, those of each column."""
        keys = list(every(self.wanted, range(len(self.lhs.offsets))))
        copies = max(self.reduction.accumulators, self.reduction.columns)
        accumulator = ir.VectorType(_accumulator(self.reduction.product.kind), self.isa.lanes)
        tile = self._tile()
        if tile is not None and is_written(self.isa, tile):
            prefetch = self.reduction.prefetch
            bytes = None if prefetch is None else prefetch.bytes
            count = None
            if tile.is_counted:
                tap = self.reduction.taps[0]
                (x, y), count = self._first(tap, x, y), tap.live and tap.live[1]
            accumulators = emit_tile(self.b, self.isa, tile, x, y, bytes, count, accumulator)
        else:
            accumulators = self._taps(0, x, y, [zero(accumulator)] * (len(keys) * copies))
        totals = [accumulators[copy * len(keys) :][: len(keys)] for copy in range(copies)]
        if self.reduction.columns == 1:
            total = totals[0]
            for more in totals[1:]:
                total = [self.b.add(t, other) for t, other in zip(total, more, strict=True)]
            totals = [total]
        if bits := self.rhs.fraction_bits:
            shift = splat(I32, self.isa.lanes, bits)
            totals = [[self.b.ashr(t, shift) for t in total] for total in totals]
        return {key: list(each) for key, each in zip(keys, zip(*totals, strict=True), strict=True)}

    def _tile(self) -> Tile | None:
        """The loops as data, where elements are multiplied as they lie in memory."""
        reduction, lhs, rhs = self.reduction, self.lhs, self.rhs
        product, kr = reduction.product, reduction.product.mac.kr
        steps, tail = divmod(reduction.part, kr)
        if not isinstance(rhs, PackedRhs) or not self.wanted or not reduction.depth:
            return None
        if rhs.fraction_bits:
            return None
        if isinstance(lhs, GroupedLhs):
            return None
        if kr == 1 and not lhs.element == rhs.element == f32:
            return None
        if kr > 1 and (product.mac.name != MACS[kr] or lhs.stride != 1 or not steps):
            return None
        iterations, rest = divmod(steps, reduction.unroll)
        x_step, y_step = lhs.step_bytes(kr), rhs.step_bytes(kr)
        inner = TileLoop(iterations, reduction.unroll * x_step, reduction.unroll * y_step)
        return Tile(
            (*(TileLoop(tap.most, tap.x_bytes, tap.y_bytes) for tap in reduction.taps), inner),
            reduction.unroll,
            rest,
            tail,
            tuple(lhs.offsets),
            tuple(column * rhs.lanes * kr * size_of(rhs.element) for column in self.wanted),
            x_step,
            y_step,
            kr,
            product.offset,
            reduction.accumulators,
            0 if reduction.prefetch is None else reduction.prefetch.lines,
            any(tap.live is not None for tap in reduction.taps),
            reduction.live,
            reduction.columns,
            tuple(n for n, column in enumerate(self.wanted) if rhs.is_half(column)),
        )

    def _first(self, tap: Tap, x: ir.Value, y: ir.Value) -> tuple[ir.Value, ir.Value]:
        """The addresses of the first tap that counts."""
        if tap.live is None:
            return x, y
        b, (first, _) = self.b, tap.live
        x = byte_offset(b, x, scaled(b, first, tap.x_bytes))
        return x, byte_offset(b, y, scaled(b, first, tap.y_bytes))

    def _taps(
        self, level: int, x: ir.Value, y: ir.Value, accumulators: list[ir.Value]
    ) -> list[ir.Value]:
        if level == len(self.reduction.taps):
            return self._inner(x, y, accumulators)
        b, tap, columns = self.b, self.reduction.taps[level], self.reduction.columns
        if columns > 1 and level == len(self.reduction.taps) - 1:
            found: list[ir.Value] = []
            each = len(accumulators) // columns
            for column in range(columns):
                left = byte_offset(b, x, column * tap.x_bytes)
                right = byte_offset(b, y, column * tap.y_bytes)
                own = accumulators[column * each : (column + 1) * each]
                found += self._inner(left, right, own)
            return found
        x, y = self._first(tap, x, y)
        count = tap.most if tap.live is None else tap.live[1]

        def iteration(i: ir.Value, carried: list[ir.Value]) -> list[ir.Value]:
            left = byte_offset(b, x, scaled(b, i, tap.x_bytes))
            right = byte_offset(b, y, scaled(b, i, tap.y_bytes))
            return self._taps(level + 1, left, right, carried)

        return loop(b, count, accumulators, iteration, runs=True)

    def _inner(self, x: ir.Value, y: ir.Value, accumulators: list[ir.Value]) -> list[ir.Value]:
        b, kr = self.b, self.reduction.product.mac.kr
        steps = self.reduction.part // kr
        for n, rows in enumerate(self.reduction.live or [range(len(self.lhs.offsets))]):
            left = byte_offset(b, x, n * steps * self.lhs.step_bytes(kr))
            right = byte_offset(b, y, n * steps * self.rhs.step_bytes(kr))
            accumulators = self._part(left, right, accumulators, rows)
        return accumulators

    def _part(
        self, x: ir.Value, y: ir.Value, accumulators: list[ir.Value], rows: Sequence[int]
    ) -> list[ir.Value]:
        b, unroll, kr = self.b, self.reduction.unroll, self.reduction.product.mac.kr
        x_bytes, y_bytes = self.lhs.step_bytes(kr), self.rhs.step_bytes(kr)
        steps, tail = divmod(self.reduction.part, kr)
        iterations, rest = divmod(steps, unroll)

        def iteration(i: ir.Value, carried: list[ir.Value]) -> list[ir.Value]:
            left = byte_offset(b, x, scaled(b, i, unroll * x_bytes))
            right = byte_offset(b, y, scaled(b, i, unroll * y_bytes))
            if (prefetch := self.reduction.prefetch) is not None:
                place = byte_offset(b, right, prefetch.bytes)
                for line in range(prefetch.lines):
                    prefetch_line(b, byte_offset(b, place, line * CACHE_LINE), SECOND_LEVEL)
            self._steps(carried, left, right, [kr] * unroll, rows)
            return carried

        accumulators = list(loop(b, iterations, accumulators, iteration))
        left = byte_offset(b, x, iterations * unroll * x_bytes)
        right = byte_offset(b, y, iterations * unroll * y_bytes)
        self._steps(accumulators, left, right, [kr] * rest + [tail] * (tail > 0), rows)
        return accumulators

    def _steps(
        self,
        accumulators: list[ir.Value],
        x: ir.Value,
        y: ir.Value,
        counts: Sequence[int],
        live: Sequence[int],
    ) -> None:
        """
        Adds the products of live rows in steps after these addresses; only the first `count` elements of each exist.
        """
        steps, rows = list(enumerate(counts)), [(row, self.lhs.offsets[row]) for row in live]
        if isinstance(self.lhs, GroupedLhs):  # all steps of a row, which is loaded once
            rights = [self._rights(y, *step) for step in steps]
            for row, (step, right) in every(rows, zip(steps, rights, strict=True)):
                self._row(accumulators, x, *row, *step, right)
            return
        # Row by row: LLVM keeps this order, so that a broadcast activation occupies one register at a time.
        for step in steps:
            right = self._rights(y, *step)
            for row in rows:
                self._row(accumulators, x, *row, *step, right)

    def _rights(self, y: ir.Value, step: int, count: int) -> list[ir.Value]:
        kr = self.reduction.product.mac.kr
        return [self.rhs.load(self.b, self.isa, kr, y, step, i, count) for i in self.wanted]

    def _row(
        self,
        accumulators: list[ir.Value],
        x: ir.Value,
        row: int,
        offset: int,
        step: int,
        count: int,
        rights: Sequence[ir.Value],
    ) -> None:
        """Adds the products of one row in one step."""
        b, product, rows = self.b, self.reduction.product, len(self.lhs.offsets)
        place = byte_offset(b, x, offset)
        left = self.lhs.load(b, self.isa, product, place, step, count, self.reduction.depth)
        first = step % self.reduction.accumulators * len(rights) * rows
        for column, right in enumerate(rights):
            n = first + column * rows + row
            accumulators[n] = emit_mac(b, product.mac, accumulators[n], left, right, product.kind)


def _accumulator(kind: Kind) -> ir.Type:
    return {"f32": F32, "f64": F64}.get(kind[0], I32)
