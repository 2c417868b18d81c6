"""
Products of rows of codes, each of which is prepared once for all units: `vpmaddubsw` multiplies bytes of weights as
they lie in memory, where `vpmaddwd` would widen each of them.

It multiplies u8 by i8, and a sum of two products must fit i16. So weights of 8 bits are multiplied by the magnitudes of
codes (`magnitudes_and_signs`). A step has the word of its magnitudes, then that of its masks. Weights of 4 bits are u8
when `NARROW_BIAS` is added; codes are then the other factor, and the sums of several steps fit i16 (`WORD_STEPS`). What
a unit's sums begin with corrects them in both cases: minus the sum of magnitudes times masks, or minus `NARROW_BIAS`
times the sum of codes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product as every

from ....dialects.kernel.packed_layout import NARROW_BIAS, PackedLayout
from ...instructions import WORD_STEPS
from ...machine import CACHE_LINE, Isa, ProductInstruction
from .. import ir
from ..elements import Operand, load_raw
from ..instructions import add_pairs, magnitudes_and_signs, sum_of_fours, sum_of_pairs
from ..intrinsics import call_intrinsic
from ..vectors import (
    I8,
    I16,
    I32,
    broadcast,
    byte_offset,
    first_lanes,
    index,
    loop,
    scaled,
    shuffle,
    splat,
    zero,
)

WORD_BYTES = 4
"""Bytes of a step's codes."""


Rows = Sequence[ir.Value]
"""Where prepared rows lie."""
Key = tuple[int, int]
"""A column and a row."""
Keys = Sequence[Key]
Values = list[ir.Value]


