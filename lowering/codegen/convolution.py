"""
Emits `kernel.convolution`: an implicit matrix product, whose rows are windows of the input where they lie.

Groups outside, then panels of positions, then tiles of units, then register tiles: a tile's filters and
a panel's activations are read from near memory again and again. Positions at which all operands move on
by the same distance are one dimension, and so are taps and channels.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product as every
from math import prod

from ...dialects.kernel import ConvolutionLayout, ConvolutionOp, GroupedLayout, strides_of
from ...dialects.kernel.packed_layout import taps_beside
from ..machine import CACHE_LINE, Isa
from . import ir
from .body import KernelBody
from .elements import Operand, ins_and_outs, memref
from .emitter import Emitter, Prologue
from .epilogue import Epilogue
from .live_columns import Live, LiveColumns, sums_of_one
from .live_lines import LiveLines
from .loop_nest import LoopNest, Values
from .microkernel import Accumulators, Microkernel, Prefetch, Reduction, Tap
from .microkernel_operands import GatheredRhs, GroupedLhs, LhsOperand, PackedRhs, RhsOperand
from .schedule.convolution import ConvolutionSchedule, ConvolutionShape, Split
from .schedule.merging import merge_loops
from .vectors import index, loop, scaled
from .work_partition import Partition

MOST_VARIANTS = 3
"""Kinds of register tiles by the taps that they need: the first of a line, the last and those between them."""

TapLoop = tuple[int, int, int]
"""Its count, and how many elements of a and of b lie between iterations."""


@dataclass(frozen=True)
class ConvolutionKernel(Emitter):
    """
    What of a convolution decides its machine code; equal ones share a function.

    `a`, `ins` and `outs` move along [group, positions…, channel or unit], `b` along [group, channel, unit] or,
    packed, along [group, tile]. `taps` are loops, `depth` is the inner dimension. Of several `columns`, the last of the
    taps, each has sums of its own. Where tiles have whole groups, there
    is one loop over all `units`, and `a` moves along it, too.
    """

    groups: int
    positions: tuple[int, ...]
    taps: tuple[TapLoop, ...]
    depth: int
    units: int
    a: Operand
    b: Operand
    ins: tuple[Operand, ...]
    outs: tuple[Operand, ...]
    packed: ConvolutionLayout | None
    schedule: ConvolutionSchedule
    body: KernelBody
    live: LiveLines | None
    live_columns: LiveColumns | None
    columns: int

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
        return cls(
            groups,
            positions,
            taps,
            depth,
            units,
            a,
            _filters(op),
            tuple(others[: len(op.ins)]),
            tuple(others[len(op.ins) :]),
            packed,
            schedule,
            KernelBody.of(op.body),
            LiveLines.of(op, positions, taps[:-1] if op.sums > 1 else taps),
            LiveColumns.of(op, positions, depth, packed),
            op.sums,
        )

    def emit_loops(self, prologue: Prologue) -> None:
        isa = prologue.isa.with_lanes(self.schedule.lanes)
        emission = _Emission(prologue.b, isa, self.operands, self, prologue.partition)
        emission.groups(prologue.pointers)

    @property
    def operands(self) -> tuple[Operand, ...]:
        return (self.a, self.b, *self.ins, *self.outs)

    @property
    def rows_of_register_tiles(self) -> int:
        """Blocks side by side are a row; so many there are."""
        *outer, lines, _ = self.positions
        return prod(outer) * -(-lines // self.schedule.lines)


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


# --- loops ----------------------------------------------------------------------------------


@dataclass
class _Emission(LoopNest):
    """One function's worth of emission. Pointers are to a, b, ins and outs."""

    kernel: ConvolutionKernel
    partition: Partition

    def __post_init__(self) -> None:
        self.row_in_panel: ir.Value = index(0)  # number of the row of register tiles in its panel
        self.line: ir.Value = index(0)  # the first one of the register tile
        kernel = self.kernel
        self.epilogue = Epilogue(kernel.body, kernel.ins, kernel.outs)

    def groups(self, pointers: Values) -> None:
        """Loops over groups."""
        strides = [operand.strides[0] for operand in self.operands]
        self._each(self._partition("groups", self.kernel.groups), pointers, strides, self.panels)

    def panels(self, pointers: Values) -> None:
        """Loops over panels: consecutive rows of register tiles, whatever the outer positions."""
        b, panel = self.b, self.kernel.schedule.panel
        start, count = self._partition("positions", self.kernel.rows_of_register_tiles)
        if isinstance(count, int) and count <= panel:
            self.tiles(pointers, start, count)
            return
        total = index(count) if isinstance(count, int) else count
        panels = b.sdiv(b.add(total, index(panel - 1)), index(panel))

        def iteration(i: ir.Value, carried: Values) -> Values:
            done = scaled(b, i, panel)
            left = b.sub(total, done)
            size = b.select(b.icmp_signed("<", left, index(panel)), left, index(panel))
            self.tiles(pointers, b.add(start, done), size)
            return []

        loop(b, panels, [], iteration)

    def tiles(self, pointers: Values, first: ir.Value, count: ir.Value | int) -> None:
        """Loops over tiles of units, for some rows of register tiles."""
        kernel, b = self.kernel, self.b
        width = kernel.schedule.nr_vectors * kernel.schedule.lanes
        whole, rest = divmod(kernel.units, width)
        per_unit = width if kernel.packed is None else 1
        others = (*kernel.ins, *kernel.outs)
        strides = [
            self._groups(width) * kernel.a.strides[0],
            per_unit * kernel.b.strides[-1],
            *(width * o.strides[-1] for o in others),
        ]

        def tile(pointers: Values, width: int) -> None:
            def iteration(i: ir.Value, carried: Values) -> Values:
                self.row_in_panel = i
                self.row_of_register_tiles(pointers, b.add(first, i), width)
                return []

            loop(b, count, [], iteration)

        start, tiles = self._partition("tiles", whole + (rest > 0))
        if isinstance(tiles, int):
            self._each((start, whole), pointers, strides, lambda inner: tile(inner, width))
            if rest:
                tile(self.advance(pointers, index(whole), strides), rest)
            return
        end = b.add(start, tiles)
        last = b.select(b.icmp_signed("<", end, index(whole)), end, index(whole))
        here = start, b.sub(last, start)
        self._each(here, pointers, strides, lambda inner: tile(inner, width))
        if rest:
            is_mine = b.and_(
                b.icmp_signed(">", tiles, index(0)), b.icmp_signed(">", end, index(whole))
            )
            with b.if_then(is_mine):
                tile(self.advance(pointers, index(whole), strides), rest)

    def row_of_register_tiles(self, pointers: Values, number: ir.Value, width: int) -> None:
        """The register tiles of some lines; the last lines may be fewer."""
        b, high = self.b, self.kernel.schedule.lines
        *outer, lines, _ = self.kernel.positions
        whole, rest = divmod(lines, high)
        sizes = [*outer, whole + (rest > 0)]
        line: ir.Value = number
        for d in reversed(range(len(sizes))):
            at = number if d == 0 else b.urem(number, index(sizes[d]))
            number = number if d == 0 else b.udiv(number, index(sizes[d]))
            step = high if d == len(outer) else 1
            line = at if d == len(outer) else line
            strides = [stride * step for stride in self._strides(d)]
            pointers = self.advance(pointers, at, strides)
        self.line = scaled(b, line, high)
        if not rest or not whole:
            self.register_tiles(pointers, rest or high, width)
            return
        with b.if_else(b.icmp_signed("<", line, index(whole))) as (full, partial):
            with full:
                self.register_tiles(pointers, high, width)
            with partial:
                self.register_tiles(pointers, rest, width)

    def register_tiles(self, pointers: Values, lines: int, width: int) -> None:
        """Loops over the register tiles of a line, or does the one of several lines."""
        rows = self.kernel.schedule.rows
        whole, rest = divmod(self.kernel.positions[-1], rows)
        strides = [stride * rows for stride in self._strides(-1)]
        live = {number: self._live(number * rows, lines, rows) for number in range(whole)}
        if len(set(live.values())) > MOST_VARIANTS:
            live = dict.fromkeys(live, ())

        def iteration(i: ir.Value, carried: Values) -> Values:
            self.register_tile(self.advance(pointers, i, strides), lines, rows, width, live, i)
            return []

        loop(self.b, whole, [], iteration)
        if rest:
            tail = self.advance(pointers, index(whole), strides)
            live = {0: self._live(whole * rows, lines, rest)}
            self.register_tile(tail, lines, rest, width, live, index(0))

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
        down, along = self._strides(-2), self._strides(-1)
        offsets = [
            [i * down[o] + j * along[o] for i, j in every(range(lines), range(rows))]
            for o in range(len(self.operands))
        ]
        vectors = range(-(-width // isa.lanes))
        self.epilogue.prefetch(b, isa, pointers[2:], offsets[2:], width)
        left = self._lhs([n * kernel.a.size for n in offsets[0]], self._groups(width))
        reduction = self._reduction(lines)

        def kernel_of(live: Live) -> Microkernel:
            what = replace(reduction, live=live)
            return Microkernel(b, isa, what, left, self._rhs(width), vectors)

        def sums(live: Live) -> Accumulators:
            return kernel_of(live).emit(*pointers[:2])

        if kernel.columns > 1:
            totals = kernel_of(()).by_column(*pointers[:2])
        else:
            found = sums_of_one(b, live, number, sums)
            totals = {key: [value] for key, value in found.items()}
        if kernel.schedule.epilogue_in_loop and lines * rows > 1:
            in_bytes = self.epilogue.in_bytes
            nest = [(lines, in_bytes(down[2:])), (rows, in_bytes(along[2:]))]
            self.epilogue.emit_in_loop(b, isa, pointers[2:], nest, width, totals)
        else:
            self.epilogue.emit(b, isa, pointers[2:], offsets[2:], width, totals)

    def _reduction(self, lines: int) -> Reduction:
        kernel, schedule = self.kernel, self.kernel.schedule
        taps = [
            Tap(n, a_step * kernel.a.size, b_step * kernel.b.size)
            for n, a_step, b_step in kernel.taps
        ]
        if kernel.live is not None:
            taps[0] = kernel.live.on(self.b, taps[0], self.line, lines)
        return Reduction(
            schedule.product,
            tuple(taps),
            kernel.depth,
            schedule.unroll,
            schedule.accumulators,
            self._prefetch(),
            columns=kernel.columns,
        )

    def _prefetch(self) -> Prefetch | None:
        """The rows of register tiles of a panel each fetch their part of the next tile."""
        kernel, schedule, b = self.kernel, self.kernel.schedule, self.b
        if kernel.packed is None or not schedule.prefetches:
            return None
        columns = PackedRhs(kernel.b.element, schedule.lanes, schedule.nr_vectors)
        iteration = schedule.unroll * columns.step_bytes(schedule.product.mac.kr)
        prefetching = min(schedule.panel, kernel.rows_of_register_tiles)
        lines = -(-iteration // (CACHE_LINE * prefetching))
        tile = kernel.b.strides[-1] * kernel.b.size
        return Prefetch(
            b.add(index(tile), b.mul(self.row_in_panel, index(lines * CACHE_LINE))), lines
        )

    def _groups(self, width: int) -> int:
        """How many groups of a have so many units of a tile, where tiles have whole groups; else 0."""
        packed = self.kernel.packed
        if not isinstance(packed, GroupedLayout):
            return 0
        return width * packed.tile_groups // (packed.lanes * packed.nr_vectors)

    def _lhs(self, offsets: Sequence[int], groups: int) -> LhsOperand:
        a, packed = self.kernel.a, self.kernel.packed
        if isinstance(packed, GroupedLayout) and packed.tile_groups > 1:
            units = packed.lanes // packed.tile_groups
            return GroupedLhs(a.element, a.strides[-1], offsets, groups, units)
        return LhsOperand(a.element, a.strides[-1], offsets)

    def _rhs(self, width: int) -> RhsOperand:
        kernel, lanes = self.kernel, self.isa.lanes
        if kernel.packed is not None:
            vectors = kernel.schedule.nr_vectors
            return PackedRhs(kernel.b.element, lanes, vectors, units=width)
        _, channel, unit = kernel.b.strides
        starts = range(0, width, lanes)
        return GatheredRhs(
            kernel.b.element,
            unit,
            channel,
            [start * unit * kernel.b.size for start in starts],
            [min(lanes, width - start) for start in starts],
        )

    def _strides(self, d: int) -> list[int]:
        """How operands move along a dimension of positions; filters do not."""
        at = 1 + d if d >= 0 else d - 1
        return [0 if i == 1 else o.strides[at] for i, o in enumerate(self.operands)]

    def _partition(self, what: Split, count: int) -> tuple[ir.Value, ir.Value | int]:
        """The first of the iterations that this function does, and how many there are."""
        mine = self.partition if self.kernel.schedule.split == what else Partition.WHOLE
        return mine.of(self.b, count)

    def _each(
        self,
        part: tuple[ir.Value, ir.Value | int],
        pointers: Values,
        strides: Sequence[int],
        emit: Callable[[Values], None],
    ) -> None:
        """A loop over a part of a dimension along which the operands move by these strides."""
        first, count = part

        def iteration(i: ir.Value, carried: Values) -> Values:
            emit(self.advance(pointers, self.b.add(first, i), strides))
            return []

        loop(self.b, count, [], iteration)
