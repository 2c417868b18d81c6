"""
Emits `kernel.convolution`: an implicit matrix product, whose rows are windows of the input where they lie.

Groups outside, then panels of positions, then tiles of units, then register tiles: a tile's filters and
a panel's activations are read from near memory again and again. Positions at which all operands move on
by the same distance are one dimension, and so are taps and channels.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from math import prod

from ...dialects.kernel import ConvolutionLayout, ConvolutionOp, GroupedLayout, strides_of
from ...dialects.kernel.packed_layout import taps_beside
from ..machine import CACHE_LINE, Isa
from . import ir
from .body import KernelBody
from .convolution_sizes import (
    SPLITS,
    ConvolutionSizes,
    TapLoop,
    at_run_time,
    groups_of,
    sizes_of,
    tap_loops,
)
from .elements import Operand, ins_and_outs, memref
from .emitter import Emitter, Prologue
from .epilogue import Epilogue
from .live_columns import Live, LiveColumns, sums_of_one
from .live_lines import LiveLines
from .loop_nest import Nest, Values, moved
from .microkernel import Accumulators, Depth, Microkernel, Prefetch, Reduction, Tap
from .microkernel_operands import (
    GatheredRhs,
    GroupedLhs,
    LhsOperand,
    PackedRhs,
    RhsOperand,
    Rows,
)
from .run_time import (
    Extent,
    Number,
    extent_value,
    later_unless_zero,
    number_at,
    plus,
    table_of,
    times,
)
from .schedule.convolution import ConvolutionSchedule, ConvolutionShape, Split
from .schedule.merging import merge_loops
from .vectors import POINTER, index, laundered, loop, scaled
from .work_partition import Partition

LONG_SUM = 32
"""Steps from which on a register tile takes so long that its addresses may be computed while it runs."""

MOST_VARIANTS = 3
"""Kinds of register tiles by the taps that they need: the first of a line, the last and those between them."""


@dataclass(frozen=True)
class ConvolutionKernel(Emitter):
    """
    What of a convolution decides its machine code; equal ones share a function, whose table has the sizes. These decide
    code, too, where sums are short or rows are shuffled, which would be slower; where filters are gathered, which is
    slow anyway; and where columns are zeros, which few convolutions have.

    `a`, `ins` and `outs` move along channels or units, `b`, if not packed, along [channel, unit]. `taps` are loops,
    `depth` is the inner dimension: steps are unrolled. `rests` are the lines, columns and units that whole register
    tiles leave: each has code for so many, without masks. Of several `columns`, the last of the taps, each has sums of
    its own. Where tiles have whole groups, there is one loop over all units, and `a` moves along it, too; a row has
    `grouped_depth` elements of each group then, which are shuffled.
    """

    sizes: ConvolutionSizes[Number]
    rests: tuple[int, int, int]
    taps: tuple[Tap[Number], ...]
    depth: Depth[Number]
    grouped_depth: int
    a: Operand
    b: Operand
    ins: tuple[Operand, ...]
    outs: tuple[Operand, ...]
    packed: ConvolutionLayout | None
    schedule: ConvolutionSchedule
    prefetched_lines: int
    body: KernelBody
    live: LiveLines | None
    live_columns: LiveColumns | None
    columns: int
    table: tuple[int, ...] = field(compare=False, repr=False)

    @classmethod
    def of(cls, op: ConvolutionOp, isa: Isa) -> ConvolutionKernel:
        """The kernel of an operation on planned memory."""
        packed = _layout(op)
        groups, units = op.groups.value.data, op.units
        if packed is not None:
            groups, units = packed.loops(units, groups)
        a = _input(op)
        others = [
            _by_group(operand, groups, units)
            for operands in ins_and_outs(op)
            for operand in operands
        ]
        positions, (a, *others) = _merge_positions(op.shape[:-1], [a, *others])
        taps, depth = _taps(op)
        counts = tuple(n for n, _, _ in taps)
        reads, writes = positions[-1] * prod(counts) * depth, positions[-1] * groups * units
        line = min(reads * op.groups.value.data // groups, abs(a.strides[-3])) * a.size
        line += sum(min(writes, abs(operand.strides[-3])) * operand.size for operand in others)
        row = next((n for n in reversed(a.strides[1:-1]) if n), 0) * a.size
        shuffles = packed.shuffles(depth) if isinstance(packed, GroupedLayout) else 0
        shape = ConvolutionShape(
            groups, positions, counts, depth, units, line, row, shuffles, op.sums
        )
        kind = a.element, memref(op.b).element_type
        operations = sum(1 for _ in op.body.block.ops)
        schedule = ConvolutionSchedule.follow(
            isa, shape, kind, packed, op.offset, operations, op.measured_mr
        )
        b, live_columns = _filters(op), LiveColumns.of(op, positions, depth, packed)
        sizes, rests = sizes_of(shape, schedule, packed, [a, b, *others])
        prefetched_lines = 0
        if packed is not None and schedule.prefetches:  # a part by each row of register tiles
            iteration = schedule.unroll * _step_bytes(schedule, packed, b)
            prefetched_lines = -(-iteration // (CACHE_LINE * min(schedule.panel, sizes.rows)))
        kr, steps = schedule.product.mac.kr, depth // schedule.product.mac.kr
        inner = steps * kr * a.strides[-1] * a.size, steps * _step_bytes(schedule, packed, b)
        loops = tap_loops(taps, inner, (a, b))
        dimension = Depth.of(depth, kr, schedule.unroll)
        table: list[int] = []
        if (
            packed is not None
            and live_columns is None
            and not shuffles
            and prod(counts) * steps >= LONG_SUM
        ):
            sizes = at_run_time(sizes, schedule, table)
            change = partial(later_unless_zero, table=table)
            loops = tuple(tap.each(change) for tap in loops)
            dimension = dimension.each(change)
        a, *others = (replace(operand, strides=operand.strides[-1:]) for operand in (a, *others))
        return cls(
            sizes,
            rests,
            loops,
            dimension,
            depth if shuffles else 0,
            a,
            replace(b, strides=b.strides[1:] if packed is None else ()),
            tuple(others[: len(op.ins)]),
            tuple(others[len(op.ins) :]),
            packed,
            schedule,
            prefetched_lines,
            KernelBody.of(op.body),
            LiveLines.of(op, positions, taps[:-1] if op.sums > 1 else taps),
            live_columns,
            op.sums,
            tuple(table),
        )

    @property
    def operands(self) -> tuple[Operand, ...]:
        return (self.a, self.b, *self.ins, *self.outs)

    @property
    def parameters(self) -> tuple[ir.Type, ...]:
        return (POINTER,) * bool(self.table)

    def arguments(self, b: ir.IRBuilder, call_number: ir.Value) -> list[ir.Value]:
        return [table_of(b, self.table)] if self.table else []

    def emit_loops(self, prologue: Prologue) -> None:
        isa = prologue.isa.with_lanes(self.schedule.lanes)
        emission = _Emission(prologue.b, isa, self, prologue.arguments, prologue.partition)
        emission.groups(prologue.pointers)


# --- what lies where ------------------------------------------------------------------------


def _input(op: ConvolutionOp) -> Operand:
    """How a moves along [group, batch, positions…, channel]."""
    type = memref(op.a)
    _, strides, _ = op.window()
    batch, *spatial, channel = strides_of(type)
    moving = [step * stride for step, stride in zip(spatial, strides, strict=True)]
    return Operand(type.element_type, 0, (op.channels * channel, batch, *moving, channel))


def _layout(op: ConvolutionOp) -> ConvolutionLayout | None:
    packed = op.packed
    assert packed is None or isinstance(packed, ConvolutionLayout), "other kernels are for that"
    return packed


def _filters(op: ConvolutionOp) -> Operand:
    """How b moves along [group, channel, unit], or, packed, along [group, tile]."""
    type = memref(op.b)
    steps = strides_of(type)
    if op.packed is not None:
        return Operand(type.element_type, 0, steps[:2])
    return Operand(type.element_type, 0, (op.units * steps[0], steps[-1], steps[0]))


def _by_group(operand: Operand, groups: int, units: int) -> Operand:
    """With a leading dimension of groups."""
    return replace(operand, strides=(units * operand.strides[-1], *operand.strides))


def _merge_positions(
    sizes: Sequence[int], operands: Sequence[Operand]
) -> tuple[tuple[int, ...], list[Operand]]:
    """
    Positions, and operands along [group, positions…, unit], without dimensions of one position and with those as
    one that all operands step through as one. One that is left alone has lines of one position.
    """
    by_dimension = [[o.strides[d] for o in operands] for d in range(1, len(sizes) + 1)]
    kept, steps = merge_loops(sizes, by_dimension)
    while len(kept) < 2:
        kept.append(1)
        steps.append([0] * len(operands))
    merged = [
        replace(o, strides=(o.strides[0], *(step[i] for step in steps), o.strides[-1]))
        for i, o in enumerate(operands)
    ]
    return tuple(kept), merged


def _taps(op: ConvolutionOp) -> tuple[tuple[TapLoop, ...], int]:
    """
    Loops over taps, and the inner dimension: channels, and with them the taps that lie beside them in a where
    filters are laid out so, or where that is how they lie anyway.
    """
    packed, depth = _layout(op), op.channels
    taps, _, dilations = op.window()
    _, *spatial, channel = strides_of(memref(op.a))
    loops = [(n, s * d) for n, s, d in zip(taps, spatial, dilations, strict=True)]
    beside = 0 if op.sums > 1 else taps_beside(loops, depth, channel)
    if packed is None:
        filters = strides_of(memref(op.b))[1:-1]
        found = [(n, a, b) for (n, a), b in zip(loops, filters, strict=True) if n > 1]
        return tuple(found), depth
    assert packed.merged <= beside, "the verifier sees to it"
    inner = len(loops) - (beside if depth % packed.kr == 0 else packed.merged)
    depth *= prod(n for n, _ in loops[inner:])
    step = -(-depth // packed.kr) * packed.kr * packed.lanes * packed.nr_vectors
    found: list[TapLoop] = []
    for n, stride in reversed(loops[:inner]):
        found.insert(0, (n, stride, step))
        step *= n
    return tuple(loop for loop in found if loop[0] > 1), depth


def _step_bytes(schedule: ConvolutionSchedule, packed: ConvolutionLayout | None, b: Operand) -> int:
    """From one step of b to the next."""
    kr = schedule.product.mac.kr
    per_channel = b.strides[-2] if packed is None else schedule.lanes * schedule.nr_vectors
    return kr * per_channel * b.size


# --- loops ----------------------------------------------------------------------------------


@dataclass
class _Emission:
    """
    One function's worth of emission. Pointers are to a, b, ins and outs. Sizes are loaded from the table, which is what
    `arguments` are, wherever they are needed: all at once would fill the registers, and LLVM's time.
    """

    b: ir.IRBuilder
    isa: Isa
    kernel: ConvolutionKernel
    arguments: Values
    partition: Partition

    def __post_init__(self) -> None:
        self.row_in_panel: ir.Value = index(0)  # number of the row of register tiles in its panel
        self.line: ir.Value = index(0)  # the first one of the register tile
        kernel, self.sizes = self.kernel, self.kernel.sizes
        self.epilogue = Epilogue(kernel.body, kernel.ins, kernel.outs)

    def groups(self, pointers: Values) -> None:
        """Loops over groups."""
        if self.sizes.groups == 0:
            self.panels(pointers)
            return
        part = self._partition("groups").of(self.b, self._size(self.sizes.groups))
        self._each(part, pointers, self.sizes.by_group, self.panels)

    def panels(self, pointers: Values) -> None:
        """Loops over panels: consecutive rows of register tiles, whatever the outer positions."""
        b = self.b
        start, count = self._partition("positions").of(b, self._size(self.sizes.rows))
        if self.sizes.panel == 0:
            self.tiles(pointers, start, count)
            return
        total, panel = (extent_value(each) for each in (count, self._size(self.sizes.panel)))
        panels = b.sdiv(b.add(total, b.sub(panel, index(1))), panel)

        def iteration(i: ir.Value, carried: Values) -> Values:
            done = b.mul(i, panel)
            left = b.sub(total, done)
            size = b.select(b.icmp_signed("<", left, panel), left, panel)
            self.tiles(pointers, self._from(start, done), size)
            return []

        loop(b, panels, [], iteration)

    def tiles(self, pointers: Values, first: ir.Value, count: Extent) -> None:
        """Loops over tiles of units, for some rows of register tiles."""
        b, schedule, whole = self.b, self.kernel.schedule, self._size(self.sizes.whole_units)
        *_, rest = self.kernel.rests
        strides = self.sizes.by_tile

        def tile(pointers: Values, width: int) -> None:
            def iteration(i: ir.Value, carried: Values) -> Values:
                self.row_in_panel = i
                self.row_of_register_tiles(pointers, self._from(first, i), width)
                return []

            loop(b, count, [], iteration)

        def whole_tiles(first: ir.Value, count: Extent) -> None:
            width = schedule.nr_vectors * schedule.lanes
            self._each((first, count), pointers, strides, lambda inner: tile(inner, width))

        def last_tile() -> None:
            tile(self._moved(pointers, extent_value(whole), strides), rest)

        if self.partition is Partition.WHOLE:
            whole_tiles(index(0), whole)
            if rest:
                last_tile()
            return
        part = self._partition("tiles").of(b, plus(b, whole, int(rest > 0)))
        start, tiles = (extent_value(each) for each in part)
        end, behind = b.add(start, tiles), extent_value(whole)
        last = b.select(b.icmp_signed("<", end, behind), end, behind)
        whole_tiles(start, b.sub(last, start))
        if rest:
            is_mine = b.and_(b.icmp_signed(">", tiles, index(0)), b.icmp_signed(">", end, behind))
            with b.if_then(is_mine):
                last_tile()

    def row_of_register_tiles(self, pointers: Values, number: ir.Value, width: int) -> None:
        """The register tiles of some lines; the last lines may be fewer."""
        b, sizes, high = self.b, self.sizes, self.kernel.schedule.lines
        rest, whole = self.kernel.rests[0], sizes.whole_lines
        counts, strides = [*sizes.outer, sizes.blocks], [*sizes.by_outer, sizes.by_line]
        block = number
        for d in reversed(range(len(counts))):
            count = extent_value(self._size(counts[d]))
            at = number if d == 0 else b.urem(number, count)
            number = number if d == 0 else b.udiv(number, count)
            if d == len(sizes.outer):
                block = at
                at = self.line = scaled(b, block, high)
            pointers = self._moved(pointers, at, strides[d])
        if not rest or whole == 0:
            self.register_tiles(pointers, rest or high, width)
            return
        with b.if_else(b.icmp_signed("<", block, extent_value(self._size(whole)))) as (
            full,
            partial,
        ):
            with full:
                self.register_tiles(pointers, high, width)
            with partial:
                self.register_tiles(pointers, rest, width)

    def register_tiles(self, pointers: Values, lines: int, width: int) -> None:
        """Loops over the register tiles of a line, or does the one of several lines."""
        b, rows, strides = self.b, self.kernel.schedule.rows, self.sizes.by_column
        whole, (_, rest, _) = self._size(self.sizes.whole_rows), self.kernel.rests
        live = self._live_of_each(whole, lines)

        def iteration(i: ir.Value, carried: Values) -> Values:
            here = self._moved(pointers, scaled(b, i, rows), strides)
            self.register_tile(here, lines, rows, width, live, i)
            return []

        loop(b, whole, [], iteration)
        if rest:
            tail = self._moved(pointers, extent_value(times(b, whole, rows)), strides)
            first = whole * rows if isinstance(whole, int) else 0
            live = {0: self._live(first, lines, rest)}
            self.register_tile(tail, lines, rest, width, live, index(0))

    def _live_of_each(self, whole: Extent, lines: int) -> dict[int, Live]:
        """The taps that each register tile of a line needs, by number; of one for all where they need all."""
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
    ) -> None:
        """The sums of a register tile, and the body on each vector of them; `live` are those of each number."""
        kernel, b, isa = self.kernel, self.b, self.isa
        vectors = range(-(-width // isa.lanes))
        self.epilogue.prefetch(b, isa, pointers[2:], self._nest(lines, rows), width)
        left = self._lhs(lines, rows, groups_of(kernel.packed, width))
        reduction = self._reduction(lines)

        def kernel_of(live: Live) -> Microkernel:
            depth = kernel.depth.part(len(live)) if live else kernel.depth
            what = replace(reduction, depth=depth, live=live)
            return Microkernel(b, isa, what, left, self._rhs(width), vectors, self.arguments)

        def sums(live: Live) -> Accumulators:
            return kernel_of(live).emit(*pointers[:2])

        if kernel.columns > 1:
            totals = kernel_of(()).by_column(*pointers[:2])
        else:
            found = sums_of_one(b, live, number, sums)
            totals = {key: [value] for key, value in found.items()}
        nest = self._nest(lines, rows)
        if kernel.schedule.epilogue_in_loop and lines * rows > 1:
            self.epilogue.emit_in_loop(b, isa, pointers[2:], nest, width, totals)
        else:
            self.epilogue.emit(b, isa, pointers[2:], nest, width, totals)

    def _nest(self, lines: int, rows: int) -> Nest:
        """How the body's operands move in a register tile."""
        return [
            (count, [self._size(stride) for stride in strides[2:]])
            for count, strides in ((lines, self.sizes.by_line), (rows, self.sizes.by_column))
            if count > 1
        ]

    def _reduction(self, lines: int) -> Reduction:
        b, kernel, live = self.b, self.kernel, None
        if kernel.live is not None:
            live = kernel.live.taps(b, self._size(kernel.taps[0].count), self.line, lines)
        return Reduction(
            kernel.schedule.product,
            kernel.taps,
            kernel.depth,
            kernel.schedule.accumulators,
            self._prefetch(),
            columns=kernel.columns,
            live_taps=live,
        )

    def _prefetch(self) -> Prefetch | None:
        """The rows of register tiles of a panel each fetch their part of the next tile."""
        b, lines = self.b, self.kernel.prefetched_lines
        if not lines:
            return None
        _, tile, *_ = self.sizes.by_tile
        part = scaled(b, self.row_in_panel, lines * CACHE_LINE)
        return Prefetch(b.add(extent_value(self._size(tile)), part), lines)

    def _lhs(self, lines: int, rows: int, groups: int) -> LhsOperand:
        kernel, packed = self.kernel, self.kernel.packed
        element, (stride,) = kernel.a.element, kernel.a.strides
        found = Rows(lines, rows, kernel.sizes.by_line[0], kernel.sizes.by_column[0])
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
        """What this function does of a loop that threads may divide."""
        b = self.b
        if self.partition is Partition.WHOLE:
            return Partition.WHOLE
        split = extent_value(self._size(self.sizes.split))
        return self.partition.where(b, b.icmp_signed("==", split, index(SPLITS.index(what))))

    def _each(
        self,
        part: tuple[ir.Value, Extent],
        pointers: Values,
        strides: Sequence[Number],
        emit: Callable[[Values], None],
    ) -> None:
        """A loop over a part of a dimension along which the operands move by these strides."""
        first, count = part

        def iteration(i: ir.Value, carried: Values) -> Values:
            emit(self._moved(pointers, self._from(first, i), strides))
            return []

        loop(self.b, count, [], iteration)

    def _from(self, first: ir.Value, i: ir.Value) -> ir.Value:
        """Number i from the first on."""
        return i if first is index(0) else self.b.add(first, i)

    def _size(self, number: Number) -> Extent:
        return number_at(self.b, self.arguments, number)

    def _moved(self, pointers: Values, i: ir.Value, strides: Sequence[Number]) -> Values:
        """Pointers so many times their strides further; LLVM does not see how they come from those before."""
        if i is index(0):
            return pointers
        found = moved(self.b, pointers, i, [self._size(stride) for stride in strides])
        return [
            new if new is old else laundered(self.b, new)
            for old, new in zip(pointers, found, strict=True)
        ]
