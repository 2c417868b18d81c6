"""
Emits sums of products for a block of rows and columns: the inner loops of all kernels that multiply.

    total[column, row] = sum_{t, k} x[row, t, k] * y[column, t, k]

Taps t outside, then the inner dimension k in steps of the multiply-accumulate instruction. Rows lie at
constant distances from one pointer, columns are vectors of units.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product as every
from typing import Protocol

from llvmlite import ir
from xdsl.dialects.builtin import IntegerType
from xdsl.ir import Attribute

from .elements import decode, load_raw, size_of
from .isa import Isa, Kind, Product
from .vectors import (
    CACHE_LINE,
    F32,
    F64,
    I8,
    I32,
    SECOND_LEVEL,
    broadcast,
    byte_offset,
    loop,
    prefetch,
    scaled,
    splat,
    zero,
)

Totals = dict[tuple[int, int], ir.Value]
"""Accumulators by column and row."""


@dataclass(frozen=True)
class Tap:
    """A loop over `count` taps that lie so many bytes apart in x and in y."""

    count: int
    x_bytes: int
    y_bytes: int


@dataclass(frozen=True)
class Ahead:
    """Each iteration of the inner loop asks for so many cache lines, `bytes` after its columns."""

    bytes: ir.Value
    lines: int


@dataclass(frozen=True)
class Reduction:
    """
    What is summed: over the taps (outermost first) and `depth` inner elements. `unroll` steps make an
    iteration; an integer sum is split into `chains` (every chains-th step) that are added last. What lies
    `ahead` in packed columns is fetched meanwhile.
    """

    product: Product
    taps: tuple[Tap, ...]
    depth: int
    unroll: int
    chains: int = 1
    ahead: Ahead | None = None


@dataclass(frozen=True)
class Rows:
    """The left factor: its rows lie so many bytes from a pointer, inner elements `stride` elements apart."""

    element: Attribute
    stride: int
    offsets: Sequence[int]

    def step_bytes(self, step: int) -> int:
        """From one step to the next."""
        return step * self.stride * size_of(self.element)

    def load(
        self, b: ir.IRBuilder, isa: Isa, product: Product, pointer: ir.Value, count: int, depth: int
    ) -> ir.Value:
        """One row's elements of a step, `count` of which are there, in all lanes."""
        step, lanes = product.mac.step, isa.lanes
        if step == 1:
            raw = load_raw(b, pointer, self.element, 0, lanes, lanes)
            return _as_factor(b, isa, raw, self.element)
        if self.stride == 1 and count < step <= depth:
            word = self._last_word(b, pointer, step, count)
        else:
            word = load_word(b, pointer, self.stride, step, count)
        codes = b.bitcast(broadcast(b, word, lanes), ir.VectorType(I8, lanes * step))
        if not product.offset:
            return codes
        return b.xor(codes, splat(I8, lanes * step, product.offset))

    def _last_word(self, b: ir.IRBuilder, pointer: ir.Value, step: int, count: int) -> ir.Value:
        """The last `count` bytes of a row by one load of what ends there, not a byte further."""
        missing = step - count
        word = ir.IntType(8 * step)
        whole = b.load(byte_offset(b, pointer, -missing), align=1, typ=word)
        return b.lshr(whole, ir.Constant(word, 8 * missing))


class Columns(Protocol):
    """The right factor."""

    def step_bytes(self, step: int) -> int:
        """From one step to the next."""
        ...

    def load(
        self, b: ir.IRBuilder, isa: Isa, step: int, pointer: ir.Value, column: int, count: int
    ) -> ir.Value:
        """One column's elements of a step, `count` of which are there, as the Mac takes them."""
        ...


@dataclass(frozen=True)
class PackedColumns:
    """Vectors as `pack-weights` laid them out, `vectors` of them in a step."""

    element: Attribute
    lanes: int
    vectors: int

    def step_bytes(self, step: int) -> int:
        return self.vectors * self.lanes * step * size_of(self.element)

    def load(
        self, b: ir.IRBuilder, isa: Isa, step: int, pointer: ir.Value, column: int, count: int
    ) -> ir.Value:
        whole = self.lanes * step
        place = byte_offset(b, pointer, column * whole * size_of(self.element))
        raw = load_raw(b, place, self.element, 1, whole, whole)
        return _as_factor(b, isa, raw, self.element)


@dataclass(frozen=True)
class GatheredColumns:
    """
    Vectors of units that lie anywhere: column i has `active[i]` of them from `offsets[i]` bytes on, elements
    `unit` apart, inner elements `stride` apart.
    """

    element: Attribute
    unit: int
    stride: int
    offsets: Sequence[int]
    active: Sequence[int]

    def step_bytes(self, step: int) -> int:
        return step * self.stride * size_of(self.element)

    def load(
        self, b: ir.IRBuilder, isa: Isa, step: int, pointer: ir.Value, column: int, count: int
    ) -> ir.Value:
        place, active = byte_offset(b, pointer, self.offsets[column]), self.active[column]
        if step == 1:
            raw = load_raw(b, place, self.element, self.unit, isa.lanes, active)
            return _as_factor(b, isa, raw, self.element)
        words: ir.Value = zero(ir.VectorType(ir.IntType(8 * step), isa.lanes))
        for lane in range(active):
            word = load_word(b, byte_offset(b, place, lane * self.unit), self.stride, step, count)
            words = b.insert_element(words, word, ir.Constant(I32, lane))
        return b.bitcast(words, ir.VectorType(I8, isa.lanes * step))


