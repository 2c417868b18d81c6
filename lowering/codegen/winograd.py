"""
Emits `kernel.convolution` whose filters are transformed for Winograd's algorithm (`dialects.kernel.winograd`).

A block of tiles goes through three stages on scratch memory. The input of each tile is transformed. For a tile of
units, each point of all tiles of the block is a matrix product with the channels as depth (`MatMulKernel`). The sums of
each tile are transformed to positions, and the body finishes them while they are in registers.

Codes are transformed in i16 and summed up in i32. What comes out is `scale**2` times the sums modulo 2**32: the odd
part of that factor has an inverse, and the other is a shift.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product as every
from math import prod

from xdsl.dialects.builtin import f32, i16, i32

from ...dialects.kernel import (
    TAPS,
    ConvolutionOp,
    PackedLayout,
    WinogradLayout,
    strides_of,
)
from ..bodies import build_body, same
from ..machine import Isa, element_name
from . import ir
from .body import KernelBody
from .elements import Operand, ins_and_outs, load_raw, memref, store_raw
from .emitter import Emitter, Prologue
from .epilogue import Epilogue
from .instructions import widen
from .intrinsics import call_intrinsic
from .loop_nest import Values, advance
from .mat_mul import MatMulKernel
from .schedule.costs import LONGEST_EPILOGUE
from .schedule.winograd import SUM_BYTES, WinogradSchedule, WinogradShape, depth
from .vectors import F32, I16, I32, byte_offset, index, laundered, loop, scaled, splat, zero
from .work_partition import Partition

Extent = int | ir.Value
"""How many there are, which only the run may tell."""


@dataclass(frozen=True)
class WinogradKernel(Emitter):
    """
    What of such a convolution decides its machine code; equal ones share a function.

    `positions` are (batch, height, width). `a`, `ins` and `outs` move along them and a last dimension: channels or
    units. `b` are packed filters.
    """

    positions: tuple[int, int, int]
    channels: int
    units: int
    a: Operand
    b: Operand
    ins: tuple[Operand, ...]
    outs: tuple[Operand, ...]
    schedule: WinogradSchedule
    body: KernelBody

    @classmethod
    def of(cls, op: ConvolutionOp, isa: Isa) -> WinogradKernel:
        """The kernel of an operation on planned memory."""
        layout = op.packed
        assert isinstance(layout, WinogradLayout)
        shape = WinogradShape.of(op)
        a, b = memref(op.a), memref(op.b)
        ins, outs = ins_and_outs(op)
        return cls(
            shape.positions,
            op.channels,
            shape.units,
            Operand(a.element_type, 0, tuple(strides_of(a))),
            Operand(b.element_type, 0, tuple(strides_of(b))),
            ins,
            outs,
            WinogradSchedule.follow(isa, shape, layout),
            KernelBody.of(op.body),
        )

    @property
    def operands(self) -> tuple[Operand, ...]:
        return (self.a, self.b, *self.ins, *self.outs)

    def emit_loops(self, prologue: Prologue) -> None:
        b, inputs = prologue.b, prologue.scratch
        assert inputs is not None
        sums = byte_offset(b, inputs, self._input_bytes)
        emission = _Emission(b, prologue.isa, self, prologue.pointers, inputs, sums)
        emission.all(prologue.partition)

    @property
    def scratch_bytes(self) -> int:
        """The transformed input of a block of tiles, and sums of one tile of units."""
        sums = self.schedule.layout.points * self.schedule.sums_stride
        return self._input_bytes + sums * SUM_BYTES

    @property
    def of_codes(self) -> bool:
        """Whether it is one of codes, and not of floats."""
        return self.b.element == i16

    @property
    def _input_bytes(self) -> int:
        return self.schedule.layout.points * self.schedule.point_stride * self.b.size


def _value(extent: Extent) -> ir.Value:
    return index(extent) if isinstance(extent, int) else extent


@dataclass
class _Emission:
    """`inputs` are the transformed input of a block, `sums` those of a tile of units, both [point][tile][…]."""

    b: ir.IRBuilder
    isa: Isa
    kernel: WinogradKernel
    pointers: Values
    inputs: ir.Value
    sums: ir.Value

    def __post_init__(self) -> None:
        self.schedule, self.layout = self.kernel.schedule, self.kernel.schedule.layout
        self.tile = self.layout.tile
        self.size = self.tile + TAPS - 1
        self.transforms = self.layout.transforms(self.kernel.of_codes)
        self.element, self.sum = (I16, I32) if self.kernel.of_codes else (F32, F32)
        self.channel_lanes = self.isa.lanes * SUM_BYTES // self.kernel.b.size
        self.channels = ir.VectorType(self.element, self.channel_lanes)
        self.epilogue = Epilogue(self.kernel.body, self.kernel.ins, self.kernel.outs)
        _, *sizes = self.kernel.positions
        self.counts = [-(-size // self.tile) for size in sizes]

    def all(self, partition: Partition) -> None:
        """All blocks, or what belongs to the partition."""
        b, kernel, rows = self.b, self.kernel, self.layout.rows
        batch, _, _ = kernel.positions
        tiles = batch * prod(self.counts)
        width = self.layout.nr_vectors * self.layout.lanes
        by = {"blocks": Partition.WHOLE, "units": Partition.WHOLE, self.schedule.split: partition}
        first, blocks = by["blocks"].of(b, -(-tiles // rows))
        units = by["units"].of(b, -(-kernel.units // width))

        def block(i: ir.Value, carried: Values) -> Values:
            start = scaled(b, b.add(first, i), rows)
            left = b.sub(index(tiles), start)
            count = b.select(b.icmp_signed("<", left, index(rows)), left, index(rows))
            self._each_tile(start, count, self._transform_input)
            self._units(units, start, count)
            return []

        if isinstance(units[1], int):
            loop(b, blocks, [], block)
            return
        with b.if_then(b.icmp_signed(">", units[1], index(0))):
            loop(b, blocks, [], block)

    # --- tiles ------------------------------------------------------------------------------

    def _each_tile(
        self,
        start: ir.Value,
        count: ir.Value,
        emit: Callable[[ir.Value, Sequence[ir.Value], Extent, Extent], None],
    ) -> None:
        """
        A loop over tiles, numbered in a block: emits for each image, row and column of positions where it begins, and
        how many rows and columns of positions it has. Where the last rows and the last columns have fewer, the code for
        whole tiles stands beside one for all others, which learn both at run time.
        """
        b, (down, across) = self.b, self.counts
        _, height, width = self.kernel.positions
        is_ragged = all(size > self.tile and size % self.tile for size in (height, width))

        def iteration(i: ir.Value, carried: Values) -> Values:
            number = b.add(start, i)
            before, column = b.udiv(number, index(across)), b.urem(number, index(across))
            image, row = b.udiv(before, index(down)), b.urem(before, index(down))
            place = [image, scaled(b, row, self.tile), scaled(b, column, self.tile)]

            def line(rows: int) -> None:
                self._whole_or_rest(column, width, lambda columns: emit(i, place, rows, columns))

            if not is_ragged:
                self._whole_or_rest(row, height, line)
                return []
            is_high, is_wide = (
                b.icmp_signed("<", at, index(size // self.tile))
                for at, size in ((row, height), (column, width))
            )
            with b.if_else(b.and_(is_high, is_wide)) as (whole, ragged):
                with whole:
                    emit(i, place, self.tile, self.tile)
                with ragged:
                    rows = b.select(is_high, index(self.tile), index(height % self.tile))
                    columns = b.select(is_wide, index(self.tile), index(width % self.tile))
                    emit(i, place, rows, columns)
            return []

        loop(b, count, [], iteration)

    def _whole_or_rest(self, number: ir.Value, size: int, emit: Callable[[int], None]) -> None:
        """Emits for the positions of this tile in a dimension of `size`: the last tile may have fewer."""
        b = self.b
        whole, rest = divmod(size, self.tile)
        if not rest or not whole:
            emit(rest or self.tile)
            return
        with b.if_else(b.icmp_signed("<", number, index(whole))) as (full, partial):
            with full:
                emit(self.tile)
            with partial:
                emit(rest)

    # --- input ------------------------------------------------------------------------------

    def _transform_input(
        self, number: ir.Value, place: Sequence[ir.Value], rows: Extent, columns: Extent
    ) -> None:
        """
        Bᵀ d B of one tile; no position needs what lies past the input, which counts as zero. A tile of sizes that only
        the run can tell is copied among zeros first.
        """
        b, kernel, lanes = self.b, self.kernel, self.channel_lanes
        copy = None if isinstance(rows, int) else self._zeros()
        (source,) = self._moved([kernel.a], [self.pointers[0]], place)
        target = byte_offset(
            b, self.inputs, scaled(b, number, self.schedule.row_stride * kernel.b.size)
        )
        step = kernel.a.strides[-1]

        def vector(i: ir.Value | int, active: int) -> None:
            at = index(i) if isinstance(i, int) else i
            here = byte_offset(b, source, scaled(b, at, lanes * step * kernel.a.size))
            there = byte_offset(b, target, scaled(b, at, lanes * kernel.b.size))
            here, there = laundered(b, here), laundered(b, there)

            def element(row: int, column: int) -> ir.Value | None:
                if copy is not None:
                    return b.load(
                        b.gep(copy, index(row * self.size + column), self.channels),
                        typ=self.channels,
                    )
                assert isinstance(rows, int)
                assert isinstance(columns, int)
                is_read = row < rows + TAPS - 1 and column < columns + TAPS - 1
                return self._read(here, index(row), index(column), active) if is_read else None

            if copy is not None:
                self._copy(here, copy, [rows, columns], active)
            self._transform_vector(element, there, active)

        whole, rest = divmod(kernel.channels, lanes)

        def iteration(i: ir.Value, carried: Values) -> Values:
            vector(i, lanes)
            return []

        loop(b, whole, [], iteration)
        if rest:
            vector(whole, rest)

    def _zeros(self) -> ir.Value:
        """A tile of input in memory, all zero."""
        b, vector = self.b, self.channels
        tile = b.alloca(vector, self.size**2)

        def iteration(i: ir.Value, carried: Values) -> Values:
            b.store(zero(vector), b.gep(tile, i, vector))
            return []

        loop(b, self.size**2, [], iteration)
        return tile

    def _copy(
        self, source: ir.Value, tile: ir.Value, extents: Sequence[Extent], active: int
    ) -> None:
        """Copies the input of so many rows and columns of positions."""
        b = self.b
        rows, columns = (b.add(_value(extent), index(TAPS - 1)) for extent in extents)

        def line(row: ir.Value, carried: Values) -> Values:
            def element(column: ir.Value, carried: Values) -> Values:
                place = b.gep(tile, b.add(scaled(b, row, self.size), column), self.channels)
                b.store(self._read(source, row, column, active), place)
                return []

            loop(b, columns, [], element)
            return []

        loop(b, rows, [], line)

    def _read(self, source: ir.Value, row: ir.Value, column: ir.Value, active: int) -> ir.Value:
        """A vector of channels of the input."""
        b, a = self.b, self.kernel.a
        _, down, along, step = a.strides
        for at, stride in ((row, down), (column, along)):
            source = byte_offset(b, source, scaled(b, at, stride * a.size))
        raw = load_raw(b, source, a.element, step, self.channel_lanes, active)
        return widen(b, raw, element_name(a.element), I16) if self.kernel.of_codes else raw

    def _transform_vector(
        self, element: Callable[[int, int], ir.Value | None], target: ir.Value, active: int
    ) -> None:
        b, lanes = self.b, self.channel_lanes
        by_column = [
            self._transform_rows([element(row, column) for row in range(self.size)])
            for column in range(self.size)
        ]
        for row in range(self.size):
            line = self._transform_rows([column[row] for column in by_column])
            for column, value in enumerate(line):
                point = (row * self.size + column) * self.schedule.point_stride
                at = byte_offset(b, target, point * self.kernel.b.size)
                stored = zero(ir.VectorType(self.element, lanes)) if value is None else value
                store_raw(b, at, self.kernel.b.element, 1, stored, active)

    def _transform_rows(self, values: Sequence[ir.Value | None]) -> list[ir.Value | None]:
        """Bᵀ d along one dimension: rows of a pair are the sum and the difference of their halves."""
        matrix = self.transforms.input
        found: list[ir.Value | None] = []
        for row in range(len(matrix)):
            if row - 1 in self.transforms.pairs:
                continue
            if row not in self.transforms.pairs:
                found.append(self._combined(matrix[row], values))
                continue
            both = list(zip(matrix[row], matrix[row + 1], strict=True))
            even = self._combined([(p + q) / 2 for p, q in both], values)
            odd = self._combined([(p - q) / 2 for p, q in both], values)
            found += [self._combined(signs, [even, odd]) for signs in ((1, 1), (1, -1))]
        return found

    # --- sums -------------------------------------------------------------------------------

    def _units(
        self, part: tuple[ir.Value, ir.Value | int], start: ir.Value, count: ir.Value
    ) -> None:
        """
        Loops over tiles of units: the sums of the block, then its positions. The last tile may have fewer units; where
        these are whole vectors, it shares all but the product with the others.
        """
        b, kernel, lanes = self.b, self.kernel, self.isa.lanes
        width = self.layout.nr_vectors * lanes
        whole, rest = divmod(kernel.units, width)
        strides = [kernel.b.strides[0], *(width * o.strides[-1] for o in self._others)]
        first, tiles = part

        def tile(i: ir.Value, carried: Values) -> Values:
            number = b.add(first, i)
            moving = (kernel.b, *self._others)
            filters, *others = advance(b, moving, self.pointers[1:], number, strides)
            pointers = [self.inputs, laundered(b, filters), self.sums]

            def sums(width: int) -> None:
                prologue = Prologue(b, self.isa, pointers, [count], Partition.WHOLE)
                self._product(width).emit_loops(prologue)

            def positions(vectors: Extent, rest: int) -> None:
                self._each_tile(
                    start,
                    count,
                    lambda i, place, rows, columns: self._transform_output(
                        i, others, place, rows, columns, vectors, rest
                    ),
                )

            if not rest or not whole:
                sums(rest or width)
                positions(*divmod(rest or width, lanes))
                return []
            is_whole = b.icmp_signed("<", number, index(whole))
            with b.if_else(is_whole) as (inner, last):
                for branch, units in ((inner, width), (last, rest)):
                    with branch:
                        sums(units)
                        if rest % lanes:
                            positions(*divmod(units, lanes))
            if rest % lanes == 0:
                positions(b.select(is_whole, index(width // lanes), index(rest // lanes)), 0)
            return []

        loop(b, tiles, [], tile)

    @property
    def _others(self) -> tuple[Operand, ...]:
        return (*self.kernel.ins, *self.kernel.outs)

    def _product(self, width: int) -> MatMulKernel:
        """Products with a tile of units at each point, to scratch memory."""
        kernel, schedule, layout = self.kernel, self.schedule, self.layout
        columns = layout.nr_vectors * layout.lanes
        element, sum = kernel.b.element, i32 if kernel.of_codes else f32
        return MatMulKernel(
            (layout.points,),
            width,
            1,
            (depth(kernel.channels, layout.kr),),
            (Operand(element, 0, (schedule.point_stride, schedule.row_stride, 1)),),
            (Operand(element, 0, (kernel.b.strides[1],)),),
            (),
            (Operand(sum, 0, (schedule.sums_stride, columns, 1)),),
            PackedLayout(layout.lanes, layout.kr, layout.nr_vectors),
            schedule.product,
            KernelBody.of(build_body([sum], same)),
            layout.rows,
        )

    # --- output -----------------------------------------------------------------------------

    def _transform_output(
        self,
        number: ir.Value,
        others: Values,
        place: Sequence[ir.Value],
        rows: Extent,
        columns: Extent,
        vectors: Extent,
        rest: int,
    ) -> None:
        """Aᵀ M A of one tile for so many vectors of units and the rest of another, and the body."""
        b, lanes = self.b, self.isa.lanes
        each = self.layout.nr_vectors * lanes * SUM_BYTES
        sums = byte_offset(b, self.sums, scaled(b, number, each))
        others = self._moved(self._others, others, place)
        strides = [o.strides[-1] * lanes for o in self._others]

        def vector(i: ir.Value, active: int) -> None:
            here = laundered(b, byte_offset(b, sums, scaled(b, i, lanes * SUM_BYTES)))
            pointers = [laundered(b, p) for p in advance(b, self._others, others, i, strides)]
            self._positions(here, pointers, rows, columns, active)

        def iteration(i: ir.Value, carried: Values) -> Values:
            vector(i, lanes)
            return []

        loop(b, vectors, [], iteration)
        if rest:
            vector(_value(vectors), rest)

    def _positions(
        self, sums: ir.Value, pointers: Values, rows: Extent, columns: Extent, active: int
    ) -> None:
        """A vector of units at all positions of a tile; of one whose size only the run can tell, more are computed."""
        b, lanes = self.b, self.isa.lanes
        counts = [] if isinstance(rows, int) else [rows, _value(columns)]
        rows, columns = (each if isinstance(each, int) else self.tile for each in (rows, columns))

        def element(row: int, column: int) -> ir.Value:
            point = (row * self.size + column) * self.schedule.sums_stride
            at = byte_offset(b, sums, point * SUM_BYTES)
            return b.load(at, align=SUM_BYTES, typ=ir.VectorType(self.sum, lanes))

        by_column = [
            self._transform_sums([element(row, column) for row in range(self.size)], rows)
            for column in range(self.size)
        ]
        totals = dict[tuple[int, int], list[ir.Value]]()
        for row in range(rows):
            line = self._transform_sums([column[row] for column in by_column], columns)
            totals |= {(0, row * columns + i): [self._unscaled(v)] for i, v in enumerate(line)}
        operations = sum(1 for _ in self.kernel.body.block.ops)
        if counts or (len(totals) > 1 and len(totals) * operations > LONGEST_EPILOGUE):
            nest = [(rows, self._steps(-3)), (columns, self._steps(-2))]
            self.epilogue.emit_in_loop(b, self.isa, pointers, nest, active, totals, counts)
            return
        offsets = [
            [i * down + j * along for i, j in every(range(rows), range(columns))]
            for down, along in zip(self._steps(-3), self._steps(-2), strict=True)
        ]
        self.epilogue.emit(b, self.isa, pointers, offsets, active, totals)

    def _transform_sums(self, values: Sequence[ir.Value], wanted: int) -> list[ir.Value]:
        """The first positions of Aᵀ m along one dimension, from the sums and differences of pairs."""
        taken: list[ir.Value] = []
        for i, value in enumerate(values):
            if i in self.transforms.pairs:
                taken.append(self._add(value, values[i + 1]))
            elif i - 1 in self.transforms.pairs:
                taken.append(self._subtract(values[i - 1], value))
            else:
                taken.append(value)
        found: list[ir.Value] = []
        for row in self.transforms.output[:wanted]:
            factors = list(row)
            for i in self.transforms.pairs:
                p, q = row[i], row[i + 1]
                factors[i : i + 2] = (p + q) / 2, (p - q) / 2
            total = self._combined(factors, taken)
            assert total is not None
            found.append(total)
        return found

    # --- what stages share ------------------------------------------------------------------

    def _moved(
        self, operands: Sequence[Operand], pointers: Values, place: Sequence[ir.Value]
    ) -> Values:
        """Pointers to where a tile begins."""
        for d, at in enumerate(place):
            strides = [operand.strides[d] for operand in operands]
            pointers = advance(self.b, operands, pointers, at, strides)
        return pointers

    def _steps(self, d: int) -> list[int]:
        return [operand.strides[d] for operand in self._others]

    def _unscaled(self, total: ir.Value) -> ir.Value:
        """A sum, of its multiple by the square of the transforms' scale, modulo 2**32."""
        bits = self.transforms.lost_bits
        odd = self.transforms.scale**2 >> bits
        if odd != 1:
            total = self._times(pow(odd, -1, 1 << 32), total)
        return self.b.ashr(total, self._number(total, bits)) if bits else total

    def _combined(
        self, factors: Sequence[float], values: Sequence[ir.Value | None]
    ) -> ir.Value | None:
        """The sum of products with constant factors; those of one come first."""
        b = self.b
        terms = [
            (factor, value)
            for factor, value in zip(factors, values, strict=True)
            if factor and value is not None
        ]
        terms.sort(key=lambda term: (term[0] != 1, abs(term[0]) != 1))
        total: ir.Value | None = None
        for factor, value in terms:
            if total is None:
                total = value if factor == 1 else self._times(factor, value)
            elif abs(factor) == 1:
                total = (self._add if factor > 0 else self._subtract)(total, value)
            elif self.kernel.of_codes:
                total = self._add(total, self._times(factor, value))
            else:
                arguments = [self._number(value, factor), value, total]
                total = call_intrinsic(b, "llvm.fma", value.type, arguments, [value.type])
        return total

    def _add(self, x: ir.Value, y: ir.Value) -> ir.Value:
        return (self.b.add if self.kernel.of_codes else self.b.fadd)(x, y)

    def _subtract(self, x: ir.Value, y: ir.Value) -> ir.Value:
        return (self.b.sub if self.kernel.of_codes else self.b.fsub)(x, y)

    def _times(self, factor: float, value: ir.Value) -> ir.Value:
        return (self.b.mul if self.kernel.of_codes else self.b.fmul)(
            self._number(value, factor), value
        )

    def _number(self, like: ir.Value, number: float) -> ir.Value:
        """A constant vector of the type of another."""
        assert isinstance(like.type, ir.VectorType)
        whole = int(number) if self.kernel.of_codes else number
        return splat(like.type.element, like.type.count, whole)
