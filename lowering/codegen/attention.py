"""
Emits `kernel.attention`: blocks of rows, whose scores stay in a near cache until they are summed up.

A block is what other emitters make of its parts, on scratch memory: the product with the keys (`MatMulKernel`), the
greatest score, powers, their sum and the weights of each row (`SoftmaxRow`, `MapKernel`), and the product of the
weights with the values. So each number is computed as it would be by those kernels one after the other.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import accumulate
from math import prod

from xdsl.dialects.builtin import f32
from xdsl.ir import Attribute

from ...dialects.elements import bits_of
from ...dialects.kernel import AttentionOp, PackedLayout, YieldOp
from ..machine import CACHE_LINE, Isa
from . import ir
from .body import KernelBody
from .elements import Operand, ins_and_outs, memref
from .emitter import Emitter, Prologue
from .loop_nest import Values, advance
from .map import MapKernel
from .mat_mul import MatMulKernel, factor_operand, packed_operand
from .schedule.attention import AttentionSchedule, AttentionShape
from .softmax import SoftmaxRow
from .vectors import byte_offset, index, loop, scaled
from .work_partition import Partition


@dataclass(frozen=True)
class AttentionKernel(Emitter):
    """
    What of attention decides its machine code; equal ones share a function.

    `query` moves along [batch…, row, e], packed `key` and `value` along the batch, `masks` along [batch…, row, key],
    `ins` and `outs` along [batch…, row, column].
    """

    batch: tuple[int, ...]
    rows: int
    columns: int
    keys: int
    depth: int
    partials: int
    query: Operand
    key: Operand
    value: Operand
    masks: tuple[Operand, ...]
    scales: int
    ins: tuple[Operand, ...]
    outs: tuple[Operand, ...]
    weights: Attribute
    layouts: tuple[PackedLayout | None, PackedLayout | None]
    schedule: AttentionSchedule
    score: KernelBody
    power: KernelBody
    total: KernelBody
    weight: KernelBody
    body: KernelBody

    @classmethod
    def of(cls, op: AttentionOp, isa: Isa) -> AttentionKernel:
        """The kernel of an operation on planned memory."""
        *batch, rows, columns = op.shape
        rank = len(op.shape)
        key, value = (
            (factor_operand if layout is None else packed_operand)(memref(one), rank)
            for one, layout in zip((op.key, op.value), op.layouts, strict=True)
        )
        query = factor_operand(memref(op.query), rank)
        ins, outs = ins_and_outs(op)
        depth = memref(op.query).get_shape()[-1]
        kinds = ((query.element, key.element), (op.weights, value.element))
        shape = AttentionShape(rows, op.keys.value.data, depth, columns, kinds)
        operations = [sum(1 for _ in region.block.ops) for region in (op.score, op.body)]
        pairs = zip(op.masks, op.mask_accesses, strict=True)
        return cls(
            tuple(batch),
            rows,
            columns,
            op.keys.value.data,
            depth,
            op.partials,
            query,
            key,
            value,
            tuple(Operand.of(memref(mask), access) for mask, access in pairs),
            len(op.scales),
            ins,
            outs,
            op.weights,
            op.layouts,
            AttentionSchedule.follow(isa, shape, op.layouts, op.offset, operations),
            *(KernelBody.of(region) for region in (*op.softmax.regions, op.body)),
        )

    @property
    def operands(self) -> tuple[Operand, ...]:
        """In the order of the function's arguments."""
        scales = [Operand(f32, 0, (0,) * (len(self.batch) + 2))] * self.scales
        return (self.query, self.key, self.value, *self.masks, *scales, *self.ins, *self.outs)

    @property
    def blocks(self) -> int:
        """The number of blocks of rows."""
        return -(-self.rows // self.schedule.rows)

    def emit_loops(self, prologue: Prologue) -> None:
        """A loop over the blocks of all members of the batch, of which a partition has its share."""
        assert prologue.scratch is not None
        *offsets, _ = self._places
        if self.weights == f32:
            offsets[1] = offsets[0]  # a weight takes the place of its score
        places = (byte_offset(prologue.b, prologue.scratch, offset) for offset in offsets)
        emission = _Emission(prologue.b, prologue.isa, self, *places)
        emission.all(prologue.pointers, prologue.partition)

    @property
    def scratch_bytes(self) -> int:
        """Scores, weights where these are codes, totals and the greatest scores of a block."""
        return self._places[-1]

    @property
    def _places(self) -> list[int]:
        """Where each of these begins in scratch memory, and where the last one ends."""
        schedule, size = self.schedule, bits_of(f32) // 8
        weight = 0 if self.weights == f32 else bits_of(self.weights) // 8
        row_bytes = schedule.score_stride * size, schedule.weight_stride * weight, size, size
        lines = (-(-schedule.rows * each // CACHE_LINE) * CACHE_LINE for each in row_bytes)
        return [*accumulate(lines, initial=0)]


@dataclass
class _Emission:
    b: ir.IRBuilder
    isa: Isa
    kernel: AttentionKernel
    scores: ir.Value
    weights: ir.Value
    totals: ir.Value
    most: ir.Value

    def all(self, pointers: Values, partition: Partition) -> None:
        """All blocks, or those of the partition."""
        b, kernel = self.b, self.kernel
        first, count = partition.of(b, prod(kernel.batch) * kernel.blocks)

        def iteration(i: ir.Value, carried: Values) -> Values:
            self._block(pointers, b.add(first, i))
            return []

        loop(b, count, [], iteration)

    def _block(self, pointers: Values, number: ir.Value) -> None:
        """Block `number` of all, those of a member of the batch one after the other."""
        b, kernel, operands = self.b, self.kernel, self.kernel.operands
        member, block = number, index(0)
        if kernel.blocks > 1:
            member, block = (op(number, index(kernel.blocks)) for op in (b.udiv, b.urem))
        for d in reversed(range(len(kernel.batch))):
            if (size := kernel.batch[d]) > 1:
                strides = [operand.strides[d] for operand in operands]
                place = b.urem(member, index(size))
                pointers = advance(b, operands, pointers, place, strides)
                member = b.udiv(member, index(size))
        before = scaled(b, block, kernel.schedule.rows)
        at_key = [0 if i in (1, 2) else o.strides[-2] for i, o in enumerate(operands)]
        pointers = advance(b, operands, pointers, before, at_key)
        left, whole = b.sub(index(kernel.rows), before), index(kernel.schedule.rows)
        rows = b.select(b.icmp_signed("<", left, whole), left, whole)
        query, key, value, *others = pointers
        masks, others = others[: len(kernel.masks)], others[len(kernel.masks) :]
        scales, others = others[: kernel.scales], others[kernel.scales :]
        self._run(self._scores(), [query, key, *masks, self.scores], [rows])

        self._softmax(rows, scales)
        self._run(self._means(), [self.weights, value, self.totals, *others], [rows])

    def _run(self, part: Emitter, pointers: Values, arguments: Values) -> None:
        part.emit_loops(Prologue(self.b, self.isa, pointers, arguments, Partition.WHOLE))

    def _scores(self) -> MatMulKernel:
        """The scores of a block, to scratch memory."""
        kernel, schedule = self.kernel, self.kernel.schedule
        return MatMulKernel(
            (),
            kernel.keys,
            1,
            (kernel.depth,),
            (self._inner(kernel.query),),
            (self._inner(kernel.key),),
            tuple(map(self._inner, kernel.masks)),
            (Operand(f32, 0, (schedule.score_stride, 1)),),
            kernel.layouts[0],
            schedule.scores,
            kernel.score,
            schedule.rows,
        )

    def _means(self) -> MatMulKernel:
        """The sums over values of a block, from scratch memory."""
        kernel, schedule = self.kernel, self.kernel.schedule
        return MatMulKernel(
            (),
            kernel.columns,
            1,
            (kernel.keys,),
            (Operand(kernel.weights, 0, (schedule.weight_stride, 1)),),
            (self._inner(kernel.value),),
            (Operand(f32, 0, (1, 0)), *map(self._inner, kernel.ins)),
            tuple(map(self._inner, kernel.outs)),
            kernel.layouts[1],
            schedule.means,
            kernel.body,
            schedule.rows,
        )

    def _softmax(self, rows: ir.Value, scales: Values) -> None:
        """The weights of each row in the place of its scores, or beside them."""
        b, kernel, schedule = self.b, self.kernel, self.kernel.schedule
        together = index(schedule.softmax_rows)
        groups = b.udiv(b.add(rows, b.sub(together, index(1))), together)
        phases = [self._greatest, self._powers]
        if kernel.weights != f32 or not _gives_argument(kernel.weight):
            phases.append(partial(self._weights, scales))

        def group(i: ir.Value, carried: Values) -> Values:
            first = scaled(b, i, schedule.softmax_rows)
            left = b.sub(rows, first)
            count = b.select(b.icmp_signed("<", left, together), left, together)
            for phase in phases:
                loop(b, count, [], partial(self._row, phase, first))
            return []

        loop(b, groups, [], group)

    def _row(
        self, phase: Callable[[_Row], None], first: ir.Value, i: ir.Value, carried: Values
    ) -> Values:
        """One phase of a row: its greatest score, powers and total, or weights."""
        b, schedule, size = self.b, self.kernel.schedule, bits_of(f32) // 8
        row = b.add(first, i)
        bytes = schedule.weight_stride * bits_of(self.kernel.weights) // 8
        phase(
            _Row(
                byte_offset(b, self.scores, scaled(b, row, schedule.score_stride * size)),
                byte_offset(b, self.weights, scaled(b, row, bytes)),
                byte_offset(b, self.most, scaled(b, row, size)),
                byte_offset(b, self.totals, scaled(b, row, size)),
            )
        )
        return []

    @property
    def _softmax_row(self) -> SoftmaxRow:
        kernel = self.kernel
        return SoftmaxRow(
            self.b, self.isa, kernel.keys, kernel.partials, kernel.power, kernel.total
        )

    def _greatest(self, row: _Row) -> None:
        self._softmax_row.greatest(row.scores, row.most)

    def _powers(self, row: _Row) -> None:
        self._softmax_row.powers(row.scores, row.most, row.total)

    def _weights(self, scales: Values, row: _Row) -> None:
        """A body over the powers, their total and the scales."""
        kernel = self.kernel
        ins = (Operand(f32, 0, (1,)), *[Operand(f32, 0, (0,))] * (1 + kernel.scales))
        outs = (Operand(kernel.weights, 0, (1,)),)
        self._run(
            MapKernel.fixed(self.isa, (kernel.keys,), ins, outs, kernel.weight),
            [row.scores, row.total, *scales, row.weights],
            [],
        )

    def _inner(self, operand: Operand) -> Operand:
        """An operand of one member of the batch, from its first element on."""
        return Operand(operand.element, 0, operand.strides[len(self.kernel.batch) :])


@dataclass(frozen=True)
class _Row:
    """Where a row's scores, weights, greatest score and total lie."""

    scores: ir.Value
    weights: ir.Value
    most: ir.Value
    total: ir.Value


def _gives_argument(body: KernelBody) -> bool:
    """Whether a body yields its first argument."""
    first = body.block.first_op
    return isinstance(first, YieldOp) and first.values[0] is body.block.args[0]
