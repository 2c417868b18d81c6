"""
Emits `kernel.convolution` whose filters are transformed for Winograd's algorithm (`dialects.kernel.winograd`).

A block of tiles goes through three stages on scratch memory. The input of each tile is transformed (`winograd_input`).
For a tile of units, each point of all tiles of the block is a matrix product with the channels as depth
(`MatMulKernel`). The sums of each tile are transformed to positions, and the body finishes them while they are in
registers. The first two stages are functions of their own, and sizes are numbers that only the run has: convolutions
that differ in these alone share all or most of the code, which is long.

Codes are transformed in i16 and summed up in i32. What comes out is `scale**2` times the sums modulo 2**32: the odd
part of that factor has an inverse, and the other is a shift.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar

from xdsl.dialects.builtin import f32, i16, i32

from ....dialects.kernel import (
    TAPS,
    ConvolutionOp,
    PackedLayout,
    WinogradLayout,
    integer_winograd_transforms,
    strides_of,
    winograd_transforms,
)
from ...calling_convention import WORD
from ...kernel_bodies.bodies import build_body, same
from ...machine import Isa
from .. import ir
from ..body import KernelBody
from ..elements import Operand, ins_and_outs, memref
from ..emitter import Emitter, Prologue
from ..epilogue import Epilogue, Key
from ..loop_nest import Nest, Values, moved
from ..mat_mul.mat_mul import MatMulKernel
from ..run_time import Extent, Number, extent_value, number_at, times
from ..schedule.costs import epilogue_in_loop
from ..schedule.winograd import SUM_BYTES, WinogradSchedule, WinogradShape, depth
from ..spilled import Spilled
from ..vectors import F32, I32, VOID, byte_offset, for_each, index, scaled
from ..work_partition import Partition
from .winograd_arithmetic import Arithmetic
from .winograd_input import WinogradInput
from .winograd_passes import in_loops, is_unrolled
from .winograd_sizes import WinogradSizes, sizes_in_table
from .winograd_tiles import each_tile, grid, is_whole, tiles_of, without_rests


@dataclass(frozen=True)
class WinogradKernel(Emitter):
    """
    What of such a convolution decides its machine code; equal ones share a function, whose table has the numbers. Of
    the `parts`, the first one transforms the input, the second one computes the products with a whole tile of units,
    the last one those with the rest; where they have tables, these begin at the `product_tables` of this one. The last
    vector of units has `partial` ones if that is not 0.
    """

    small_part: ClassVar[int] = 16
    """In loops, the transforms take 1.03 times as long, and half of the LLVM IR."""

    a: Operand
    b: Operand
    ins: tuple[Operand, ...]
    outs: tuple[Operand, ...]
    sizes: WinogradSizes[Number]
    partial: int
    product_tables: tuple[int, ...]
    body: KernelBody
    called: tuple[Emitter, ...] = field(compare=False, repr=False)
    scratch: int = field(compare=False, repr=False)
    table: tuple[int, ...] = field(compare=False, repr=False)
    uses_loops: bool = False
    """Whether the sums of a tile are transformed in loops even where registers hold them all."""

    @classmethod
    def of(cls, op: ConvolutionOp, isa: Isa) -> WinogradKernel:
        """The kernel of an operation on planned memory."""
        layout = op.packed
        assert isinstance(layout, WinogradLayout)
        shape = WinogradShape.of(op)
        schedule = WinogradSchedule.follow(isa, shape, layout)
        a, b = (
            Operand(type.element_type, 0, tuple(strides_of(type)))
            for type in (memref(op.a), memref(op.b))
        )
        ins, outs = ins_and_outs(op)
        table: list[int] = []
        tiles = tiles_of(layout.tile, op.shape[1:-1], table)
        input = WinogradInput.of(op, a, b.element, tiles, isa, schedule, table)
        begin = layout.points * schedule.point_stride * b.size  # of sums, in scratch memory
        whole = without_rests(tiles, op.shape[1:-1])
        sizes = sizes_in_table(shape, layout, schedule, whole, b, (*ins, *outs), begin, table)
        width = layout.nr_vectors * layout.lanes
        rest = shape.units % width
        products = [
            _product(schedule, units, shape.channels, b) for units in (width, rest or width)
        ]
        product_tables: list[int] = []
        for each in products:
            if each.table:
                product_tables.append(len(table))
                table.extend(each.table)
        ins, outs = (
            tuple(replace(each, strides=each.strides[-1:]) for each in group)
            for group in (ins, outs)
        )
        return cls(
            replace(a, strides=()),
            replace(b, strides=()),
            ins,
            outs,
            sizes,
            rest % layout.lanes,
            tuple(product_tables),
            KernelBody.of(op.body),
            (input, *products),
            begin + layout.points * schedule.sums_stride * SUM_BYTES,
            tuple(table),
        )

    @property
    def operands(self) -> tuple[Operand, ...]:
        return (self.a, self.b, *self.ins, *self.outs)

    @property
    def parts(self) -> tuple[Emitter, ...]:
        return self.called

    @property
    def scratch_bytes(self) -> int:
        """The transformed input of a block of tiles, and sums of one tile of units."""
        return self.scratch

    def compact(self) -> WinogradKernel:
        return replace(self, uses_loops=True)

    @property
    def of_codes(self) -> bool:
        """Whether it is one of codes, and not of floats."""
        return self.b.element == i16

    def emit_loops(self, prologue: Prologue) -> None:
        b, inputs, (table, *parts) = prologue.b, prologue.scratch, prologue.arguments
        assert inputs is not None
        sizes = self.sizes.each(lambda number: number_at(b, [table], number))
        emission = _Emission(b, prologue.isa, self, prologue.pointers, inputs, table, parts, sizes)
        emission.all(prologue.partition)


def _product(schedule: WinogradSchedule, units: int, channels: int, b: Operand) -> MatMulKernel:
    """Products with a tile of units at each point, to scratch memory."""
    layout = schedule.layout
    columns = layout.nr_vectors * layout.lanes
    sum = i32 if b.element == i16 else f32
    fixed = MatMulKernel.fixed(
        (layout.points,),
        (layout.rows, units),
        (depth(channels, layout.kr),),
        1,
        (
            [Operand(b.element, 0, (schedule.point_stride, schedule.row_stride, 1))],
            [Operand(b.element, 0, (b.strides[1],))],
            [],
            [Operand(sum, 0, (schedule.sums_stride, columns, 1))],
        ),
        PackedLayout(layout.lanes, layout.kr, layout.nr_vectors),
        schedule.product,
        KernelBody.of(build_body([sum], same)),
    )
    return fixed.at_run_time()


@dataclass
class _Emission:
    """
    `inputs` are the transformed input of a block, behind them the sums of a tile of units, both [point][tile][…].
    `parts` are the addresses of their functions.
    """

    b: ir.IRBuilder
    isa: Isa
    kernel: WinogradKernel
    pointers: Values
    inputs: ir.Value
    table: ir.Value
    parts: Values
    sizes: WinogradSizes[Extent]

    def __post_init__(self) -> None:
        kernel = self.kernel
        self.sums = byte_offset(self.b, self.inputs, self.sizes.sums_begin)
        self.sum = I32 if kernel.of_codes else F32
        self.epilogue = Epilogue(kernel.body, kernel.ins, kernel.outs)
        self.arithmetic = Arithmetic(self.b, kernel.of_codes)
        self.tile, self.size = self.sizes.tiles.tile, self.sizes.tiles.tile + TAPS - 1
        of = integer_winograd_transforms if kernel.of_codes else winograd_transforms
        self.transforms = of(self.tile)

    def all(self, partition: Partition) -> None:
        """All blocks, or what belongs to the partition."""
        b, sizes = self.b, self.sizes
        by_blocks = b.icmp_signed("!=", extent_value(sizes.divides_blocks), index(0))
        first, blocks = partition.where(b, by_blocks).of(b, sizes.blocks)
        first_units, units = partition.where(b, b.not_(by_blocks)).of(b, sizes.unit_tiles)

        def block(i: ir.Value) -> None:
            rows = extent_value(sizes.rows)
            start = b.mul(b.add(first, i), rows)
            left = b.sub(extent_value(sizes.count), start)
            count = b.smin(left, rows)
            transform, *_ = self.parts
            pointers = [self.pointers[0], self.inputs]
            b.call_address(transform, VOID, [*pointers, start, count, self.table])
            self._units((first_units, units), start, count)

        with b.if_then(b.icmp_signed(">", extent_value(units), index(0))):
            for_each(b, blocks, block)

    # --- sums -------------------------------------------------------------------------------

    def _units(
        self, part: tuple[ir.Value, ir.Value | int], start: ir.Value, count: ir.Value
    ) -> None:
        """
        Loops over tiles of units: the sums of the block, then its positions. The last tile may have fewer units; where
        these are whole vectors, it shares all but the product with the others.
        """
        b, kernel, sizes = self.b, self.kernel, self.sizes
        strides = [sizes.filters, *sizes.unit_strides]
        _, product, last_product = self.parts
        first, tiles = part

        def tile(i: ir.Value) -> None:
            number = b.add(first, i)
            filters, *others = moved(b, self.pointers[1:], number, strides)
            has_all = b.icmp_signed("<", number, extent_value(sizes.whole))
            function = b.select(has_all, product, last_product)
            tables = [byte_offset(b, self.table, n * WORD) for n in kernel.product_tables]
            numbers = [b.select(has_all, *tables)] if tables else []
            b.call_address(function, VOID, [self.inputs, filters, self.sums, count, *numbers])

            vectors = b.select(
                has_all, extent_value(sizes.vectors), extent_value(sizes.last_vectors)
            )
            each_tile(
                b,
                sizes.tiles,
                start,
                count,
                lambda i, place, rows, columns: self._transform_output(
                    i, others, place, rows, columns, vectors, has_all
                ),
            )

        for_each(b, tiles, tile)

    @property
    def _others(self) -> tuple[Operand, ...]:
        return (*self.kernel.ins, *self.kernel.outs)

    # --- output -----------------------------------------------------------------------------

    def _transform_output(
        self,
        number: ir.Value,
        others: Values,
        place: Sequence[ir.Value],
        rows: Extent,
        columns: Extent,
        vectors: ir.Value,
        has_all: ir.Value,
    ) -> None:
        """Aᵀ M A of one tile for so many vectors of units and, unless there are all, what is left; and the body."""
        b, lanes = self.b, self.isa.lanes
        sums = byte_offset(b, self.sums, b.mul(number, extent_value(self.sizes.sum_tile)))
        for d, at in enumerate(place):
            others = moved(b, others, at, self._strides(d))
        strides = [o.strides[-1] * lanes * o.size for o in self._others]

        partial = self.kernel.partial
        every = vectors if not partial else b.select(has_all, vectors, b.add(vectors, index(1)))

        def vector(i: ir.Value) -> None:
            here = byte_offset(b, sums, scaled(b, i, lanes * SUM_BYTES))
            pointers = moved(b, others, i, strides)
            is_full = b.icmp_signed("<", i, vectors) if partial else None
            if self._is_unrolled:
                counts = [] if isinstance(rows, int) else [rows, extent_value(columns)]
                nest, totals = self._positions(here, rows, columns)
                self._finish(pointers, nest, totals, counts, is_full)
            else:
                self._in_loops(here, pointers, rows, columns, is_full)

        for_each(b, every, vector, runs=True)

    @property
    def _is_unrolled(self) -> bool:
        kernel = self.kernel
        return not kernel.uses_loops and is_unrolled(self.isa, self.tile, kernel.of_codes)

    def _in_loops(
        self,
        sums: ir.Value,
        pointers: Values,
        rows: Extent,
        columns: Extent,
        is_full: ir.Value | None,
    ) -> None:
        """The same for one vector of units, as a loop over columns and one over rows of positions."""
        b, size, point = self.b, self.size, self.sizes.sum_point
        most, wide = (each if isinstance(each, int) else self.tile for each in (rows, columns))
        vector, line = ir.VectorType(self.sum, self.isa.lanes), times(b, point, size)
        counts = [] if isinstance(columns, int) else [columns]

        def column(i: ir.Value) -> list[ir.Value]:
            places = grid(b, byte_offset(b, sums, scaled(b, i, point)), line, point, size, 1)
            found = [b.load(place, align=SUM_BYTES, typ=vector) for (place,) in places]
            return self._transform_sums(found, most)

        def row(i: ir.Value, values: list[ir.Value]) -> None:
            totals = self._transform_sums(values, wide)
            here = moved(b, pointers, i, self._strides(-2))
            nest = [(wide, self._strides(-1))]
            each = {(0, n): [self._unscaled(total)] for n, total in enumerate(totals)}
            self._finish(here, nest, each, counts, is_full)

        in_loops(b, vector, (size, most), column, rows, row)

    def _positions(
        self, sums: ir.Value, rows: Extent, columns: Extent
    ) -> tuple[Nest, dict[Key, list[ir.Value]]]:
        """
        Where the positions of a tile lie, and a vector of units at each: at all of them if only the run can tell how
        many there are.
        """
        b = self.b
        rows, columns = (each if isinstance(each, int) else self.tile for each in (rows, columns))
        point, vector = self.sizes.sum_point, ir.VectorType(self.sum, self.isa.lanes)
        lines = grid(b, sums, times(b, point, self.size), point, self.size, self.size)
        by_column = [
            self._transform_sums(
                [b.load(place, align=SUM_BYTES, typ=vector) for place in places], rows
            )
            for places in zip(*lines, strict=True)
        ]
        totals = dict[Key, list[ir.Value]]()
        for row in range(rows):
            line = self._transform_sums([column[row] for column in by_column], columns)
            totals |= {(0, row * columns + i): [self._unscaled(v)] for i, v in enumerate(line)}
        return [(rows, self._strides(-2)), (columns, self._strides(-1))], totals

    def _finish(
        self,
        pointers: Values,
        nest: Nest,
        totals: dict[Key, list[ir.Value]],
        counts: Values,
        is_full: ir.Value | None,
    ) -> None:
        """
        Applies the body at the positions, or at the first `counts` of them along each dimension: to a vector of units,
        or to the partial one unless it `is_full`.
        """
        if is_full is None:
            self._apply_body(pointers, nest, totals, counts, self.isa.lanes)
            return
        with self.b.if_else(is_full) as (full, rest):
            with full:
                self._apply_body(pointers, nest, totals, counts, self.isa.lanes)
            with rest:
                self._apply_body(pointers, nest, totals, counts, self.kernel.partial)

    def _apply_body(
        self,
        pointers: Values,
        nest: Nest,
        totals: dict[Key, list[ir.Value]],
        counts: Values,
        active: int,
    ) -> None:
        """The same to so many units."""
        b, operations = self.b, self.kernel.body.operations
        arguments = b, self.isa, pointers, nest, active
        if epilogue_in_loop(len(totals), operations):
            self.epilogue.emit_in_loop(*arguments, Spilled.of(b, totals), counts)
        elif counts:
            is_partial = b.not_(is_whole(b, self.tile, counts))
            with b.if_else(is_partial, is_unlikely=True) as (partial, whole):
                with partial:
                    self.epilogue.emit_in_loop(*arguments, Spilled.of(b, totals), counts)
                with whole:
                    self.epilogue.emit(*arguments, totals)
        else:
            self.epilogue.emit(*arguments, totals)

    def _transform_sums(self, values: Sequence[ir.Value], wanted: int) -> list[ir.Value]:
        """The first positions of Aᵀ m along one dimension, from the sums and differences of pairs."""
        transforms, arithmetic = self.transforms, self.arithmetic
        taken: list[ir.Value] = []
        for i, value in enumerate(values):
            if i in transforms.pairs:
                taken.append(arithmetic.add(value, values[i + 1]))
            elif i - 1 in transforms.pairs:
                taken.append(arithmetic.subtract(values[i - 1], value))
            else:
                taken.append(value)
        found: list[ir.Value] = []
        for row in transforms.output[:wanted]:
            factors = list(row)
            for i in transforms.pairs:
                p, q = row[i], row[i + 1]
                factors[i : i + 2] = (p + q) / 2, (p - q) / 2
            total = arithmetic.combined(factors, taken)
            assert total is not None
            found.append(total)
        return found

    def _unscaled(self, total: ir.Value) -> ir.Value:
        """A sum, of its multiple by the square of the transforms' scale, modulo 2**32."""
        bits = self.transforms.lost_bits
        odd = self.transforms.scale**2 >> bits
        if odd != 1:
            total = self.arithmetic.times(pow(odd, -1, 1 << 32), total)
        return self.arithmetic.shifted(total, bits)

    def _strides(self, d: int) -> list[Extent]:
        """How ins and outs move along (image, plane, row, column)."""
        return [strides[d] for strides in self.sizes.strides]
