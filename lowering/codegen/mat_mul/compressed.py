"""
Emits `kernel.compressed_mat_mul`: each tile of units streams its codes once, and unpacks them in registers.

A block has a sum for each digit of the activations. The zero point times the sum of the digits is subtracted from it.
The sums of all digits become one f32, which is scaled and added to the total of the blocks before.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from itertools import product as every

from ....dialects.kernel import DIGIT_BASE, DIGITS, Access, CompressedMatMulOp, Term, padded_block
from ...machine import CACHE_LINE, Isa
from .. import ir
from ..body import KernelBody
from ..elements import Operand, ins_and_outs, load_lanes, memref
from ..emitter import Emitter, Prologue
from ..epilogue import Epilogue, Key
from ..instructions import add_pairs, emit_mac, sum_of_pairs
from ..intrinsics import call_intrinsic
from ..loop_nest import Values, advance
from ..schedule.compressed_mat_mul import CompressedMatMulSchedule
from ..schedule.register_tiles import row_tiles
from ..vectors import (
    F32,
    I8,
    I32,
    broadcast,
    byte_offset,
    for_each,
    index,
    loop,
    prefetch_near,
    scaled,
    splat,
    zero,
)
from ..work_partition import Partition

ROW, TILE, BLOCK, PLACE = range(4)
"""The dimensions that operands move along: rows, tiles of units, blocks of k, and a place inside of these."""


@dataclass(frozen=True)
class CompressedMatMulKernel(Emitter):
    """
    What of a product decides its machine code; equal ones share a function. Digits, codes, scales and zeros move along
    rows, tiles, blocks and a place in these; `ins` and `outs` along rows and units.
    """

    rows: int
    columns: int
    blocks: int
    block: int
    bits: int
    zero: int
    digits: tuple[Operand, Operand, Operand]
    codes: Operand
    scales: Operand | None
    zeros: Operand | None
    ins: tuple[Operand, ...]
    outs: tuple[Operand, ...]
    schedule: CompressedMatMulSchedule
    body: KernelBody

    @classmethod
    def of(cls, op: CompressedMatMulOp, isa: Isa) -> CompressedMatMulKernel:
        """The kernel of an operation on planned memory."""
        rows, columns = op.shape
        block, bits = op.block.value.data, op.bits.value.data
        schedule = CompressedMatMulSchedule.follow(isa, op.packed, rows, block, bits)
        digits, units, sums = map(memref, op.digits)
        of_tile = Access(4, (Term(TILE), Term(BLOCK), Term(PLACE)))
        scales, zeros = (
            Operand.of(memref(values[0]), of_tile) if values else None
            for values in (op.scales, op.zeros)
        )
        none = [Term(None)] * 3
        ins, outs = ins_and_outs(op)
        return cls(
            rows,
            columns,
            op.blocks,
            block,
            bits,
            op.zero.value.data,
            (
                Operand.of(digits, Access(4, (Term(ROW), Term(BLOCK), Term(PLACE), Term(None)))),
                Operand.of(units, Access(4, (Term(ROW), Term(BLOCK)))),
                Operand.of(sums, Access(4, (Term(ROW), Term(BLOCK), Term(PLACE)))),
            ),
            Operand.of(memref(op.codes), Access(4, (Term(TILE), Term(BLOCK), Term(PLACE), *none))),
            scales,
            zeros,
            ins,
            outs,
            schedule,
            KernelBody.of(op.body),
        )

    @property
    def operands(self) -> tuple[Operand, ...]:
        """In the order of the function's arguments."""
        return (*self.factors, *self.ins, *self.outs)

    @property
    def factors(self) -> tuple[Operand, ...]:
        """
        The operands that are multiplied: digits, units, sums, codes, and scales and zero points where there are any.
        """
        parameters = [each for each in (self.scales, self.zeros) if each is not None]
        return (*self.digits, self.codes, *parameters)

    def emit_loops(self, prologue: Prologue) -> None:
        """Loops over tiles of units, of which a partition has its share, and over rows."""
        _Emission(prologue.b, prologue.isa, self).all(prologue.pointers, prologue.partition)


