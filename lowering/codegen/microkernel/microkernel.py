"""
The GEMM microkernel: sums of products for one register tile, the inner loops of all kernels that multiply.

    accumulator[column, row] = sum_{t, k} lhs[row, t, k] * rhs[column, t, k]

The loops go over taps t, then over the inner dimension k, KR elements at a time: those of one multiply-accumulate
instruction. The MR rows of the LHS lie at the same distances from one pointer always; a column of the RHS is a vector
of units, so that NR is the number of columns times the lanes of a vector. Convolutions come here without im2col: a row
is a window of the input where it lies.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import product as every
from typing import Generic, TypeVar

from xdsl.dialects.builtin import f32

from ...calling_convention import WORD
from ...machine import CACHE_LINE, Isa, ProductInstruction
from .. import ir
from ..instructions import emit_mac
from ..run_time import Extent, Number, extent_value, number_at, plus, times
from ..spilled import Spilled
from ..vectors import (
    F32,
    F64,
    I32,
    I64,
    SECOND_LEVEL,
    byte_offset,
    loop,
    prefetch_line,
    scaled,
    zero,
)
from .assembly import TileInputs, emit_tile, has_assembly, is_written
from .operands import GatheredRhs, GroupedLhs, LhsOperand, NarrowRhs, RhsOperand, Step
from .tile import Tile, TileLoop
from .tile_text import LOOP_NUMBERS

N = TypeVar("N", covariant=True)
M = TypeVar("M")

Accumulators = dict[tuple[int, int], ir.Value]
"""Vectors of sums, by column and row of the register tile."""


@dataclass(frozen=True)
class Tap(Generic[N]):
    """
    A loop over `count` taps, which lie `x_bytes` apart in the LHS and `y_bytes` apart in the RHS. Each iteration leaves
    the pointers behind its last whole step; `x_on` and `y_on` are the distances from there to the next tap.
    """

    count: N
    x_bytes: N
    y_bytes: N
    x_on: N
    y_on: N

    def each(self, change: Callable[[N], M]) -> Tap[M]:
        """The same loop with another kind of numbers."""
        numbers = (self.count, self.x_bytes, self.y_bytes, self.x_on, self.y_on)
        return Tap(*map(change, numbers))


@dataclass(frozen=True)
class Depth(Generic[N]):
    """
    The inner dimension: iterations of `unroll` steps, `rest` steps after them, and a last step of `tail` elements.
    """

    iterations: N
    unroll: int
    rest: int
    tail: int

    @staticmethod
    def of(elements: int, kr: int, unroll: int) -> Depth[int]:
        """An inner dimension of so many elements, with as many of them in iterations as possible."""
        steps, tail = divmod(elements, kr)
        iterations, rest = divmod(steps, unroll)
        return Depth(iterations, unroll, rest, tail)

    def each(self, change: Callable[[N], M]) -> Depth[M]:
        """The same with another kind of numbers."""
        return Depth(change(self.iterations), self.unroll, self.rest, self.tail)

    def part(self, count: int) -> Depth[int]:
        """One of so many equal parts, each of whole steps."""
        return self.of(self.steps // count, 1, self.unroll)

    @property
    def steps(self) -> int:
        """How many whole steps there are, which is known."""
        assert isinstance(self.iterations, int)
        return self.iterations * self.unroll + self.rest

    def elements(self, kr: int) -> int:
        """The size of the dimension, which is known."""
        return self.steps * kr + self.tail

    @property
    def has_steps(self) -> bool:
        """Whether there is a whole step."""
        return self.iterations != 0 or self.rest > 0


@dataclass(frozen=True)
class Prefetch:
    """Each iteration of the inner loop prefetches `lines` cache lines, `bytes` after the RHS elements that it reads."""

    bytes: ir.Value
    lines: int


@dataclass(frozen=True)
class Reduction:
    """
    What is summed: products over the taps (outermost first) and the inner dimension. Step n of an integer sum adds to
    independent accumulator n modulo `accumulators`, which hides the instruction's latency; these are added at the end.
    `prefetch` says what an iteration prefetches of a packed RHS. If `columns` is more than 1, each of the last taps has
    sums of its own, and there are no other accumulators. `live_taps` limits the outermost loops to the taps that may
    count: of each loop, the first of them and their number, at least 1.

    Where `live` is given, the inner dimension has as many parts, each of depth `depth`, and `live` numbers the rows of
    the LHS that count in each part: all others are known to be zeros there.
    """

    product: ProductInstruction
    taps: tuple[Tap[Number], ...]
    depth: Depth[Number]
    accumulators: int = 1
    prefetch: Prefetch | None = None
    live: tuple[tuple[int, ...], ...] = ()
    columns: int = 1
    live_taps: Sequence[tuple[ir.Value, ir.Value]] = ()


@dataclass
class Microkernel:
    """
    Emits one register tile: all rows of the LHS, and those columns of the RHS whose numbers are in `wanted`. Sizes that
    are known only at run time are in the table, which is what `arguments` are.
    """

    b: ir.IRBuilder
    isa: Isa
    reduction: Reduction
    lhs: LhsOperand
    rhs: RhsOperand
    wanted: Sequence[int]
    arguments: Sequence[ir.Value] = ()
    offsets: list[Extent] = field(default_factory=list[Extent], init=False)
    """How many bytes each row of the LHS lies after the first one."""

    def emit(self, x: ir.Value, y: ir.Value) -> Accumulators:
        """The accumulators of a tile whose LHS and RHS begin at these addresses."""
        return {key: value for key, (value,) in self.by_column(x, y).items()}

    def by_column(self, x: ir.Value, y: ir.Value) -> dict[tuple[int, int], list[ir.Value]]:
        """The same, separately for each of the last taps (`Reduction.columns`)."""
        keys = list(every(self.wanted, range(self.lhs.rows.total)))
        copies = max(self.reduction.accumulators, self.reduction.columns)
        if (tile := self._written()) is not None:
            accumulators = self._assembly(tile, x, y)
        else:
            mac = self.reduction.product.mac
            assert not (mac.paired or mac.matched), "there is assembly for all its tiles"
            self.offsets = self.lhs.rows.offsets(self.b, self.arguments)
            none = [zero(self._accumulator)] * (len(keys) * copies)
            accumulators = self._taps(0, *self._first(x, y), none)
        totals = [accumulators[copy * len(keys) :][: len(keys)] for copy in range(copies)]
        if self.reduction.columns == 1:
            total = totals[0]
            for more in totals[1:]:
                total = [self.b.add(t, other) for t, other in zip(total, more, strict=True)]
            totals = [total]
        return {key: list(each) for key, each in zip(keys, zip(*totals, strict=True), strict=True)}

    def spilled(self, x: ir.Value, y: ir.Value) -> Spilled:
        """
        The same on the stack, where each of the last taps has no sums of its own. Assembly stores them itself, which
        spares LLVM three instructions for each.
        """
        tile = self._written()
        if tile is None or self.reduction.columns > 1:
            return Spilled.of(self.b, self.by_column(x, y))
        found = Spilled.room(self.b, self._accumulator, len(self.wanted), self.lhs.rows.total)
        self._assembly(tile, x, y, found.address)
        return found

    @property
    def _accumulator(self) -> ir.VectorType:
        element = {"f32": F32, "f64": F64}.get(self.reduction.product.kind[0], I32)
        return ir.VectorType(element, self.isa.lanes)

    def _written(self) -> Tile | None:
        """The loops as data, if they are written as assembly."""
        tile = self._tile()
        return tile if tile is not None and is_written(self.isa, tile) else None

    def _assembly(
        self, tile: Tile, x: ir.Value, y: ir.Value, stored: ir.Value | None = None
    ) -> list[ir.Value]:
        prefetch = self.reduction.prefetch
        inputs = TileInputs(
            *self._first(x, y),
            None if prefetch is None else prefetch.bytes,
            self._counted(),
            self.arguments[0] if self.arguments else None,
            stored,
        )
        return emit_tile(self.b, self.isa, tile, inputs, self._accumulator)

    def _tile(self) -> Tile | None:
        """The loops as data, where elements are multiplied as they lie in memory."""
        reduction, lhs, rhs = self.reduction, self.lhs, self.rhs
        product, kr, depth = reduction.product, reduction.product.mac.kr, reduction.depth
        if not self.wanted or isinstance(rhs, NarrowRhs):
            return None
        if isinstance(rhs, GatheredRhs) and not (kr == 1 and rhs.is_contiguous(self.isa.lanes)):
            return None
        if isinstance(lhs, GroupedLhs):
            return None
        if kr == 1 and not lhs.element == rhs.element == f32:
            return None
        if kr > 1 and (not has_assembly(self.isa, product) or lhs.stride != 1):
            return None
        if not depth.has_steps:
            return None
        x_step, y_step = lhs.step_bytes(kr), rhs.step_bytes(kr)
        inner = TileLoop(depth.iterations, depth.unroll * x_step, depth.unroll * y_step)
        return Tile(
            (*(TileLoop(tap.count, tap.x_on, tap.y_on) for tap in reduction.taps), inner),
            depth.unroll,
            depth.rest,
            depth.tail,
            lhs.rows,
            tuple(rhs.column_bytes(kr, column) for column in self.wanted),
            x_step,
            y_step,
            kr,
            product.offset,
            reduction.accumulators,
            0 if reduction.prefetch is None else reduction.prefetch.lines,
            len(reduction.live_taps),
            reduction.live,
            reduction.columns,
            tuple(n for n, column in enumerate(self.wanted) if rhs.is_half(column)),
            product.kind if product.mac.adds and not product.mac.matched else None,
            product.mac.paired,
            product.mac.matched,
        )

    def _first(self, x: ir.Value, y: ir.Value) -> tuple[ir.Value, ir.Value]:
        """The addresses of the first tap that counts."""
        b = self.b
        for tap, (first, _) in zip(self.reduction.taps, self.reduction.live_taps, strict=False):
            x = byte_offset(b, x, scaled(b, first, self._number(tap.x_bytes)))
            y = byte_offset(b, y, scaled(b, first, self._number(tap.y_bytes)))
        return x, y

    def _counted(self) -> ir.Value | None:
        """The numbers of the loops whose taps are limited, on the stack (`Tile.counted`)."""
        b, taps, live = self.b, self.reduction.taps, self.reduction.live_taps
        if not live:
            return None
        found = b.alloca(I64, LOOP_NUMBERS * len(live))
        counts = [count for _, count in live]
        for level, (count, tap) in enumerate(zip(counts, taps, strict=False)):
            moves = [self._number(tap.x_on), self._number(tap.y_on)]
            if level + 1 < len(live):
                inner, left = taps[level + 1], counts[level + 1]
                moves = [
                    b.sub(extent_value(self._number(whole)), scaled(b, left, self._number(each)))
                    for whole, each in (
                        (tap.x_bytes, inner.x_bytes),
                        (tap.y_bytes, inner.y_bytes),
                    )
                ]
            for n, number in enumerate([count, *moves]):
                place = byte_offset(b, found, (level * LOOP_NUMBERS + n) * WORD)
                b.store(extent_value(number), place)
        return found

    def _number(self, number: Number) -> Extent:
        return number_at(self.b, self.arguments, number)

    def _taps(
        self, level: int, x: ir.Value, y: ir.Value, accumulators: list[ir.Value]
    ) -> list[ir.Value]:
        if level == len(self.reduction.taps):
            return self._inner(x, y, accumulators)
        b, tap, columns = self.b, self.reduction.taps[level], self.reduction.columns
        x_bytes, y_bytes = self._number(tap.x_bytes), self._number(tap.y_bytes)
        if columns > 1 and level == len(self.reduction.taps) - 1:
            found: list[ir.Value] = []
            each = len(accumulators) // columns
            for column in range(columns):
                left = byte_offset(b, x, times(b, x_bytes, column))
                right = byte_offset(b, y, times(b, y_bytes, column))
                own = accumulators[column * each : (column + 1) * each]
                found += self._inner(left, right, own)
            return found
        live = self.reduction.live_taps
        count = live[level][1] if level < len(live) else self._number(tap.count)

        def iteration(i: ir.Value, carried: list[ir.Value]) -> list[ir.Value]:
            left = byte_offset(b, x, scaled(b, i, x_bytes))
            right = byte_offset(b, y, scaled(b, i, y_bytes))
            return self._taps(level + 1, left, right, carried)

        return loop(b, count, accumulators, iteration, runs=True)

    def _inner(self, x: ir.Value, y: ir.Value, accumulators: list[ir.Value]) -> list[ir.Value]:
        b, kr, depth = self.b, self.reduction.product.mac.kr, self.reduction.depth
        iterations = self._number(depth.iterations)
        steps = plus(b, times(b, iterations, depth.unroll), depth.rest)
        for n, rows in enumerate(self.reduction.live or [range(self.lhs.rows.total)]):
            left = byte_offset(b, x, times(b, steps, n * self.lhs.step_bytes(kr)))
            right = byte_offset(b, y, times(b, steps, n * self.rhs.step_bytes(kr)))
            accumulators = self._part(left, right, iterations, accumulators, rows)
        return accumulators

    def _part(
        self,
        x: ir.Value,
        y: ir.Value,
        iterations: Extent,
        accumulators: list[ir.Value],
        rows: Sequence[int],
    ) -> list[ir.Value]:
        b, kr, depth = self.b, self.reduction.product.mac.kr, self.reduction.depth
        x_bytes, y_bytes = self.lhs.step_bytes(kr), self.rhs.step_bytes(kr)
        unroll = depth.unroll

        def iteration(i: ir.Value, carried: list[ir.Value]) -> list[ir.Value]:
            left = byte_offset(b, x, scaled(b, i, unroll * x_bytes))
            right = byte_offset(b, y, scaled(b, i, unroll * y_bytes))
            if (prefetch := self.reduction.prefetch) is not None:
                place = byte_offset(b, right, prefetch.bytes)
                for line in range(prefetch.lines):
                    prefetch_line(b, byte_offset(b, place, line * CACHE_LINE), SECOND_LEVEL)
            self._steps(carried, left, right, [kr] * unroll, rows)
            return carried

        accumulators = list(loop(b, iterations, accumulators, iteration, runs=True))
        left = byte_offset(b, x, times(b, iterations, unroll * x_bytes))
        right = byte_offset(b, y, times(b, iterations, unroll * y_bytes))
        last = [kr] * depth.rest + [depth.tail] * (depth.tail > 0)
        self._steps(accumulators, left, right, last, rows)
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
        Adds the products of live rows in the steps after these addresses. Each step has only its first `count`
        elements.
        """
        follows = self.reduction.depth.has_steps
        steps = [Step(index, count, follows) for index, count in enumerate(counts)]
        rows = [(row, self.offsets[row]) for row in live]
        if isinstance(self.lhs, GroupedLhs):  # all steps of a row, which is loaded once
            rights = [self._rights(y, step) for step in steps]
            for row, (step, right) in every(rows, zip(steps, rights, strict=True)):
                self._row(accumulators, x, *row, step, right)
            return
        # Row by row: LLVM keeps this order, so that a broadcast activation occupies one register at a time.
        for step in steps:
            right = self._rights(y, step)
            for row in rows:
                self._row(accumulators, x, *row, step, right)

    def _rights(self, y: ir.Value, step: Step) -> list[ir.Value]:
        kr = self.reduction.product.mac.kr
        return [self.rhs.load(self.b, self.isa, kr, y, step, i) for i in self.wanted]

    def _row(
        self,
        accumulators: list[ir.Value],
        x: ir.Value,
        row: int,
        offset: Extent,
        step: Step,
        rights: Sequence[ir.Value],
    ) -> None:
        """Adds the products of one row in one step."""
        b, product, rows = self.b, self.reduction.product, self.lhs.rows.total
        place = byte_offset(b, x, offset)
        left = self.lhs.load(b, self.isa, product, place, step)
        first = step.index % self.reduction.accumulators * len(rights) * rows
        for column, right in enumerate(rights):
            n = first + column * rows + row
            accumulators[n] = emit_mac(b, product.mac, accumulators[n], left, right, product.kind)
