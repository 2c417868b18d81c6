"""
Emits `kernel.attention`: blocks of rows, whose scores stay in a near cache until they are summed up.

A block is what other emitters make of its parts, on scratch memory: the product with the keys (`MatMulKernel`), the
greatest score, powers, their sum and the weights of each row (`SoftmaxRow`, `MapKernel`), and the product of the
weights with the values. So each number is computed as it would be by those kernels one after the other.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import accumulate
from math import prod

from xdsl.dialects.builtin import f32
from xdsl.ir import Attribute

from ...dialects.elements import bits_of
from ...dialects.kernel import AttentionOp, YieldOp
from ..machine import CACHE_LINE, Isa
from . import ir
from .body import KernelBody
from .elements import Operand, at_pointers, ins_and_outs, memref
from .emitter import Emitter, Prologue
from .loop_nest import Values
from .map import MapKernel
from .mat_mul.mat_mul import MatMulKernel, factor_operand, packed_operand
from .run_time import Number, extent_value, later, later_unless_zero
from .schedule.attention import AttentionSchedule, AttentionShape
from .sized_loops import SizedLoops
from .softmax_row import SoftmaxRow
from .vectors import byte_offset, for_each, for_each_block, index, scaled
from .work_partition import Partition


@dataclass(frozen=True)
class AttentionKernel(Emitter):
    """
    What of attention decides its machine code; equal ones share a function. The table that it takes has the number of
    `blocks` of rows, the `batch`, and how many bytes apart its members lie, by dimension and operand. It has how many
    bytes apart the rows of `ins` and `outs` lie, too. Those of the query and of `masks` decide code, since the sums of
    scores are short.
    """

    blocks: Number
    batch: tuple[Number, ...]
    by_batch: tuple[tuple[Number, ...], ...]
    by_row: tuple[Number, ...]
    rows: int
    keys: int
    partials: int
    given: tuple[Operand, ...]
    masks: int
    scales: int
    weights: Attribute
    schedule: AttentionSchedule
    scores: MatMulKernel
    means: MatMulKernel
    power: KernelBody
    total: KernelBody
    weight: KernelBody
    table: tuple[int, ...] = field(compare=False, repr=False)

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
        masks = [Operand.of(memref(mask), access) for mask, access in pairs]
        scales = [Operand(f32, 0, (0,) * rank)] * len(op.scales)
        schedule = AttentionSchedule.follow(isa, shape, op.layouts, op.offset, operations)
        operands = (query, key, value, *masks, *scales, *ins, *outs)
        table: list[int] = []
        rows_of_others = tuple(later(o.strides[-2] * o.size, table) for o in (*ins, *outs))
        scores, means = _products(op, shape, schedule, operands[: 3 + len(masks)], (ins, outs))
        by_row = [operand.strides[-2] * operand.size for operand in (query, *masks)]
        power, total, weight = (KernelBody.of(region) for region in op.softmax.regions[1:])
        return cls(
            blocks=later(prod(batch) * -(-rows // schedule.rows), table),
            batch=tuple(later(size, table) for size in batch),
            by_batch=tuple(
                tuple(later(o.strides[d] * o.size, table) for o in operands)
                for d in range(len(batch))
            ),
            by_row=(by_row[0], 0, 0, *by_row[1:], *(0 for _ in scales), *rows_of_others),
            rows=rows,
            keys=shape.keys,
            partials=op.partials,
            given=tuple(replace(operand, strides=()) for operand in operands),
            masks=len(masks),
            scales=len(scales),
            weights=op.weights,
            schedule=schedule,
            scores=_at_run_time(scores, (), table),
            means=_at_run_time(means, rows_of_others, table),
            power=power,
            total=total,
            weight=weight,
            table=tuple(table),
        )

    @property
    def operands(self) -> tuple[Operand, ...]:
        """The query, keys, values, masks, scales, ins and outs."""
        return self.given

    def emit_loops(self, prologue: Prologue) -> None:
        """A loop over the blocks of all members of the batch, of which a partition has its share."""
        assert prologue.scratch is not None
        *offsets, words, _ = self._places
        if self.weights == f32:
            offsets[1] = offsets[0]  # a weight takes the place of its score
        offsets.append(words)
        places = (byte_offset(prologue.b, prologue.scratch, offset) for offset in offsets)
        emission = _Emission(prologue.b, prologue.isa, prologue.arguments, self, *places)
        emission.all(prologue.pointers, prologue.partition)

    @property
    def scratch_bytes(self) -> int:
        """
        Scores, weights where these are codes, totals and the greatest scores of a block, and words of its queries or
        weights where products widen them (`widened_rows`), or a prepared row (`prepared_row`).
        """
        return self._places[-1]

    @property
    def _places(self) -> list[int]:
        """Where each of these begins in scratch memory, and where the last one ends."""
        schedule, size = self.schedule, bits_of(f32) // 8
        weight = 0 if self.weights == f32 else bits_of(self.weights) // 8
        row_bytes = schedule.score_stride * size, schedule.weight_stride * weight, size, size
        words = max(self.scores.scratch_bytes, self.means.scratch_bytes)
        parts = [*(schedule.rows * each for each in row_bytes), words]
        lines = (-(-part // CACHE_LINE) * CACHE_LINE for part in parts)
        return [*accumulate(lines, initial=0)]


def _products(
    op: AttentionOp,
    shape: AttentionShape,
    schedule: AttentionSchedule,
    factors: Sequence[Operand],
    others: tuple[Sequence[Operand], Sequence[Operand]],
) -> tuple[MatMulKernel, MatMulKernel]:
    """The scores of a block, to scratch memory, and the sums over values of a block, from there."""
    query, key, value, *masks = at_pointers(factors)
    ins, outs = map(at_pointers, others)
    scores = Operand(f32, 0, (schedule.score_stride, 1))
    weights = Operand(op.weights, 0, (schedule.weight_stride, 1))
    totals = Operand(f32, 0, (1, 0))
    return (
        MatMulKernel.fixed(
            (),
            (schedule.rows, shape.keys),
            (shape.depth,),
            1,
            ([query], [key], masks, [scores]),
            op.layouts[0],
            schedule.scores,
            KernelBody.of(op.score),
        ),
        MatMulKernel.fixed(
            (),
            (schedule.rows, shape.columns),
            (shape.keys,),
            1,
            ([weights], [value], [totals, *ins], outs),
            op.layouts[1],
            schedule.means,
            KernelBody.of(op.body),
        ),
    )


def _at_run_time(
    product: MatMulKernel, by_row: tuple[Number, ...], table: list[int]
) -> MatMulKernel:
    """A product with its panel in the table, whose last operands move along rows by these distances."""
    sizes, known = product.sizes, len(product.operands) - len(by_row)
    found = replace(
        sizes,
        panel=later_unless_zero(sizes.panel, table),
        by_row=(*sizes.by_row[:known], *by_row),
    )
    return replace(product, sizes=found)


@dataclass
class _Emission(SizedLoops):
    kernel: AttentionKernel
    scores: ir.Value
    weights: ir.Value
    totals: ir.Value
    most: ir.Value
    words: ir.Value

    def all(self, pointers: Values, partition: Partition) -> None:
        """All blocks, or those of the partition."""
        b = self.b
        first, count = partition.of(b, self.size(self.kernel.blocks))

        def iteration(i: ir.Value) -> None:
            self._block(pointers, b.add(first, i))

        for_each(b, count, iteration)

    def _block(self, pointers: Values, number: ir.Value) -> None:
        """Block `number` of all, those of a member of the batch one after the other."""
        b, kernel = self.b, self.kernel
        member, block, whole = number, index(0), index(kernel.schedule.rows)
        if (blocks := -(-kernel.rows // kernel.schedule.rows)) > 1:
            member, block = (op(number, index(blocks)) for op in (b.udiv, b.urem))
        for d in reversed(range(len(kernel.batch))):
            size = extent_value(self.size(kernel.batch[d]))
            pointers = self.moved(pointers, b.urem(member, size), kernel.by_batch[d])
            member = b.udiv(member, size)
        before = scaled(b, block, kernel.schedule.rows)
        pointers = self.moved(pointers, before, kernel.by_row)
        left = b.sub(index(kernel.rows), before)
        rows = b.smin(left, whole)
        query, key, value, *others = pointers
        masks, others = others[: kernel.masks], others[kernel.masks :]
        scales, others = others[: kernel.scales], others[kernel.scales :]
        self._run(kernel.scores, [query, key, *masks, self.scores], [rows, *self.arguments])

        self._softmax(rows, scales)
        means = [self.weights, value, self.totals, *others]
        self._run(kernel.means, means, [rows, *self.arguments])

    def _run(self, part: Emitter, pointers: Values, arguments: Values) -> None:
        part.emit_loops(
            Prologue(self.b, self.isa, pointers, arguments, Partition.WHOLE, self.words)
        )

    def _softmax(self, rows: ir.Value, scales: Values) -> None:
        """The weights of each row in the place of its scores, or beside them."""
        b, kernel, schedule = self.b, self.kernel, self.kernel.schedule
        phases = [self._greatest, self._powers]
        if kernel.weights != f32 or not _gives_argument(kernel.weight):
            phases.append(partial(self._weights, scales))

        def group(first: ir.Value, count: ir.Value) -> None:
            for phase in phases:
                for_each(b, count, partial(self._row, phase, first))

        for_each_block(b, rows, index(schedule.softmax_rows), group)

    def _row(self, phase: Callable[[_Row], None], first: ir.Value, i: ir.Value) -> None:
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

    @property
    def _softmax_row(self) -> SoftmaxRow:
        kernel = self.kernel
        return SoftmaxRow(
            self.b, self.isa, kernel.keys, kernel.partials, kernel.power, kernel.total
        )

    def _greatest(self, row: _Row) -> None:
        self._softmax_row.greatest(row.scores, row.most)

    def _powers(self, row: _Row) -> None:
        self._softmax_row.powers(row.scores, row.most, row.scores, row.total)

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
