"""
The loops of a convolution.

Groups outside, then panels of positions, then tiles of units, then register tiles: a tile's filters and a panel's
activations are read from near memory again and again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ....dialects.kernel import GroupedLayout
from ...machine import CACHE_LINE
from .. import ir
from ..epilogue import Epilogue, Key
from ..loop_nest import Nest, Values
from ..microkernel.microkernel import Accumulators, Microkernel, Prefetch, Reduction
from ..microkernel.operands import GatheredRhs, GroupedLhs, LhsOperand, PackedRhs, RhsOperand, Rows
from ..run_time import Extent, extent_value, plus, times
from ..schedule.convolution import Split
from ..sized_loops import SizedLoops
from ..spilled import Spilled
from ..vectors import for_each, for_each_block, index, scaled
from ..work_partition import Partition
from .live_columns import Live, sums_of_one
from .sizes import SPLITS, groups_of

if TYPE_CHECKING:
    from .convolution import ConvolutionKernel

MOST_VARIANTS = 3
"""
A line has at most three kinds of register tiles by the taps that they need: the first, the last, and those between.
"""


@dataclass
class ConvolutionLoops(SizedLoops):
    """Emits the loops of one function. Pointers are to a, b, ins and outs."""

    kernel: ConvolutionKernel
    partition: Partition

    def __post_init__(self) -> None:
        self.row_in_panel: ir.Value = index(0)  # number of the row of register tiles in its panel
        self.places: Values = []  # of the register tile's first position, in each loop over them
        kernel, self.sizes = self.kernel, self.kernel.sizes
        self.epilogue = Epilogue(kernel.body, kernel.ins, kernel.outs)

    def groups(self, pointers: Values) -> None:
        """Loops over groups."""
        if self.sizes.groups == 0:
            self.panels(pointers)
            return
        part = self._partition("groups").of(self.b, self.size(self.sizes.groups))
        self.each(part, pointers, self.sizes.by_group, self.panels)

    def panels(self, pointers: Values) -> None:
        """Loops over panels: consecutive rows of register tiles, whatever the outer positions."""
        b = self.b
        start, count = self._partition("positions").of(b, self.size(self.sizes.rows))
        if self.sizes.panel == 0:
            self.tiles(pointers, start, count)
            return
        total, panel = (extent_value(each) for each in (count, self.size(self.sizes.panel)))
        for_each_block(
            b, total, panel, lambda done, size: self.tiles(pointers, self.behind(start, done), size)
        )

    def tiles(self, pointers: Values, first: ir.Value, count: Extent) -> None:
        """Loops over tiles of units, for a number of rows of register tiles."""
        b, schedule, whole = self.b, self.kernel.schedule, self.size(self.sizes.whole_units)
        *_, rest = self.kernel.rests
        strides = self.sizes.by_tile

        def tile(pointers: Values, width: int) -> None:
            def iteration(i: ir.Value) -> None:
                self.row_in_panel = i
                self.row_of_register_tiles(pointers, self.behind(first, i), width)

            for_each(b, count, iteration)

        def whole_tiles(first: ir.Value, count: Extent) -> None:
            width = schedule.nr_vectors * schedule.lanes
            self.each((first, count), pointers, strides, lambda inner: tile(inner, width))

        def last_tile() -> None:
            tile(self.moved(pointers, extent_value(whole), strides), rest)

        if self.partition is Partition.WHOLE:
            whole_tiles(index(0), whole)
            if rest:
                last_tile()
            return
        part = self._partition("tiles").of(b, plus(b, whole, int(rest > 0)))
        start, tiles = (extent_value(each) for each in part)
        end, behind = b.add(start, tiles), extent_value(whole)
        last = b.smin(end, behind)
        whole_tiles(start, b.sub(last, start))
        if rest:
            is_mine = b.and_(b.icmp_signed(">", tiles, index(0)), b.icmp_signed(">", end, behind))
            with b.if_then(is_mine):
                last_tile()

    def row_of_register_tiles(self, pointers: Values, number: ir.Value, width: int) -> None:
        """The register tiles of one group of lines; the last group may have fewer lines."""
        b, sizes, high = self.b, self.sizes, self.kernel.schedule.lines
        rest, whole = self.kernel.rests[0], sizes.whole_lines
        counts, strides = [*sizes.outer, sizes.blocks], [*sizes.by_outer, sizes.by_line]
        block, places = number, list[ir.Value]()
        for d in reversed(range(len(counts))):
            count = extent_value(self.size(counts[d]))
            at = number if d == 0 else b.urem(number, count)
            number = number if d == 0 else b.udiv(number, count)
            if d == len(sizes.outer):
                block = at
                at = scaled(b, block, high)
            places.insert(0, at)
            pointers = self.moved(pointers, at, strides[d])
        self.places = places
        if not rest or whole == 0:
            self.register_tiles(pointers, rest or high, width)
            return
        with b.if_else(b.icmp_signed("<", block, extent_value(self.size(whole)))) as (
            full,
            partial,
        ):
            with full:
                self.register_tiles(pointers, high, width)
            with partial:
                self.register_tiles(pointers, rest, width)

    def register_tiles(self, pointers: Values, lines: int, width: int) -> None:
        """Loops over the register tiles of a line. Several lines are one register tile."""
        b, rows, strides = self.b, self.kernel.schedule.rows, self.sizes.by_column
        whole, (_, rest, _) = self.size(self.sizes.whole_rows), self.kernel.rests
        live = self._live_of_each(whole, lines)

        def iteration(i: ir.Value) -> None:
            column = scaled(b, i, rows)
            here = self.moved(pointers, column, strides)
            self.register_tile(here, lines, rows, width, live, i, column)

        for_each(b, whole, iteration)
        if rest:
            column = extent_value(times(b, whole, rows))
            tail = self.moved(pointers, column, strides)
            first = whole * rows if isinstance(whole, int) else 0
            live = {0: self._live(first, lines, rest)}
            self.register_tile(tail, lines, rest, width, live, index(0), column)

    def _live_of_each(self, whole: Extent, lines: int) -> dict[int, Live]:
        """The taps that each register tile of a line needs, by its number; empty where all of them need all taps."""
        rows = self.kernel.schedule.rows
        if not isinstance(whole, int):
            return {0: ()}
        live = {number: self._live(number * rows, lines, rows) for number in range(whole)}
        return dict.fromkeys(live, ()) if len(set(live.values())) > MOST_VARIANTS else live

    def _live(self, column: int, lines: int, rows: int) -> Live:
        """The taps that a register tile needs."""
        columns = self.kernel.live_columns
        return () if columns is None else columns.of_tile(column, lines, rows)

    def register_tile(
        self,
        pointers: Values,
        lines: int,
        rows: int,
        width: int,
        live: Mapping[int, Live],
        number: ir.Value,
        column: ir.Value,
    ) -> None:
        """
        The sums of a register tile, which begins at a column, and the body on each vector of them. `live` has the taps
        that a tile needs, by its number.
        """
        kernel, b, isa = self.kernel, self.b, self.isa
        vectors = range(-(-width // isa.lanes))
        self.epilogue.prefetch(b, isa, pointers[2:], self._nest(lines, rows), width)
        left = self._lhs(lines, rows, groups_of(kernel.packed, width))
        reduction = self._reduction(column, lines, rows)

        def kernel_of(live: Live) -> Microkernel:
            depth = kernel.depth.part(len(live)) if live else kernel.depth
            what = replace(reduction, depth=depth, live=live)
            return Microkernel(b, isa, what, left, self._rhs(width), vectors, self.arguments)

        def sums(live: Live) -> Accumulators:
            return kernel_of(live).emit(*pointers[:2])

        def totals() -> Mapping[Key, Sequence[ir.Value]]:
            if kernel.columns > 1:
                return kernel_of(()).by_column(*pointers[:2])
            found = sums_of_one(b, live, number, sums)
            return {key: [value] for key, value in found.items()}

        nest = self._nest(lines, rows)
        if not self._in_loop(lines, rows):
            self.epilogue.emit(b, isa, pointers[2:], nest, width, totals())
            return
        kinds = set(live.values())
        alone = kernel_of(*kinds) if len(kinds) == 1 else None
        spilled = Spilled.of(b, totals()) if alone is None else alone.spilled(*pointers[:2])
        self.epilogue.emit_in_loop(b, isa, pointers[2:], nest, width, spilled)

    def _in_loop(self, lines: int, rows: int) -> bool:
        """Whether a register tile of so many positions goes over them in a loop."""
        if lines * rows == 1:
            return False
        schedule = self.kernel.schedule
        is_rest = lines < schedule.lines or rows < schedule.rows
        return schedule.epilogue_in_loop or (is_rest and schedule.rest_in_loop)

    def _nest(self, lines: int, rows: int) -> Nest:
        """How the body's operands move inside of a register tile."""
        return [
            (count, [self.size(stride) for stride in strides[2:]])
            for count, strides in ((lines, self.sizes.by_line), (rows, self.sizes.by_column))
            if count > 1
        ]

    def _reduction(self, column: ir.Value, lines: int, rows: int) -> Reduction:
        kernel = self.kernel
        places = [*self.places, column]
        counts = [*[1] * (len(places) - 2), lines, rows]
        limits: list[tuple[ir.Value, ir.Value]] = []
        for live, tap in zip(kernel.live, kernel.taps, strict=False):
            taps = self.size(tap.count)
            if live is None:
                limits.append((index(0), extent_value(taps)))
                continue
            place, count = places[live.positions], counts[live.positions]
            limits.append(live.limits(self.b, taps, place, count))
        return Reduction(
            kernel.schedule.product,
            kernel.taps,
            kernel.depth,
            kernel.schedule.accumulators,
            self._prefetch(),
            columns=kernel.columns,
            live_taps=limits,
        )

    def _prefetch(self) -> Prefetch | None:
        """
        What each register tile prefetches: all rows of register tiles of a panel together fetch the next tile of
        filters.
        """
        b, lines = self.b, self.kernel.prefetched_lines
        if not lines:
            return None
        _, tile, *_ = self.sizes.by_tile
        part = scaled(b, self.row_in_panel, lines * CACHE_LINE)
        return Prefetch(b.add(extent_value(self.size(tile)), part), lines)

    def _lhs(self, lines: int, rows: int, groups: int) -> LhsOperand:
        kernel, packed = self.kernel, self.kernel.packed
        element, (stride,) = kernel.a.element, kernel.a.strides
        down = kernel.sizes.by_line[0] if lines > 1 else 0
        found = Rows(lines, rows, down, kernel.sizes.by_column[0])
        if isinstance(packed, GroupedLayout) and packed.tile_groups > 1:
            units = packed.lanes // packed.tile_groups
            return GroupedLhs(element, stride, found, groups, units, kernel.grouped_depth)
        return LhsOperand(element, stride, found)

    def _rhs(self, width: int) -> RhsOperand:
        kernel, lanes = self.kernel, self.isa.lanes
        if kernel.packed is not None:
            vectors = kernel.schedule.nr_vectors
            return PackedRhs(kernel.b.element, lanes, vectors, units=width)
        channel, unit = kernel.b.strides
        starts = range(0, width, lanes)
        return GatheredRhs(
            kernel.b.element,
            unit,
            channel,
            [start * unit * kernel.b.size for start in starts],
            [min(lanes, width - start) for start in starts],
        )

    def _partition(self, what: Split) -> Partition:
        """The part that this function computes of a loop that threads may divide."""
        b = self.b
        if self.partition is Partition.WHOLE:
            return Partition.WHOLE
        split = extent_value(self.size(self.sizes.split))
        return self.partition.where(b, b.icmp_signed("==", split, index(SPLITS.index(what))))