@dataclass(frozen=True)
class _Emission:
    b: ir.IRBuilder
    isa: Isa
    kernel: CompressedMatMulKernel

    @property
    def width(self) -> int:
        """Units of a tile."""
        return self.kernel.schedule.nr_vectors * self.isa.lanes

    def all(self, pointers: Values, partition: Partition) -> None:
        """All tiles, or those of the partition; the last one has the last tile, if it is not full."""
        whole, rest = divmod(self.kernel.columns, self.width)
        first, count = partition.of(self.b, whole)

        def iteration(i: ir.Value) -> None:
            self._tile(self._advanced(pointers, TILE, self.b.add(first, i)), self.width)

        for_each(self.b, count, iteration)
        if rest:
            with partition.at_end(self.b):
                self._tile(self._advanced(pointers, TILE, index(whole)), rest)

    def _advanced(self, pointers: Values, dimension: int, i: ir.Value, by: int = 1) -> Values:
        """The pointers at position `i` of a dimension; the strides are multiplied by `by`."""
        kernel = self.kernel
        steps = [operand.strides[dimension] * by for operand in kernel.factors]
        across = {ROW: (0, 1), TILE: (1, self.width)}
        for operand in (*kernel.ins, *kernel.outs):
            d, size = across.get(dimension, (0, 0))
            steps.append(operand.strides[d] * size * by)
        return advance(self.b, kernel.operands, pointers, i, steps)

    def _tile(self, pointers: Values, width: int) -> None:
        """A tile of units: its register tiles, the largest first."""
        done = 0
        for count, size in row_tiles(self.kernel.rows, self.kernel.schedule.mr[0]):
            start = self._advanced(pointers, ROW, index(done)) if done else pointers

            def iteration(i: ir.Value, start: Values = start, size: int = size) -> None:
                self._register_tile(self._advanced(start, ROW, i, size), size, width)

            for_each(self.b, count, iteration)
            done += count * size

    def _register_tile(self, pointers: Values, rows: int, width: int) -> None:
        """The sums over all blocks for some rows, and the body on each vector of them."""
        b, kernel, lanes = self.b, self.kernel, self.isa.lanes
        vectors = range(-(-width // lanes))
        keys: list[Key] = list(every(vectors, range(rows)))
        none = zero(ir.VectorType(F32, lanes))

        def iteration(i: ir.Value, carried: Values) -> Values:
            here = self._advanced(pointers, BLOCK, i)
            return self._block(here, keys, carried)

        totals = loop(b, kernel.blocks, [none] * len(keys), iteration)
        count = len(kernel.factors)
        found = {key: [total] for key, total in zip(keys, totals, strict=True)}
        epilogue = Epilogue(kernel.body, kernel.ins, kernel.outs)
        strides = epilogue.in_bytes([operand.strides[0] for operand in epilogue.operands])
        epilogue.emit(b, self.isa, pointers[count:], [(rows, strides)], width, found)

    def _block(self, pointers: Values, keys: list[Key], totals: Values) -> Values:
        """The totals after the sums of a block are added."""
        b, kernel, unroll = self.b, self.kernel, self.kernel.schedule.unroll
        digits, units, sums, codes, *parameters = pointers[: len(kernel.factors)]
        start = [self._first_sum(sums, row, i) for (_, row), i in every(keys, range(DIGITS))]
        code_bytes, digit_bytes = self._step_bytes
        whole, rest = divmod(padded_block(kernel.block) // digit_bytes, unroll)

        def steps(first: ir.Value, count: int, exact: Values) -> None:
            at = byte_offset(b, codes, scaled(b, first, code_bytes))
            x = byte_offset(b, digits, scaled(b, first, digit_bytes))
            self._steps(at, x, count, keys, exact)

        def iteration(i: ir.Value, carried: Values) -> Values:
            steps(scaled(b, i, unroll), unroll, carried)
            return carried

        exact = list(loop(b, whole, start, iteration))
        if rest:
            steps(index(whole * unroll), rest, exact)
        if kernel.zeros is not None:
            exact = self._without_zeros(exact, sums, parameters[-1], keys)
        scale = parameters[0] if kernel.scales is not None else None
        return self._added(totals, exact, units, scale, keys)

    @property
    def _step_bytes(self) -> tuple[int, int]:
        """The bytes of codes of a tile, and those of digits of a row, that one step multiplies."""
        kr = self.kernel.schedule.product.mac.kr
        return self.width * kr, kr * 8 // self.kernel.bits

    def _steps(
        self, codes: ir.Value, digits: ir.Value, count: int, keys: list[Key], exact: Values
    ) -> None:
        """Adds the products of some steps to the exact sums, in place."""
        b, schedule, product = self.b, self.kernel.schedule, self.kernel.schedule.product
        code_bytes, digit_bytes = self._step_bytes
        lines = range(schedule.ahead, schedule.ahead + count * code_bytes, CACHE_LINE)
        prefetch_near(b, self.isa, codes, lines, 1, 0)
        words: list[ir.Value | None] = [None] * len(exact)
        for u in range(count):
            here = byte_offset(b, codes, u * code_bytes), byte_offset(b, digits, u * digit_bytes)
            for n, code, digit in self._step(*here, keys):
                if schedule.sums_words:
                    pairs = sum_of_pairs(b, product.mac, code, digit)
                    before = words[n]
                    words[n] = pairs if before is None else b.add(before, pairs)
                else:
                    exact[n] = emit_mac(b, product.mac, exact[n], code, digit, product.kind)
        for n, found in enumerate(words):
            if found is not None:
                exact[n] = b.add(exact[n], add_pairs(b, found))

    def _added(
        self,
        totals: Values,
        exact: Values,
        units: ir.Value,
        scale: ir.Value | None,
        keys: list[Key],
    ) -> Values:
        """The totals and the exact sums of a block, which are those of digits, times their unit and scales."""
        b, kernel, isa = self.b, self.kernel, self.isa
        vector = ir.VectorType(F32, isa.lanes)
        base = splat(F32, isa.lanes, DIGIT_BASE)
        fma = partial(call_intrinsic, b, "llvm.fma", vector, overload=[vector])
        found: Values = []
        for n, ((v, row), total) in enumerate(zip(keys, totals, strict=True)):
            first, *others = (
                b.sitofp(each, vector) for each in exact[n * DIGITS : (n + 1) * DIGITS]
            )
            for each in others:
                first = fma([first, base, each])
            unit = self._broadcast(units, kernel.digits[1], row, F32)
            if scale is None or kernel.scales is None:
                found.append(fma([first, unit, total]))
                continue
            place = byte_offset(b, scale, v * isa.lanes * kernel.scales.size)
            scales = load_lanes(b, isa, place, kernel.scales.element, 1, isa.lanes, isa.lanes)
            found.append(fma([b.fmul(first, unit), scales, total]))
        return found

    def _broadcast(
        self, pointer: ir.Value, operand: Operand, row: int, type: ir.Type, place: int = 0
    ) -> ir.Value:
        """A number of a block and a row, in all lanes."""
        offset = (operand.strides[ROW] * row + place) * operand.size
        number = self.b.load(byte_offset(self.b, pointer, offset), align=operand.size, typ=type)
        return broadcast(self.b, number, self.isa.lanes)

    def _first_sum(self, sums: ir.Value, row: int, digit: int) -> ir.Value:
        """
        The start value of the sums of a digit: minus the zero point that all units share, times the sum of the digits.
        """
        b, lanes = self.b, self.isa.lanes
        if self.kernel.zero == 0:
            return zero(ir.VectorType(I32, lanes))
        return b.mul(self._sum(sums, row, digit), splat(I32, lanes, -self.kernel.zero))

    def _sum(self, sums: ir.Value, row: int, digit: int) -> ir.Value:
        """The sum of a digit, in all lanes."""
        operand = self.kernel.digits[2]
        return self._broadcast(sums, operand, row, I32, digit * operand.strides[PLACE])

    def _without_zeros(
        self, exact: Values, sums: ir.Value, zeros: ir.Value, keys: list[Key]
    ) -> Values:
        """
        Subtracts the zero points of units, times the sums of digits. It comes last, since zero points are loaded late.
        """
        b, isa, operand = self.b, self.isa, self.kernel.zeros
        assert operand is not None
        points: dict[int, ir.Value] = {}
        for v in sorted({v for v, _ in keys}):
            place = byte_offset(b, zeros, v * isa.lanes * operand.size)
            points[v] = load_lanes(b, isa, place, operand.element, 1, isa.lanes, isa.lanes)
        each = every(keys, range(DIGITS))
        return [
            b.sub(total, b.mul(points[v], self._sum(sums, row, digit)))
            for total, ((v, row), digit) in zip(exact, each, strict=True)
        ]

    def _step(
        self, codes: ir.Value, digits: ir.Value, keys: list[Key]
    ) -> Iterator[tuple[int, ir.Value, ir.Value]]:
        """
        The codes and digits that one step multiplies, with the number of their sum: KR elements of each unit, or twice
        as many where codes have 4 bits.
        """
        b, kernel, lanes = self.b, self.kernel, self.isa.lanes
        kr = kernel.schedule.product.mac.kr
        bytes = ir.VectorType(I8, lanes * kr)
        unpacked: dict[int, list[ir.Value]] = {}
        for v, _ in keys:
            if v not in unpacked:
                place = byte_offset(b, codes, v * lanes * kr)
                raw = b.load(place, align=1, typ=bytes)
                unpacked[v] = self._unpacked(raw)
        rows = sorted({row for _, row in keys})
        operand = kernel.digits[0]
        for half, row, i in every(range(8 // kernel.bits), rows, range(DIGITS)):
            offset = row * operand.strides[ROW] + i * operand.strides[PLACE] + half * kr
            word = b.load(byte_offset(b, digits, offset), align=1, typ=ir.IntType(8 * kr))
            x = b.bitcast(broadcast(b, word, lanes), bytes)
            for n, (v, mine) in enumerate(keys):
                if mine == row:
                    yield n * DIGITS + i, unpacked[v][half], x

    def _unpacked(self, raw: ir.Value) -> list[ir.Value]:
        """Codes of 4 bits as bytes: the low halves, and the high ones."""
        if self.kernel.bits == 8:
            return [raw]
        b = self.b
        assert isinstance(raw.type, ir.VectorType)
        count = raw.type.count
        return [
            b.and_(raw, splat(I8, count, 15)),
            b.lshr(raw, splat(I8, count, 4)),
        ]
