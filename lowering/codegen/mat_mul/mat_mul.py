"""Emits `kernel.mat_mul`: tiles of sums of products, finished by the body while in registers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from xdsl.dialects.builtin import MemRefType, f32
from xdsl.ir import SSAValue

from ....dialects.kernel import Access, BufferOp, Matched, MatMulOp, PackedLayout, Term
from ...machine import CACHE_LINE, Isa
from .. import ir
from ..body import LONG_BODY, KernelBody
from ..elements import Operand, ins_and_outs, memref
from ..emitter import Emitter, Prologue
from ..microkernel.assembly import has_assembly
from ..microkernel.microkernel import Depth
from ..run_time import Number, later_unless_zero
from ..schedule.mat_mul import MatMulSchedule
from ..schedule.register_tiles import MatMulShape
from ..vectors import I1, I64, index
from .loops import MatMulLoops
from .matched_rows import MatchedRows, matched_rows
from .prepared_row import RowLayout
from .sizes import MatMulSizes, at_run_time, sizes_of
from .widened_rows import WidenedRows, WidenedTap

LONG_SUM = 32
"""Steps from which on a register tile takes so long that its addresses may be computed while it runs."""


@dataclass(frozen=True)
class Pass:
    """
    A pass over the weights of a product and, where its a is so many bytes `apart` from that of the next one, of both.
    """

    product: int
    apart: int | None = None

    @property
    def products(self) -> range:
        """The numbers of its products."""
        return range(self.product, self.product + (1 if self.apart is None else 2))


@dataclass(frozen=True)
class MatMulKernel(Emitter):
    """
    What of a matrix product decides its machine code; equal ones share a function, whatever their number of rows, if
    the largest register tiles leave as many of them. Sizes are in the `table` that the function takes. They decide code
    where sums are short, which would be slower, and where b is gathered, which is slow anyway.

    `a` moves along k, `ins` and `outs` along units, and `b`, if not packed, along [unit, k]. `rest` units are left of
    whole tiles. Where b is `gathered`, a group has so many units. Of each packed b, an iteration fetches
    `prefetched_lines` of the next tile.

    Ins and outs that move together through the same memory, such as the gates' parts of a bias, have one base pointer:
    `bases` numbers that of each.

    With a `single_row`, whose body is long or which is `prepared`, the number of rows and all sizes decide code, too.
    Then fewer instructions lie between the products of two tiles, so that the weights of the next one are loaded while
    the body of the one before is computed.

    Where the rows of a are `widened`, a panel of them takes so many bytes of scratch memory, and where they are in an
    order of `matched` weights.

    The weights of a single row are read in `passes`: two products of the same weights, such as those of an activation's
    two digits, have one together.
    """

    sizes: MatMulSizes[Number]
    rest: int
    gathered: int
    groups: int
    depths: tuple[Depth[Number], ...]
    prefetched_lines: tuple[int, ...]
    a: tuple[Operand, ...]
    b: tuple[Operand, ...]
    ins: tuple[Operand, ...]
    outs: tuple[Operand, ...]
    bases: tuple[int, ...]
    single_row: bool
    passes: tuple[Pass, ...]
    packed: PackedLayout | None
    schedule: MatMulSchedule
    body: KernelBody
    rows: int = field(compare=False, repr=False)
    table: tuple[int, ...] = field(compare=False, repr=False)
    widened: WidenedRows[Number] | None
    widened_bytes: int = field(compare=False, repr=False)
    matched: MatchedRows[Number] | None = None

    @classmethod
    def of(cls, op: MatMulOp, isa: Isa) -> MatMulKernel:
        """The kernel of an operation on planned memory."""
        *batch, rows, columns = op.shape
        rank, products = len(op.shape), len(op.a)
        view = factor_operand if op.packed is None else packed_operand
        weights = [view(memref(value), rank) for value in op.b]
        if k_by_n := op.k_by_n is not None:
            weights = [_transposed(each) for each in weights]
        moving = [factor_operand(memref(value), rank) for value in op.a]
        ins, outs = ins_and_outs(op)
        moving += [*ins, *outs]
        rows, moving, weights = _merge_batch(batch, rows, moving, weights)
        a, ins, outs = (
            tuple(moving[:products]),
            tuple(moving[products : products + len(op.ins)]),
            tuple(moving[products + len(op.ins) :]),
        )
        depths = tuple(memref(value).get_shape()[-1] for value in op.a)
        groups = op.groups.value.data
        kinds = [(x.element, y.element) for x, y in zip(a, weights, strict=True)]
        operations = sum(1 for _ in op.body.block.ops)
        row = sum(columns * o.size for o in (*ins, *outs) if o.strides[-2] and o.strides[-1])
        shape = MatMulShape(rows, columns, depths, groups, kinds, row, k_by_n)
        schedule = MatMulSchedule.follow(
            isa, shape, op.packed, op.offsets, operations, op.measured_mr, widens=True
        )
        fixed = cls.fixed(
            batch,
            (rows, columns),
            depths,
            groups,
            (a, weights, ins, outs),
            op.packed,
            schedule.for_rows(rows),
            KernelBody.of(op.body),
            _bases([*op.ins, *op.outs], [*ins, *outs]),
            _passes(op, schedule, isa) if rows == 1 else None,
        )
        return fixed.at_run_time()

    @classmethod
    def fixed(
        cls,
        batch: Sequence[int],
        shape: tuple[int, int],
        depths: Sequence[int],
        groups: int,
        operands: Sequence[Sequence[Operand]],
        packed: PackedLayout | None,
        schedule: MatMulSchedule,
        body: KernelBody,
        bases: Sequence[int] | None = None,
        passes: Sequence[Pass] | None = None,
        taps: tuple[WidenedTap[int], ...] = (),
    ) -> MatMulKernel:
        """
        The kernel of products of so many rows and columns with all sizes known. Operands are each a, each b, ins and
        outs: b moves along [batch…, unit, k] or, packed, along the batch alone, the others along [batch…, row, …].
        Without `bases`, each of ins and outs has its own base pointer. Widened rows are gathered from `taps`.
        """
        rows, columns = shape
        a, b, ins, outs = operands
        gathered, others = packed is None, [*ins, *outs]
        bases = tuple(range(len(others)) if bases is None else bases)
        moving = [others[n] for n in _first(bases)]
        widened = _widened_rows(schedule, depths, taps)
        matched = _matched_rows(schedule, packed, depths, columns, a, taps)
        depths = [Matched(depths[0]).codes] if matched else depths
        return cls(
            sizes=sizes_of(batch, shape, depths, groups, (a, b, moving), packed, schedule),
            rest=columns % (schedule.nr_vectors * schedule.lanes),
            gathered=columns if gathered else 0,
            groups=groups,
            depths=tuple(Depth.of(depth, schedule.kr, schedule.unroll) for depth in depths),
            prefetched_lines=_prefetched(schedule, groups, packed, b),
            a=_along(a, 1),
            b=_along(b, 2 if gathered else 0),
            ins=_along(ins, 1),
            outs=_along(outs, 1),
            bases=bases,
            single_row=rows == 1 and _decides_code(body, packed, schedule),
            passes=tuple(passes or map(Pass, range(len(a)))),
            packed=packed,
            schedule=schedule,
            body=body,
            rows=rows,
            table=(),
            widened=widened,
            widened_bytes=_row_bytes(widened, matched) * min(rows, schedule.panel),
            matched=matched,
        )

    def at_run_time(self) -> MatMulKernel:
        """The same with a table, if it is as fast."""
        is_short = sum(depth.steps for depth in self.depths) < LONG_SUM
        if self.packed is None or self.single_row or self.prepared or is_short:
            return self
        table: list[int] = []
        sizes = at_run_time(self.sizes, table)
        change = partial(later_unless_zero, table=table)
        depths = tuple(depth.each(change) for depth in self.depths)
        widened = self.widened and self.widened.each(change)
        matched = self.matched and self.matched.each(change)
        return replace(
            self,
            sizes=sizes,
            depths=depths,
            table=tuple(table),
            widened=widened,
            matched=matched,
        )

    @property
    def parameters(self) -> tuple[ir.Type, ...]:
        """The number of rows, the table, and if the schedule is serpentine whether to traverse the tiles backwards."""
        return (I64, *super().parameters, *[I1] * self.schedule.serpentine)

    @property
    def prepared(self) -> tuple[RowLayout, ...]:
        """How rows of each a are prepared, where they are."""
        if self.packed is None:
            return ()
        products, bits = self.schedule.products, self.packed.bits
        if not all(product.mac.single_row for product in products):
            return ()
        depths = [depth.elements(self.schedule.kr) for depth in self.depths]
        found = zip(depths, products, strict=True)
        return tuple(RowLayout(depth, bits, product) for depth, product in found)

    @property
    def prepared_bytes(self) -> int:
        """From a prepared row of all a to the next one."""
        return sum(layout.bytes for layout in self.prepared)

    @property
    def scratch_bytes(self) -> int:
        return self.prepared_bytes * min(self.rows, self.schedule.panel) + self.widened_bytes

    @property
    def is_prepared(self) -> bool:
        return self.widened is not None or self.matched is not None

    def is_assembly(self, isa: Isa) -> bool:
        if self.packed is None:
            is_contiguous = all(each.strides[0] == 1 and each.element == f32 for each in self.b)
            is_plain = is_contiguous and self.rest % isa.lanes == 0
        else:
            is_plain = self.packed.codes_per_byte == 1
        is_plain &= self.is_prepared or all(each.strides == (1,) for each in self.a)
        return is_plain and all(has_assembly(isa, product) for product in self.schedule.products)

    def arguments(self, b: ir.IRBuilder, call_number: ir.Value) -> list[ir.Value]:
        backwards = [b.trunc(call_number, I1)] * self.schedule.serpentine
        return [index(self.rows), *super().arguments(b, call_number), *backwards]

    def emit_loops(self, prologue: Prologue) -> None:
        b, (rows, *given) = prologue.b, prologue.arguments
        if self.single_row:
            rows = index(1)
        direction = index(1)
        if self.schedule.serpentine:
            direction = b.select(given.pop(), index(-1), direction)
        loops = MatMulLoops(
            b, prologue.isa, given, self, rows, prologue.partition, direction, prologue.scratch
        )
        loops.all(prologue.pointers)

    def pointers(self, b: ir.IRBuilder, operands: Sequence[ir.Value]) -> list[ir.Value]:
        """To the first element of each a and b; then the base pointers."""
        factors = 2 * len(self.a)
        others = operands[factors:]
        return [*super().pointers(b, operands)[:factors], *(others[n] for n in _first(self.bases))]

    @property
    def operands(self) -> tuple[Operand, ...]:
        """In the order of the function's arguments."""
        return (*self.a, *self.b, *self.ins, *self.outs)


