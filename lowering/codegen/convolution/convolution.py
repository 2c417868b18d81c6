"""
Emits `kernel.convolution`: an implicit matrix product, whose rows are windows of the input where they lie.

Positions at which all operands move on by the same distance are one dimension, and so are taps and channels.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from math import prod

from ....dialects.kernel import ConvolutionLayout, ConvolutionOp, GroupedLayout, strides_of
from ...machine import CACHE_LINE, Isa
from ..body import KernelBody
from ..elements import Operand, ins_and_outs, memref
from ..emitter import Emitter, Prologue
from ..microkernel.assembly import has_assembly
from ..microkernel.microkernel import Depth, Tap
from ..run_time import Number, later_unless_zero
from ..schedule.convolution import ConvolutionSchedule, ConvolutionShape
from ..schedule.merging import merge_loops
from .live_columns import LiveColumns
from .live_taps import LiveTaps
from .loops import ConvolutionLoops
from .sizes import ConvolutionSizes, TapLoop, at_run_time, outer_at_run_time, sizes_of, tap_loops

LONG_SUM = 32
"""
From this number of steps on, a register tile takes so long that computing its addresses at run time costs nothing.
"""


@dataclass(frozen=True)
class ConvolutionKernel(Emitter):
    """
    All of a convolution that decides its machine code; equal ones share a function, whose table has the sizes. Sizes
    decide code, too, where sums are short, apart from distances of lines, or rows are shuffled, since looking them up
    would be slower; where filters are gathered, which is slow anyway; and where columns are zeros, which few
    convolutions have.

    `a`, `ins` and `outs` move along channels or units; `b`, if not packed, along [channel, unit]. `taps` are loops.
    `depth` is the inner dimension, whose steps are unrolled. `rests` are the lines, columns and units that whole
    register tiles leave: there is code for each rest, without masks. If `columns` is more than 1, each of the last taps
    has sums of its own. Where tiles have whole groups, there is one loop over all units, and `a` moves along it, too; a
    row then has `grouped_depth` elements of each group, which are shuffled.
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
    live: tuple[LiveTaps | None, ...]
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
        ins, outs = (
            [_by_group(operand, groups, units) for operand in operands]
            for operands in ins_and_outs(op)
        )
        positions, (a, *others) = merge_positions(op.shape[:-1], [input_operand(op), *ins, *outs])
        taps, depth = _taps(op)
        shape = _shape(op, groups, positions, taps, depth, units, a, others)
        schedule = _schedule(op, isa, shape, packed)
        b, live_columns = _filters(op), LiveColumns.of(op, positions, depth, packed)
        sizes, rests = sizes_of(shape, schedule, packed, [a, b, *others])
        lines, columns, _ = rests
        fewest = [*[1] * (len(positions) - 2), lines or schedule.lines, columns or schedule.rows]
        loops, dimension = _reduction(schedule, packed, taps, depth, a, b)
        a, *others = (replace(operand, strides=operand.strides[-1:]) for operand in (a, *others))
        fixed = cls(
            sizes=sizes,
            rests=rests,
            taps=loops,
            depth=dimension,
            grouped_depth=depth if shape.shuffles else 0,
            a=a,
            b=replace(b, strides=b.strides[1:] if packed is None else ()),
            ins=tuple(others[: len(ins)]),
            outs=tuple(others[len(ins) :]),
            packed=packed,
            schedule=schedule,
            prefetched_lines=_prefetched_lines(schedule, packed, b, sizes.rows),
            body=KernelBody.of(op.body),
            live=LiveTaps.of(op, positions, taps[:-1] if op.sums > 1 else taps, fewest),
            live_columns=live_columns,
            columns=op.sums,
            table=(),
        )
        return fixed.at_run_time(sizes, prod(shape.taps) * dimension.steps)

    def at_run_time(self, sizes: ConvolutionSizes[int], steps: int) -> ConvolutionKernel:
        """The same with a table of its sizes, if it is as fast. So many steps are summed up."""
        if self.packed is None or self.live_columns is not None or self.grouped_depth:
            return self
        table: list[int] = []
        if steps >= LONG_SUM:
            change = partial(later_unless_zero, table=table)
            return replace(
                self,
                sizes=at_run_time(sizes, self.schedule, table),
                taps=tuple(tap.each(change) for tap in self.taps),
                depth=self.depth.each(change),
                table=tuple(table),
            )
        if self.schedule.lines == 1:
            outer = outer_at_run_time(sizes, table)
            return replace(self, sizes=outer, table=tuple(table))
        return self

    @property
    def operands(self) -> tuple[Operand, ...]:
        return (self.a, self.b, *self.ins, *self.outs)

    def is_assembly(self, isa: Isa) -> bool:
        is_plain = type(self.packed) is ConvolutionLayout and self.a.strides == (1,)
        return is_plain and self.columns == 1 and has_assembly(isa, self.schedule.product)

    def compact(self) -> ConvolutionKernel:
        return replace(self, schedule=replace(self.schedule, epilogue_in_loop=True))

    def emit_loops(self, prologue: Prologue) -> None:
        isa = prologue.isa.with_lanes(self.schedule.lanes)
        loops = ConvolutionLoops(prologue.b, isa, prologue.arguments, self, prologue.partition)
        loops.groups(prologue.pointers)