@dataclass(frozen=True)
class RowLayout:
    """How the `depth` codes of a row lie once they are prepared for weights of so many bits."""

    depth: int
    bits: int
    product: ProductInstruction

    @property
    def step_bytes(self) -> int:
        """The distance from one step to the next."""
        return WORD_BYTES * (2 if self.bits == 8 else 1)

    @property
    def steps(self) -> int:
        """Steps of weights."""
        return -(-self.depth // self.product.mac.kr)

    @property
    def bytes(self) -> int:
        """Memory of a prepared row, in whole cache lines: what sums begin with has one of its own, the first."""
        return CACHE_LINE - (-self.steps * self.step_bytes // CACHE_LINE) * CACHE_LINE


@dataclass(frozen=True)
class RowPreparation:
    """Prepares a row, vector by vector."""

    b: ir.IRBuilder
    isa: Isa
    layout: RowLayout
    a: Operand

    def emit(self, x: ir.Value, place: ir.Value) -> None:
        """Reads the codes at `x` and writes to `place`."""
        b, isa, layout = self.b, self.isa, self.layout
        codes = WORD_BYTES * isa.lanes
        whole, rest = divmod(layout.depth, codes)
        (stride,) = self.a.strides
        codes_at = byte_offset(b, place, CACHE_LINE)

        def vector(i: ir.Value, active: int, total: ir.Value) -> ir.Value:
            source = byte_offset(b, x, scaled(b, i, codes * stride * self.a.size))
            raw = load_raw(b, source, self.a.element, stride, codes, active)
            if layout.product.offset:
                moved = b.xor(raw, splat(I8, codes, layout.product.offset))
                raw = b.select(first_lanes(codes, active), moved, zero(raw.type))
            target = byte_offset(b, codes_at, scaled(b, i, isa.lanes * layout.step_bytes))
            return b.add(total, self._store(raw, target))

        totals = loop(
            b,
            whole,
            [zero(ir.VectorType(I32, isa.lanes))],
            lambda i, carried: [vector(i, codes, *carried)],
        )
        if rest:
            totals = [vector(index(whole), rest, *totals)]
        (total,) = totals
        sum = call_intrinsic(b, "llvm.vector.reduce.add", I32, [total], [total.type])
        factor = ir.Constant(I32, 1 if layout.bits == 8 else NARROW_BIAS)
        b.store(b.sub(ir.Constant(I32, 0), b.mul(sum, factor)), place, align=WORD_BYTES)

    def _store(self, codes: ir.Value, target: ir.Value) -> ir.Value:
        """Stores a vector of codes; gives the sums of what corrects their products."""
        b, mac, lanes = self.b, self.layout.product.mac, self.isa.lanes
        if self.layout.bits != 8:
            b.store(codes, target, align=1)
            return sum_of_fours(b, mac, splat(I8, WORD_BYTES * lanes, 1), codes)
        magnitudes, negative = magnitudes_and_signs(b, codes)
        words = ir.VectorType(I32, lanes)
        left, right = b.bitcast(magnitudes, words), b.bitcast(negative, words)
        order = [part for lane in range(lanes) for part in (lane, lanes + lane)]
        b.store(shuffle(b, left, order, right), target, align=1)
        return sum_of_fours(b, mac, magnitudes, negative)


@dataclass(frozen=True)
class RowSums:
    """
    The sums of prepared rows with a tile of weights, `packed` for so many `groups`, of whose vectors in a step those of
    the `columns` are wanted. Step n of weights of 8 bits adds to number n of the `accumulators`, modulo those.
    """

    b: ir.IRBuilder
    isa: Isa
    layout: RowLayout
    packed: PackedLayout
    groups: int
    columns: Sequence[int]
    accumulators: int
    unroll: int

    def emit(self, rows: Rows, y: ir.Value) -> dict[Key, ir.Value]:
        """By column and row."""
        keys = list(every(self.columns, range(len(rows))))
        starts = [self._word(row) for row in rows]
        start = [starts[row] for _, row in keys]
        sums = self._of_bytes if self.layout.bits == 8 else self._of_nibbles
        return dict(zip(keys, sums(rows, y, keys, start), strict=True))

    def _of_bytes(self, rows: Rows, y: ir.Value, keys: Keys, start: Values) -> Values:
        b, mac, count = self.b, self.layout.product.mac, len(keys)
        others = [zero(start[0].type)] * ((self.accumulators - 1) * count)

        def steps(first: ir.Value, number: int, carried: Values) -> None:
            for n in range(number):
                at = n % self.accumulators * count
                weights = {column: self._weights(y, first, n, column) for column in self.columns}
                codes = [[self._codes(row, first, n, part) for part in range(2)] for row in rows]
                for key, (column, row) in enumerate(keys, at):
                    magnitudes, negative = codes[row]
                    signed = b.xor(weights[column], negative)
                    products = sum_of_fours(b, mac, magnitudes, signed)
                    carried[key] = b.add(carried[key], products)

        totals = self._steps([*start, *others], self.layout.steps, self.unroll, steps)
        for n in range(count, len(totals)):
            totals[n % count] = b.add(totals[n % count], totals[n])
        return totals[:count]

    def _of_nibbles(self, rows: Rows, y: ir.Value, keys: Keys, start: Values) -> Values:
        b, mac = self.b, self.layout.product.mac
        bytes = WORD_BYTES * self.isa.lanes
        sign, four, low = (splat(I8, bytes, code) for code in (-128, 4, 15))

        pairs: dict[Key, list[int]] = {}  # by vector of bytes and row, the numbers of their sums
        for number, (column, row) in enumerate(keys):
            pairs.setdefault((self.packed.stored_vector(column), row), []).append(number)

        def steps(first: ir.Value, number: int, carried: Values) -> None:
            for (_, row), sums in pairs.items():  # the words of one pair are live at a time
                words = [zero(ir.VectorType(I16, bytes // 2))] * len(sums)
                for n in range(number):
                    both = self._weights(y, first, n, keys[sums[0]][0])
                    codes = self._codes(rows[row], first, n, 0)
                    halves = (b.and_(both, low), b.lshr(b.xor(both, sign), four))
                    words = [
                        b.add(word, sum_of_pairs(b, mac, half, codes))
                        for word, half in zip(words, halves, strict=False)  # perhaps the low one
                    ]
                for sum, word in zip(sums, words, strict=True):
                    carried[sum] = b.add(carried[sum], add_pairs(b, word))

        return self._steps(start, self.layout.steps, WORD_STEPS, steps)

    def _steps(
        self,
        carried: Values,
        count: int,
        unroll: int,
        emit: Callable[[ir.Value, int, Values], None],
    ) -> Values:
        """`emit` gets the number of the first of some steps of stored weights, how many there are, and the sums."""
        whole, rest = divmod(count, unroll)

        def iteration(i: ir.Value, carried: Values) -> Values:
            emit(scaled(self.b, i, unroll), unroll, carried)
            return carried

        totals = list(loop(self.b, whole, carried, iteration))
        emit(index(whole * unroll), rest, totals)
        return totals

    def _weights(self, y: ir.Value, first: ir.Value, step: int, column: int) -> ir.Value:
        """The bytes of the weights of a column in a step behind the first one."""
        b, bytes, packed = self.b, WORD_BYTES * self.isa.lanes, self.packed
        vectors = self.groups * packed.stored_vectors
        start = byte_offset(b, y, scaled(b, first, vectors * bytes))
        place = byte_offset(b, start, (step * vectors + packed.stored_vector(column)) * bytes)
        return b.load(place, align=1, typ=ir.VectorType(I8, bytes))

    def _codes(self, row: ir.Value, first: ir.Value, step: int, part: int) -> ir.Value:
        """A word of a step behind the first one, in all lanes."""
        b, bytes = self.b, self.layout.step_bytes
        start = byte_offset(b, row, scaled(b, first, bytes))
        place = byte_offset(b, start, CACHE_LINE + step * bytes + part * WORD_BYTES)
        return b.bitcast(self._word(place), ir.VectorType(I8, WORD_BYTES * self.isa.lanes))

    def _word(self, place: ir.Value) -> ir.Value:
        return broadcast(self.b, self.b.load(place, align=WORD_BYTES, typ=I32), self.isa.lanes)