def factor_operand(type: MemRefType[Any], rank: int) -> Operand:
    """How a or unpacked b moves along [batch…, row or unit, k]: aligned at the back, 1 repeats."""
    shape = type.get_shape()
    lead = rank - len(shape)
    terms = [
        Term(None) if size == 1 and i < len(shape) - 2 else Term(lead + i)
        for i, size in enumerate(shape)
    ]
    return Operand.of(type, Access(rank, tuple(terms)))


def packed_operand(type: MemRefType[Any], rank: int) -> Operand:
    """How packed b moves along [batch…]."""
    shape = type.get_shape()
    inside = len(PackedLayout.shape(PackedLayout(1, 1, 1), 1, 1, 1))
    batch, lead = shape[:-inside], rank - 2 - (len(shape) - inside)
    terms = [Term(None) if size == 1 else Term(lead + i) for i, size in enumerate(batch)]
    terms += [Term(None)] * inside
    return Operand.of(type, Access(rank - 2, tuple(terms)))


def _transposed(operand: Operand) -> Operand:
    """How b moves along [batch…, unit, k] that lies as [batch…, k, unit]."""
    *batch, k, unit = operand.strides
    return replace(operand, strides=(*batch, unit, k))


def _merge_batch(
    batch: list[int], rows: int, moving: list[Operand], weights: list[Operand]
) -> tuple[int, list[Operand], list[Operand]]:
    """
    Drops from `batch` what is of size 1, and turns into rows what shares its weights and steps as rows do.
    `moving` are the operands along [batch…, row, …].
    """
    may_merge = True
    for d in reversed(range(len(batch))):
        size, row = batch[d], len(batch)
        steps_on = rows == 1 or all(o.strides[d] == rows * o.strides[row] for o in moving)
        may_merge &= size == 1 or (steps_on and not any(o.strides[d] for o in weights))
        if size != 1 and not may_merge:
            continue
        if size != 1 and rows == 1:
            moving = [_with_stride(o, row, o.strides[d]) for o in moving]
        rows *= size
        del batch[d]
        moving, weights = ([_without(o, d) for o in each] for each in (moving, weights))
    return rows, moving, weights