# --- what lies where ------------------------------------------------------------------------


def input_operand(op: ConvolutionOp) -> Operand:
    """How `a` moves along [group, batch, positions…, channel]."""
    type = memref(op.a)
    _, strides, _ = op.window()
    batch, *spatial, channel = strides_of(type)
    moving = [step * stride for step, stride in zip(spatial, strides, strict=True)]
    return Operand(type.element_type, 0, (op.channels * channel, batch, *moving, channel))


def _shape(
    op: ConvolutionOp,
    groups: int,
    positions: tuple[int, ...],
    taps: Sequence[TapLoop],
    depth: int,
    units: int,
    a: Operand,
    others: Sequence[Operand],
) -> ConvolutionShape:
    """The sizes that a schedule depends on, with the bytes that one line of positions accesses."""
    counts = tuple(n for n, _, _ in taps)
    reads, writes = positions[-1] * prod(counts) * depth, positions[-1] * groups * units
    input = min(reads * op.groups.value.data // groups, abs(a.strides[-3])) * a.size
    line = input + sum(min(writes, abs(operand.strides[-3])) * operand.size for operand in others)
    row = next((n for n in reversed(a.strides[1:-1]) if n), 0) * a.size
    packed = _layout(op)
    shuffles = packed.shuffles(depth) if isinstance(packed, GroupedLayout) else 0
    return ConvolutionShape(
        groups, positions, counts, depth, units, line, row, shuffles, op.sums, input
    )


def _schedule(
    op: ConvolutionOp, isa: Isa, shape: ConvolutionShape, packed: ConvolutionLayout | None
) -> ConvolutionSchedule:
    kind = memref(op.a).element_type, memref(op.b).element_type
    operations = sum(1 for _ in op.body.block.ops)
    return ConvolutionSchedule.follow(
        isa, shape, kind, packed, op.offset, operations, op.measured_mr
    )


def _layout(op: ConvolutionOp) -> ConvolutionLayout | None:
    packed = op.packed
    assert packed is None or isinstance(packed, ConvolutionLayout), "other kernels are for that"
    assert packed is None or not packed.fast_inner_product, "a product is for that"
    assert packed is None or not packed.matched_tiles, "a product is for that"
    return packed


def _filters(op: ConvolutionOp) -> Operand:
    """How `b` moves along [group, channel, unit] or, packed, along [group, tile]."""
    type = memref(op.b)
    steps = strides_of(type)
    if op.packed is not None:
        return Operand(type.element_type, 0, steps[:2])
    return Operand(type.element_type, 0, (op.units * steps[0], steps[-1], steps[0]))


def _by_group(operand: Operand, groups: int, units: int) -> Operand:
    """Splits the last dimension of an operand into groups and units, groups first."""
    return replace(operand, strides=(units * operand.strides[-1], *operand.strides))


def merge_positions(
    sizes: Sequence[int], operands: Sequence[Operand]
) -> tuple[tuple[int, ...], list[Operand]]:
    """
    Merges loops over positions: dimensions of one position go, and neighbouring ones that all operands step through
    alike become one. Of operands along [group, positions…, unit]. There are at least two dimensions: lines, and rows in
    them.
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
    packed, depth, loops = _layout(op), op.channels, op.tap_loops()
    beside = 0 if op.sums > 1 else op.taps_beside()
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


def _reduction(
    schedule: ConvolutionSchedule,
    packed: ConvolutionLayout | None,
    taps: Sequence[TapLoop],
    depth: int,
    a: Operand,
    b: Operand,
) -> tuple[tuple[Tap[int], ...], Depth[int]]:
    """Loops over taps with their distances in bytes, and the inner dimension."""
    kr = schedule.product.mac.kr
    steps = depth // kr
    inner = steps * kr * a.strides[-1] * a.size, steps * _step_bytes(schedule, packed, b)
    return tap_loops(taps, inner, (a, b)), Depth.of(depth, kr, schedule.unroll)


def _prefetched_lines(
    schedule: ConvolutionSchedule, packed: ConvolutionLayout | None, b: Operand, rows: int
) -> int:
    """How many cache lines of the next filters each row of register tiles prefetches in an iteration."""
    if packed is None or not schedule.prefetches:
        return 0
    iteration = schedule.unroll * _step_bytes(schedule, packed, b)
    return -(-iteration // (CACHE_LINE * min(schedule.panel, rows)))


def _step_bytes(schedule: ConvolutionSchedule, packed: ConvolutionLayout | None, b: Operand) -> int:
    """The distance from one step of b to the next."""
    kr = schedule.product.mac.kr
    per_channel = b.strides[-2] if packed is None else schedule.lanes * schedule.nr_vectors
    return kr * per_channel * b.size
