"""
The loops of a matrix product.

Panels of rows outside, then tiles of units, then register tiles, so that a tile's weights and a panel's
activations are read from near memory again and again; for one row the weights are streamed once. What is
not packed is gathered along the units, `kr` elements of k at a time: slower, but the same sums in the
same order.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product as every
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import i8, i16

from ...machine import CACHE_LINE, element_name
from .. import ir
from ..epilogue import Epilogue, Key
from ..loop_nest import Values
from ..microkernel.microkernel import Accumulators, Microkernel, Prefetch, Reduction
from ..microkernel.operands import (
    GatheredRhs,
    LhsOperand,
    NarrowRhs,
    PackedRhs,
    RhsOperand,
    Rows,
)
from ..run_time import Extent, Number, extent_value, times
from ..sized_loops import SizedLoops
from ..spilled import Spilled
from ..vectors import byte_offset, for_each, for_each_block, index, scaled
from ..work_partition import Partition
from .matched_rows import MatchedRows, RowOrder
from .prepared_row import RowPreparation, RowSums
from .sizes import SPLITS
from .widened_rows import RowWidening

if TYPE_CHECKING:
    from .mat_mul import MatMulKernel, Pass


@dataclass
class MatMulLoops(SizedLoops):
    """
    Emits the loops of one function over so many rows; `direction` is -1 to go backwards. Pointers are to each a, each
    b, and the bases of ins and outs.
    """

    kernel: MatMulKernel
    rows: ir.Value
    partition: Partition
    direction: ir.Value
    scratch: ir.Value | None = None

    def all(self, pointers: Values) -> None:
        """Everything, or what belongs to the partition."""
        self.sizes = self.kernel.sizes
        self.by_batch = self.by_tiles = Partition.WHOLE
        if self.partition is not Partition.WHOLE:
            pointers = self._divide(pointers)
        self._members(pointers, 0)

    def _divide(self, pointers: Values) -> Values:
        """Divides a large batch, or the tiles where there are many, or else the rows by register tiles."""
        b, mr = self.b, self.kernel.schedule.mr[0]
        split = extent_value(self.size(self.sizes.split))
        batch, rows = (
            b.icmp_signed("==", split, index(SPLITS[what])) for what in ("batch", "rows")
        )
        by_rows = b.and_(rows, b.icmp_signed(">=", self.rows, index(2 * mr)))
        self.by_batch = self.partition.where(b, batch)
        self.by_tiles = self.partition.where(b, b.not_(b.or_(batch, by_rows)))
        tiles = b.udiv(b.add(self.rows, index(mr - 1)), index(mr))
        first, count = self.partition.where(b, by_rows).of(b, tiles)
        before, mine = scaled(b, first, mr), scaled(b, extent_value(count), mr)
        left = b.sub(self.rows, before)
        self.rows = b.smin(left, mine)
        return self.moved(pointers, before, self.sizes.by_row)

    def _members(self, pointers: Values, level: int) -> None:
        """Loops over the batch."""
        sizes = self.sizes
        if level == len(sizes.batch):
            self.panels(pointers)
            return
        partition = self.by_batch if level == 0 else Partition.WHOLE
        part = partition.of(self.b, self.size(sizes.batch[level]))
        strides = sizes.by_batch[level]
        self.each(part, pointers, strides, lambda inner: self._members(inner, level + 1))

    def panels(self, pointers: Values) -> None:
        """Loops over panels of rows."""
        if self.kernel.single_row:
            self.tiles(self._prepared(pointers, self.rows), self.rows)
            return
        panel, strides = extent_value(self.size(self.sizes.panel)), self.sizes.by_row

        def each(done: ir.Value, rows: ir.Value) -> None:
            here = self.moved(pointers, done, strides)
            self.tiles(self._prepared(here, rows), rows)

        for_each_block(self.b, self.rows, panel, each)

    def _prepared(self, pointers: Values, rows: ir.Value) -> Values:
        """
        The same pointers, where rows of each a are prepared those to prepared ones, which are `prepared_bytes` apart.
        """
        layouts, b, found = self.kernel.prepared, self.b, list[ir.Value]()
        distance = self.kernel.prepared_bytes
        for p, layout in enumerate(layouts):
            assert self.scratch is not None
            first = byte_offset(b, self.scratch, sum(each.bytes for each in layouts[:p]))
            preparation = RowPreparation(b, self.isa, layout, self.kernel.a[p])
            step = self.size(self.sizes.by_row[p])

            def each(
                row: ir.Value,
                x: ir.Value = pointers[p],
                step: Extent = step,
                first: ir.Value = first,
                preparation: RowPreparation = preparation,
            ) -> None:
                place = byte_offset(b, first, scaled(b, row, distance))
                preparation.emit(byte_offset(b, x, scaled(b, row, step)), place)

            if self.kernel.single_row:
                each(index(0))
            else:
                for_each(b, rows, each)
            found.append(first)
        return [*found, *pointers[len(found) :]]

    def tiles(self, pointers: Values, rows: ir.Value) -> None:
        """Loops over tiles of units."""
        if self.kernel.matched is not None:
            self._chunks(self.kernel.matched.each(self.size), pointers, rows)
            return
        pointers = self._widened(pointers, rows)
        b, schedule, rest = self.b, self.kernel.schedule, self.kernel.rest
        width, strides = schedule.nr_vectors * schedule.lanes, self.sizes.by_tile
        whole = self.size(self.sizes.whole_tiles)
        first, count = self.by_tiles.of(b, whole)
        if schedule.serpentine:
            first = self._first_tile(first, count)

        def iteration(i: ir.Value) -> None:
            there = b.mul(i, self.direction) if schedule.serpentine else i
            here = self.moved(pointers, self.behind(first, there), strides)
            self.register_tiles(here, rows, width)

        for_each(b, count, iteration)
        if rest:
            with self.by_tiles.at_end(b):
                last = self.moved(pointers, extent_value(whole), strides)
                self.register_tiles(last, rows, rest)

    def _chunks(self, matched: MatchedRows[Extent], pointers: Values, rows: ir.Value) -> None:
        """Loops over chunks of tiles that have an order in common."""
        b, schedule, rest = self.b, self.kernel.schedule, self.kernel.rest
        width, whole = schedule.nr_vectors * schedule.lanes, self.size(self.sizes.whole_tiles)
        order, pointers = self._row_order(matched, pointers, rows)
        assert self.scratch is not None
        scratch, by_tile = self.scratch, self.sizes.by_tile

        def chunk(number: ir.Value, wanted: int) -> None:
            done = scaled(b, number, matched.tiles)
            done = b.smin(done, extent_value(whole))
            table = byte_offset(b, pointers[1], scaled(b, number, matched.chunk_bytes))
            order(rows, table)
            weights = byte_offset(b, table, matched.table_bytes)
            here = [scratch, weights, *self.moved(pointers, done, by_tile)[2:]]
            if wanted < width:
                self.register_tiles(here, rows, wanted)
                return
            count = b.smin(b.sub(extent_value(whole), done), extent_value(matched.tiles))
            for_each(
                b, count, lambda i: self.register_tiles(self.moved(here, i, by_tile), rows, width)
            )

        first, count = self.by_tiles.of(b, matched.chunks)
        for_each(b, count, lambda i: chunk(self.behind(first, i), width))
        if rest:
            with self.by_tiles.at_end(b):
                chunk(extent_value(matched.chunks), rest)

    def _row_order(
        self, matched: MatchedRows[Extent], pointers: Values, rows: ir.Value
    ) -> tuple[Callable[[ir.Value, ir.Value], None], Values]:
        """What puts rows in the order of a table, in scratch memory, behind which they are gathered if need be."""
        (a,), (x, *others), b = self.kernel.a, pointers, self.b
        ordering = RowOrder(b, self.isa, a, element_name(a.element), matched)
        step, scratch = self.size(self.sizes.by_row[0]), self.scratch
        assert scratch is not None
        if matched.gathered_bytes != 0:
            panel = extent_value(self.size(self.sizes.panel))
            behind = scaled(b, b.smin(panel, self.rows), matched.row_bytes)
            place = byte_offset(b, scratch, behind)
            ordering.gather(x, step, rows, place)
            x, step = place, matched.gathered_bytes

        def order(rows: ir.Value, table: ir.Value) -> None:
            ordering.emit(x, step, rows, table, scratch)

        return order, [x, *others]

    def _widened(self, pointers: Values, rows: ir.Value) -> Values:
        """The pointers where words of a panel's rows lie in scratch memory, if they do."""
        kernel, widened = self.kernel, self.kernel.widened
        if widened is None:
            return pointers
        assert self.scratch is not None
        (a,), (x, *others) = kernel.a, pointers
        element = element_name(a.element)
        rows_of = RowWidening(self.b, self.isa, a, element, widened.each(self.size))
        rows_of.emit(x, self.size(self.sizes.by_row[0]), rows, self.scratch)
        return [self.scratch, *others]

    @property
    def _by_row(self) -> Sequence[Number]:
        """How far pointers move from a row to the next one in a panel."""
        widened, count = self.kernel.widened or self.kernel.matched, len(self.kernel.prepared)
        found = [self.kernel.prepared_bytes] * count if widened is None else [widened.row_bytes]
        return [*found, *self.sizes.by_row[len(found) :]]

    def _first_tile(self, first: ir.Value, count: Extent) -> ir.Value:
        """The tile to begin with: the last one, to go backwards."""
        b = self.b
        last = b.sub(b.add(first, extent_value(count)), index(1))
        return b.select(b.icmp_signed("<", self.direction, index(0)), last, first)

    def register_tiles(self, pointers: Values, rows: ir.Value, width: int) -> None:
        """Loops over register tiles, the largest first."""
        if self.kernel.single_row:
            self.register_tile(pointers, 1, width, index(0))
            return
        b, strides = self.b, self._by_row
        *larger, smallest = self.kernel.schedule.mr
        for size in (*larger, smallest):
            count = b.udiv(rows, index(size)) if size > 1 else rows

            def iteration(i: ir.Value, start: Values = pointers, size: int = size) -> None:
                here = self.moved(start, scaled(b, i, size), strides)
                self.register_tile(here, size, width, i)

            for_each(b, count, iteration)
            if size == smallest:
                return
            done = scaled(b, count, size)
            rows, pointers = b.sub(rows, done), self.moved(pointers, done, strides)

    def register_tile(self, pointers: Values, rows: int, width: int, number: ir.Value) -> None:
        """The sums of a tile for some rows, and the body on each vector of them."""
        kernel, b, isa = self.kernel, self.b, self.isa
        schedule, count = kernel.schedule, len(kernel.a)
        vectors = range(-(-width // isa.lanes))
        sums: dict[Key, list[ir.Value]] = {key: [] for key in every(vectors, range(rows))}
        epilogue = Epilogue(kernel.body, kernel.ins, kernel.outs)
        strides = [0] * len(kernel.bases)
        if rows > 1:
            by_base = [self.size(stride) for stride in self.sizes.by_row[2 * count :]]
            strides = [by_base[base] for base in kernel.bases]
        nest = [(rows, strides)]

        def others() -> Values:
            """Pointers to ins and outs: emitted where they are used, their offsets are part of instructions."""
            return [
                byte_offset(b, pointers[2 * count + base], operand.offset * operand.size)
                for base, operand in zip(kernel.bases, epilogue.operands, strict=True)
            ]

        if rows > 1 and (epilogue.is_long or schedule.prefetches_operands):
            epilogue.prefetch(b, isa, others(), nest, width)
        columns = [g * schedule.nr_vectors + v for g, v in every(range(kernel.groups), vectors)]
        for one in kernel.passes:
            if kernel.prepared:
                totals = self._prepared_sums(one, pointers, rows, columns)
            else:
                totals = self._sums(one, pointers, rows, width, columns, number)
            for n, group, v, row in every(
                range(len(one.products)), range(kernel.groups), vectors, range(rows)
            ):
                sums[v, row].append(totals[group * schedule.nr_vectors + v, n * rows + row])
        if rows > 1 and schedule.epilogue_rows:
            each = schedule.rows_at_once(rows)
            outer = [(rows // each, [times(b, stride, each) for stride in strides])]
            inner = [(each, strides)]
            spilled = Spilled.of(b, sums)
            epilogue.emit_in_loop(b, isa, others(), outer, width, spilled, inner=inner)
        else:
            epilogue.emit(b, isa, others(), nest, width, sums)

    def _sums(
        self,
        one: Pass,
        pointers: Values,
        rows: int,
        width: int,
        columns: Sequence[int],
        number: ir.Value,
    ) -> Accumulators:
        """Those of a pass, by column and row; the rows of its products lie one after the other."""
        kernel, b, schedule = self.kernel, self.b, self.kernel.schedule
        p, products = one.product, one.products
        step = self._by_row[p] if rows > 1 else one.apart or 0
        element, (stride,) = kernel.a[p].element, kernel.a[p].strides
        if kernel.widened or kernel.matched:
            element, stride = i16 if kernel.widened else i8, 1
        left = LhsOperand(element, stride, Rows(1, rows * len(products), 0, step))
        prefetch = self._prefetch(p, number) if rows == schedule.mr[0] else None
        product = schedule.products[p]
        what = Reduction(product, (), kernel.depths[p], schedule.accumulators, prefetch)
        rhs = self._rhs(p, width)
        summed = rhs.summed(columns) if isinstance(rhs, NarrowRhs) else columns
        emission = Microkernel(b, self.isa, what, left, rhs, summed, self.arguments)
        sums = emission.emit(pointers[p], pointers[len(kernel.a) + p])
        return rhs.of_columns(b, sums) if isinstance(rhs, NarrowRhs) else sums

    def _prepared_sums(
        self, one: Pass, pointers: Values, rows: int, columns: Sequence[int]
    ) -> Accumulators:
        """The same where rows are prepared."""
        schedule, layout = self.kernel.schedule, self.kernel.prepared[one.product]
        packed = self.kernel.packed
        assert packed is not None
        sums = RowSums(
            self.b,
            self.isa,
            layout,
            packed,
            self.kernel.groups,
            columns,
            schedule.accumulators,
            schedule.unroll,
        )
        distance = self.kernel.prepared_bytes
        places = [
            byte_offset(self.b, pointers[p], row * distance)
            for p, row in every(one.products, range(rows))
        ]
        return sums.emit(places, pointers[len(self.kernel.a) + one.product])

    def _prefetch(self, p: int, number: ir.Value) -> Prefetch | None:
        """Where weights are packed, the register tiles of a panel each fetch their part of the next tile."""
        kernel, b = self.kernel, self.b
        if kernel.packed is None or not (lines := kernel.prefetched_lines[p]):
            return None
        tile = extent_value(self.size(self.sizes.by_tile[len(kernel.a) + p]))
        bytes = b.mul(self.direction, tile) if kernel.schedule.serpentine else tile
        return Prefetch(b.add(bytes, b.mul(number, index(lines * CACHE_LINE))), lines)

    def _rhs(self, p: int, width: int) -> RhsOperand:
        kernel, lanes, y = self.kernel, self.isa.lanes, self.kernel.b[p]
        vectors = kernel.schedule.nr_vectors
        if kernel.packed is not None:
            return self._packed_rhs(p)
        unit, stride = y.strides
        places = list(every(range(kernel.groups), range(vectors)))
        starts = [(group * kernel.gathered + v * lanes) * unit * y.size for group, v in places]
        active = [min(lanes, width - v * lanes) for _, v in places]
        return GatheredRhs(y.element, unit, stride, starts, active)

    def _packed_rhs(self, p: int) -> PackedRhs:
        kernel, packed = self.kernel, self.kernel.packed
        assert packed is not None
        vectors = kernel.groups * packed.stored_vectors
        if packed.codes_per_byte == 1:
            return PackedRhs(kernel.b[p].element, packed.lanes, vectors)
        return NarrowRhs(kernel.b[p].element, packed.lanes, vectors, layout=packed)