def _with_stride(operand: Operand, d: int, stride: int) -> Operand:
    strides = (*operand.strides[:d], stride, *operand.strides[d + 1 :])
    return replace(operand, strides=strides)


def _without(operand: Operand, d: int) -> Operand:
    return replace(operand, strides=operand.strides[:d] + operand.strides[d + 1 :])


def _passes(op: MatMulOp, schedule: MatMulSchedule, isa: Isa) -> Sequence[Pass]:
    """
    Those over the weights of a single row. Two products are summed in one pass if they have the same weights,
    instruction and depth, if it is known how far apart their a lie, and if all sums stay in registers.
    """
    columns = op.groups.value.data * schedule.nr_vectors
    fit = columns * (1 + 2 * schedule.accumulators) + 2 <= isa.registers
    found: list[Pass] = []
    for p, (x, y) in enumerate(zip(op.a, op.b, strict=True)):
        before = found[-1].product if found and found[-1].apart is None else None
        if before is not None and fit and op.b[before] == y and op.a[before].type == x.type:
            same = schedule.products[before] == schedule.products[p]
            apart = _apart(op.a[before], x)
            if same and apart is not None:
                found[-1] = Pass(before, apart)
                continue
        found.append(Pass(p))
    return found


def _apart(one: SSAValue, other: SSAValue) -> int | None:
    """How many bytes the other one lies behind this one, if both are buffers of an arena."""
    here, there = one.owner, other.owner
    if not isinstance(here, BufferOp) or not isinstance(there, BufferOp):
        return None
    return there.offset.value.data - here.offset.value.data