def load_word(b: ir.IRBuilder, pointer: ir.Value, stride: int, step: int, count: int) -> ir.Value:
    """`count` bytes, `stride` apart, as one integer of `step` bytes; never a byte more."""
    whole = ir.IntType(8 * step)
    if stride == 1 and count == step:
        return b.load(pointer, align=1, typ=whole)
    word: ir.Value = ir.Constant(whole, 0)
    for i in range(count):
        byte = b.zext(b.load(byte_offset(b, pointer, i * stride), align=1, typ=I8), whole)
        word = b.or_(word, b.shl(byte, ir.Constant(whole, 8 * i)))
    return word


def _as_factor(b: ir.IRBuilder, isa: Isa, raw: ir.Value, element: Attribute) -> ir.Value:
    """Codes as they are: a Mac widens them itself."""
    return raw if isinstance(element, IntegerType) else decode(b, isa, raw, element)


@dataclass
class Sums:
    """One block's worth of emission: `wanted` are the numbers of columns."""

    b: ir.IRBuilder
    isa: Isa
    reduction: Reduction
    rows: Rows
    columns: Columns
    wanted: Sequence[int]

    def emit(self, x: ir.Value, y: ir.Value) -> Totals:
        """The totals of a block whose factors start at these places."""
        keys = list(every(self.wanted, range(len(self.rows.offsets))))
        chains = self.reduction.chains
        accumulator = ir.VectorType(_accumulator(self.reduction.product.kind), self.isa.lanes)
        sums = self._taps(0, x, y, [zero(accumulator)] * (len(keys) * chains))
        totals = sums[: len(keys)]
        for chain in range(1, chains):
            more = sums[chain * len(keys) :]
            totals = [self.b.add(t, other) for t, other in zip(totals, more, strict=False)]
        return dict(zip(keys, totals, strict=True))

    def _taps(self, level: int, x: ir.Value, y: ir.Value, sums: list[ir.Value]) -> list[ir.Value]:
        if level == len(self.reduction.taps):
            return self._inner(x, y, sums)
        b, tap = self.b, self.reduction.taps[level]

        def iteration(i: ir.Value, carried: list[ir.Value]) -> list[ir.Value]:
            left = byte_offset(b, x, scaled(b, i, tap.x_bytes))
            right = byte_offset(b, y, scaled(b, i, tap.y_bytes))
            return self._taps(level + 1, left, right, carried)

        return loop(b, tap.count, sums, iteration)

    def _inner(self, x: ir.Value, y: ir.Value, sums: list[ir.Value]) -> list[ir.Value]:
        b, unroll, step = self.b, self.reduction.unroll, self.reduction.product.mac.step
        x_bytes, y_bytes = self.rows.step_bytes(step), self.columns.step_bytes(step)
        steps, tail = divmod(self.reduction.depth, step)
        iterations, rest = divmod(steps, unroll)

        def iteration(i: ir.Value, carried: list[ir.Value]) -> list[ir.Value]:
            left = byte_offset(b, x, scaled(b, i, unroll * x_bytes))
            right = byte_offset(b, y, scaled(b, i, unroll * y_bytes))
            if (ahead := self.reduction.ahead) is not None:
                place = byte_offset(b, right, ahead.bytes)
                for line in range(ahead.lines):
                    prefetch(b, byte_offset(b, place, line * CACHE_LINE), SECOND_LEVEL)
            for u in range(unroll):
                self._step(carried, left, right, u, step)
            return carried

        sums = list(loop(b, iterations, sums, iteration))
        left = byte_offset(b, x, iterations * unroll * x_bytes)
        right = byte_offset(b, y, iterations * unroll * y_bytes)
        for u in range(rest):
            self._step(sums, left, right, u, step)
        if tail:
            self._step(sums, left, right, rest, tail)
        return sums

    def _step(self, sums: list[ir.Value], x: ir.Value, y: ir.Value, u: int, count: int) -> None:
        """Adds the products of step number u after these places; `count` elements of it are there."""
        b, isa, product = self.b, self.isa, self.reduction.product
        step, rows = product.mac.step, self.rows
        x = byte_offset(b, x, u * rows.step_bytes(step))
        y = byte_offset(b, y, u * self.columns.step_bytes(step))
        rights = [self.columns.load(b, isa, step, y, i, count) for i in self.wanted]
        first = u % self.reduction.chains * len(rights) * len(rows.offsets)
        # Row by row: code generation keeps this order, and each activation in a register as long as needed.
        for row, offset in enumerate(rows.offsets):
            place = byte_offset(b, x, offset)
            left = rows.load(b, isa, product, place, count, self.reduction.depth)
            for column, right in enumerate(rights):
                n = first + column * len(rows.offsets) + row
                sums[n] = product.mac.emit(b, sums[n], left, right, product.kind)


def _accumulator(kind: Kind) -> ir.Type:
    return {"f32": F32, "f64": F64}.get(kind[0], I32)
