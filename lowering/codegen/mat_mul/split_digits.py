"""Emits `kernel.split_digits`: splits blocks of activations into digits, vector by vector."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from ....dialects.kernel import (
    DIGIT_BASE,
    DIGITS,
    GREATEST_DIGITS,
    Access,
    SplitDigitsOp,
    Term,
    blocks_of,
    padded_block,
)
from ...machine import Isa
from .. import ir
from ..body import KernelBody, emit_body
from ..elements import Operand, load_lanes, memref, store_raw
from ..emitter import Emitter, Prologue
from ..intrinsics import call_intrinsic
from ..vectors import (
    F32,
    I8,
    I32,
    broadcast,
    byte_offset,
    for_each,
    index,
    scaled,
    splat,
    zero,
)

MAGNITUDE, INFINITY = 0x7FFFFFFF, 0x7F800000
"""Bit patterns of f32: all bits but the sign, and infinity. NaN has greater magnitudes."""

FRACTION_BITS = 23

CARRY = (1 << FRACTION_BITS) - 1 - (2 * GREATEST_DIGITS - (1 << FRACTION_BITS))
"""Added to the bits of a peak, this carries into the exponent if the digits cannot hold the peak with its exponent."""

UNIT_STEPS = FRACTION_BITS - 1
"""By how much the exponent of a unit is less than that of its peak."""

INVERSE = 2 * 127
"""The sum of the biased exponents of a number and of its inverse."""

SMALL = 2.0**-140
"""A factor that leaves infinity infinite and makes everything finite too small for a digit."""


@dataclass(frozen=True)
class SplitDigitsKernel(Emitter):
    """What of a split decides its machine code; equal ones share a function."""

    rows: int
    depth: int
    block: int
    arrays: tuple[Operand, ...]
    body: KernelBody

    @classmethod
    def of(cls, op: SplitDigitsOp, isa: Isa) -> SplitDigitsKernel:
        """The kernel of an operation on planned memory."""
        x, *made = (memref(value) for value in (*op.ins, *op.outs))
        whole = [Access(4, tuple(map(Term, range(len(each.get_shape()))))) for each in made]
        places = Access(4, (Term(0), Term(1)))
        operands = [Operand.of(each, how) for each, how in zip(made, whole, strict=True)]
        rows, depth = x.get_shape()
        return cls(
            rows,
            depth,
            op.block.value.data,
            (Operand.of(x, places), *operands),
            KernelBody.of(op.body),
        )

    @property
    def operands(self) -> tuple[Operand, ...]:
        """Activations, digits, units and sums."""
        return self.arrays

    def emit_loops(self, prologue: Prologue) -> None:
        """Loops over rows and whole blocks; a shorter last block follows."""
        b = prologue.b
        x, *made = self.arrays
        first, rows = prologue.partition.of(b, self.rows)
        whole, rest = divmod(self.depth, self.block)

        def place(row: ir.Value, block: ir.Value) -> list[ir.Value]:
            steps = [(x.strides[0], x.strides[1] * self.block)]
            steps += [(each.strides[0], each.strides[1]) for each in made]
            found: list[ir.Value] = []
            for pointer, operand, (by_row, by_block) in zip(
                prologue.pointers, self.arrays, steps, strict=True
            ):
                elements = b.add(scaled(b, row, by_row), scaled(b, block, by_block))
                found.append(byte_offset(b, pointer, scaled(b, elements, operand.size)))
            return found

        def each_row(i: ir.Value) -> None:
            row = b.add(first, i)

            def each_block(j: ir.Value) -> None:
                _Block(b, prologue.isa, self, self.block, *place(row, j)).emit()

            for_each(b, whole, each_block)
            if rest:
                _Block(b, prologue.isa, self, rest, *place(row, index(whole))).emit()

        assert blocks_of(self.depth, self.block) == whole + bool(rest)
        for_each(b, rows, each_row)


@dataclass(frozen=True)
class _Block:
    """A block of so many activations, and where its results go."""

    b: ir.IRBuilder
    isa: Isa
    kernel: SplitDigitsKernel
    count: int
    x: ir.Value
    digits: ir.Value
    unit: ir.Value
    sums: ir.Value

    def emit(self) -> None:
        b, lanes = self.b, self.isa.lanes
        unit, factor = self._unit(self._peak())
        b.store(unit, self.unit, align=4)
        sums: list[ir.Value] = [zero(ir.VectorType(I32, lanes))] * DIGITS
        factors = broadcast(b, factor, lanes)
        for start in range(0, padded_block(self.kernel.block), lanes):
            sums = self._vector(start, factors, sums)
        for i, total in enumerate(sums):
            place = byte_offset(b, self.sums, i * self.kernel.arrays[3].strides[2] * 4)
            b.store(
                call_intrinsic(b, "llvm.vector.reduce.add", I32, [total], [total.type]),
                place,
                align=4,
            )

    def _load(self, start: int) -> ir.Value:
        """The body's results for a vector of activations; 0 behind the last one."""
        b, lanes, operand = self.b, self.isa.lanes, self.kernel.arrays[0]
        active = max(0, min(lanes, self.count - start))
        place = byte_offset(b, self.x, start * operand.strides[1] * operand.size)
        raw = load_lanes(b, self.isa, place, operand.element, operand.strides[1], lanes, active)
        (value,) = emit_body(b, self.isa, self.kernel.body, lanes, [raw])
        if active == lanes:
            return value
        mask = ir.Constant(
            ir.VectorType(ir.IntType(1), lanes), [int(i < active) for i in range(lanes)]
        )
        return b.select(mask, value, zero(value.type))

    def _peak(self) -> ir.Value:
        """The bits of the greatest magnitude. Bits of magnitudes are in order, NaN last."""
        b, lanes = self.b, self.isa.lanes
        words = ir.VectorType(I32, lanes)
        most: ir.Value = zero(words)
        for start in range(0, self.count, lanes):
            bits = b.and_(b.bitcast(self._load(start), words), splat(I32, lanes, MAGNITUDE))
            most = call_intrinsic(b, "llvm.umax", words, [most, bits], [words])
        return call_intrinsic(b, "llvm.vector.reduce.umax", I32, [most], [words])

    def _unit(self, peak: ir.Value) -> tuple[ir.Value, ir.Value]:
        """The unit, and the factor for activations."""
        b, word = self.b, partial(ir.Constant, I32)
        exponent = b.lshr(b.add(peak, word(CARRY)), word(FRACTION_BITS))
        exponent = call_intrinsic(b, "llvm.umax", I32, [exponent, word(UNIT_STEPS + 1)], [I32])
        power = b.sub(exponent, word(UNIT_STEPS))
        unit = b.bitcast(b.shl(power, word(FRACTION_BITS)), F32)
        factor = b.bitcast(b.shl(b.sub(word(INVERSE), power), word(FRACTION_BITS)), F32)
        is_finite = b.icmp_unsigned("<", peak, word(INFINITY))
        return (
            b.select(is_finite, unit, b.bitcast(peak, F32)),
            b.select(is_finite, factor, ir.Constant(F32, SMALL)),
        )

    def _vector(self, start: int, factors: ir.Value, sums: list[ir.Value]) -> list[ir.Value]:
        """Stores the digits of a vector; gives the sums of digits after adding them."""
        b, lanes, digits = self.b, self.isa.lanes, self.kernel.arrays[1]
        words = ir.VectorType(I32, lanes)
        active = min(lanes, padded_block(self.kernel.block) - start)
        x = b.fmul(self._load(start), factors)
        low, high = (splat(F32, lanes, sign * GREATEST_DIGITS) for sign in (-1, 1))
        x = b.select(b.fcmp_ordered(">", x, low), x, low)
        x = b.select(b.fcmp_ordered("<", x, high), x, high)
        whole = call_intrinsic(b, "llvm.lrint", words, [x], [words, x.type])
        half = DIGIT_BASE // 2
        raised = b.add(whole, splat(I32, lanes, sum(half * DIGIT_BASE**i for i in range(DIGITS))))
        found: list[ir.Value] = []
        for i, total in enumerate(sums):
            shift = 8 * (DIGITS - 1 - i)
            byte = b.and_(
                b.lshr(raised, splat(I32, lanes, shift)), splat(I32, lanes, DIGIT_BASE - 1)
            )
            digit = b.sub(byte, splat(I32, lanes, half))
            place = byte_offset(b, self.digits, i * digits.strides[2] + start * digits.strides[3])
            store_raw(
                b,
                self.isa,
                place,
                digits.element,
                digits.strides[3],
                b.trunc(digit, ir.VectorType(I8, lanes)),
                active,
            )
            found.append(b.add(total, digit))
        return found