def _bases(values: Sequence[SSAValue], operands: Sequence[Operand]) -> list[int]:
    """The number of each operand's base pointer: operands of the same value and strides have one."""
    bases: dict[tuple[SSAValue, tuple[int, ...]], int] = {}
    moving = zip(values, (operand.strides for operand in operands), strict=True)
    return [bases.setdefault(each, len(bases)) for each in moving]


def _first(bases: Sequence[int]) -> list[int]:
    """The first operand of each base pointer."""
    return [bases.index(base) for base in range(len(set(bases)))]


def _decides_code(body: KernelBody, packed: PackedLayout | None, schedule: MatMulSchedule) -> bool:
    """Whether a single row has code of its own: its body is long, or it is prepared."""
    is_prepared = packed is not None and all(each.mac.single_row for each in schedule.products)
    return body.operations >= LONG_BODY or is_prepared


def _row_bytes(widened: WidenedRows[int] | None, matched: MatchedRows[int] | None) -> int:
    """The scratch memory of a row of a that is widened, or in an order of matched weights."""
    if matched:
        return matched.all_bytes
    return widened.row_bytes if widened else 0


def _matched_rows(
    schedule: MatMulSchedule,
    packed: PackedLayout | None,
    depths: Sequence[int],
    columns: int,
    a: Sequence[Operand],
    taps: tuple[WidenedTap[int], ...],
) -> MatchedRows[int] | None:
    """Rows in the orders of matched weights, if these are."""
    if not schedule.matched:
        return None
    assert packed is not None
    return matched_rows(packed, depths[0], columns, a[0].strides[-1], taps)


def _widened_rows(
    schedule: MatMulSchedule, depths: Sequence[int], taps: tuple[WidenedTap[int], ...]
) -> WidenedRows[int] | None:
    """How rows of a are widened, where the schedule says so."""
    if not schedule.widens:
        return None
    return WidenedRows.of(depths[0], schedule.lanes, schedule.paired, taps)


def _prefetched(
    schedule: MatMulSchedule, groups: int, packed: PackedLayout | None, operands: Sequence[Operand]
) -> tuple[int, ...]:
    """Of each packed b, the lines of an iteration that each register tile of a panel fetches, if any do."""
    if packed is None:
        return ()
    if not schedule.prefetching_tiles:
        return (0,) * len(operands)
    units = groups * packed.stored_vectors * schedule.lanes
    codes = schedule.unroll * schedule.kr * units
    iterations = (codes * each.size for each in operands)
    return tuple(-(-bytes // (CACHE_LINE * schedule.prefetching_tiles)) for bytes in iterations)


def _along(operands: Sequence[Operand], dimensions: int) -> tuple[Operand, ...]:
    """Operands with so many of their last strides."""
    return tuple(
        replace(each, strides=each.strides[len(each.strides) - dimensions :]) for each in operands
    )
