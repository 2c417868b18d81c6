"""
Emits `kernel.mat_mul`: tiles of sums of products, finished by the body while in registers.

Panels of rows outside, then tiles of units, then register tiles, so that a tile's weights and a panel's
activations are read from near memory again and again; for one row the weights are streamed once. What is
not packed is gathered along the units, `kr` elements of k at a time: slower, but the same sums in the
same order.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import product as every
from typing import Any

from xdsl.dialects.builtin import MemRefType

from ...dialects.kernel import Access, MatMulOp, PackedLayout, Term
from ..machine import CACHE_LINE, Isa
from . import ir
from .body import KernelBody
from .elements import Operand, ins_and_outs, memref
from .emitter import Emitter, Prologue
from .epilogue import Epilogue, Key
from .loop_nest import LoopNest, Values
from .microkernel import Depth, Microkernel, Prefetch, Reduction
from .microkernel_operands import GatheredRhs, LhsOperand, PackedRhs, RhsOperand, Rows
from .schedule.mat_mul import MatMulSchedule, MatMulShape
from .vectors import I1, I64, index, loop, scaled
from .work_partition import Partition

MANY = 8
"""Tiles that a few threads can divide fairly."""


@dataclass(frozen=True)
class MatMulKernel(Emitter):
    """
    What of a matrix product decides its machine code; equal ones share a function, whatever their number
    of rows, if the largest register tiles leave as many of them.

    `a` and `b` move along [batch…, row or unit, k] (packed `b`: along the batch alone), `ins` and `outs` along
    [batch…, row, unit].
    """

    batch: tuple[int, ...]
    columns: int
    groups: int
    depths: tuple[int, ...]
    a: tuple[Operand, ...]
    b: tuple[Operand, ...]
    ins: tuple[Operand, ...]
    outs: tuple[Operand, ...]
    packed: PackedLayout | None
    schedule: MatMulSchedule
    body: KernelBody
    rows: int = field(compare=False, repr=False)

    @classmethod
    def of(cls, op: MatMulOp, isa: Isa) -> MatMulKernel:
        """The kernel of an operation on planned memory."""
        *batch, rows, columns = op.shape
        rank, products = len(op.shape), len(op.a)
        view = factor_operand if op.packed is None else packed_operand
        weights = [view(memref(value), rank) for value in op.b]
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
        shape = MatMulShape(rows, columns, depths, groups, kinds, row)
        schedule = MatMulSchedule.follow(
            isa, shape, op.packed, op.offsets, operations, op.measured_mr
        )
        return cls(
            tuple(batch),
            columns,
            groups,
            depths,
            a,
            tuple(weights),
            ins,
            outs,
            op.packed,
            schedule.for_rows(rows),
            KernelBody.of(op.body),
            rows,
        )

    @property
    def parameters(self) -> tuple[ir.Type, ...]:
        """The number of rows, and if the schedule is serpentine whether to traverse the tiles backwards."""
        return (I64, *[I1] * self.schedule.serpentine)

    def arguments(self, b: ir.IRBuilder, call_number: ir.Value) -> list[ir.Value]:
        return [index(self.rows), *[b.trunc(call_number, I1)] * self.schedule.serpentine]

    def emit_loops(self, prologue: Prologue) -> None:
        b, (rows, *is_reversed) = prologue.b, prologue.arguments
        direction = b.select(is_reversed[0], index(-1), index(1)) if is_reversed else index(1)
        partition = prologue.partition
        emission = _Emission(b, prologue.isa, self.operands, self, rows, partition, direction)
        emission.all(prologue.pointers)

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


@dataclass
class _Emission(LoopNest):
    """One function's worth of emission; `direction` is -1 to go backwards."""

    kernel: MatMulKernel
    rows: ir.Value
    partition: Partition
    direction: ir.Value

    def all(self, pointers: Values) -> None:
        """Everything, or what belongs to the partition."""
        self.by_batch = self.by_tiles = Partition.WHOLE
        if self.partition is not Partition.WHOLE:
            pointers = self._divide(pointers)
        batch = self.kernel.batch
        strides = [operand.strides for operand in self.operands]
        partitions = [self.by_batch, *[Partition.WHOLE] * len(batch)]
        self.nested(pointers, batch, strides, partitions, self.panels)

    def _divide(self, pointers: Values) -> Values:
        """Divides a large batch, or the tiles where there are many, or else the rows by register tiles."""
        b, schedule, kernel = self.b, self.kernel.schedule, self.kernel
        if kernel.batch and kernel.batch[0] >= MANY:
            self.by_batch = self.partition
            return pointers
        if kernel.columns // (schedule.nr_vectors * schedule.lanes) >= MANY:
            self.by_tiles = self.partition
            return pointers
        mr = schedule.mr[0]
        has_many = b.icmp_signed(">=", self.rows, index(2 * mr))
        self.by_tiles = self.partition.where(b, b.not_(has_many))
        tiles = b.udiv(b.add(self.rows, index(mr - 1)), index(mr))
        first, count = self.partition.where(b, has_many).of(b, tiles)
        assert isinstance(count, ir.Value)
        before, mine = scaled(b, first, mr), scaled(b, count, mr)
        left = b.sub(self.rows, before)
        self.rows = b.select(b.icmp_signed("<", left, mine), left, mine)
        return self.advance(pointers, before, self._row_strides())

    def panels(self, pointers: Values) -> None:
        """Loops over panels of rows."""
        b, panel = self.b, index(self.kernel.schedule.panel)
        count = b.udiv(b.add(self.rows, b.sub(panel, index(1))), panel)
        strides = [stride * self.kernel.schedule.panel for stride in self._row_strides()]

        def iteration(i: ir.Value, carried: Values) -> Values:
            left = b.sub(self.rows, b.mul(i, panel))
            rows = b.select(b.icmp_signed("<", left, panel), left, panel)
            self.tiles(self.advance(pointers, i, strides), rows)
            return []

        loop(b, count, [], iteration)

    def tiles(self, pointers: Values, rows: ir.Value) -> None:
        """Loops over tiles of units."""
        schedule, columns = self.kernel.schedule, self.kernel.columns
        width = schedule.nr_vectors * schedule.lanes
        whole, rest = divmod(columns, width)
        strides = self._tile_strides(width)
        first, count = self.by_tiles.of(self.b, whole)
        if schedule.serpentine:
            first = self._first_tile(first, count)
        start = self.advance(pointers, first, strides)

        def iteration(i: ir.Value, carried: Values) -> Values:
            there = self.b.mul(i, self.direction) if schedule.serpentine else i
            self.register_tiles(self.advance(start, there, strides), rows, width)
            return []

        loop(self.b, count, [], iteration)
        if rest:
            with self.by_tiles.at_end(self.b):
                self.register_tiles(self.advance(pointers, index(whole), strides), rows, rest)

    def _first_tile(self, first: ir.Value, count: ir.Value | int) -> ir.Value:
        """The tile to begin with: the last one, to go backwards."""
        b = self.b
        many = index(count) if isinstance(count, int) else count
        last = b.sub(b.add(first, many), index(1))
        return b.select(b.icmp_signed("<", self.direction, index(0)), last, first)

    def register_tiles(self, pointers: Values, rows: ir.Value, width: int) -> None:
        """Loops over register tiles, the largest first."""
        b, strides = self.b, self._row_strides()
        for size in self.kernel.schedule.mr:
            count = b.udiv(rows, index(size)) if size > 1 else rows

            def iteration(
                i: ir.Value,
                carried: list[ir.Value],
                start: Values = pointers,
                size: int = size,
            ) -> list[ir.Value]:
                here = self.advance(start, i, [s * size for s in strides])
                self.register_tile(here, size, width, i)
                return []

            loop(b, count, [], iteration)
            done = scaled(b, count, size)
            rows, pointers = b.sub(rows, done), self.advance(pointers, done, strides)

    def register_tile(self, pointers: Values, rows: int, width: int, number: ir.Value) -> None:
        """The sums of a tile for some rows, and the body on each vector of them."""
        kernel, b, isa = self.kernel, self.b, self.isa
        schedule, count = kernel.schedule, len(kernel.a)
        vectors = range(-(-width // isa.lanes))
        sums: dict[Key, list[ir.Value]] = {key: [] for key in every(vectors, range(rows))}
        epilogue = Epilogue(kernel.body, kernel.ins, kernel.outs)
        strides = self._row_strides()[2 * count :]
        nest = [(rows, epilogue.in_bytes(strides))]
        if rows > 1 and (epilogue.is_long or schedule.prefetches_operands):
            epilogue.prefetch(b, isa, pointers[2 * count :], nest, width)
        for p, product in enumerate(schedule.products):
            columns = [g * schedule.nr_vectors + v for g, v in every(range(kernel.groups), vectors)]
            step = kernel.a[p].strides[-2] * kernel.a[p].size
            left = LhsOperand(kernel.a[p].element, kernel.a[p].strides[-1], Rows(1, rows, 0, step))
            prefetch = self._prefetch(p, number) if rows == schedule.mr[0] else None
            depth = Depth.of(kernel.depths[p], schedule.kr, schedule.unroll)
            what = Reduction(product, (), depth, schedule.accumulators, prefetch)
            emission = Microkernel(b, isa, what, left, self._rhs(p, width), columns)
            totals = emission.emit(pointers[p], pointers[count + p])
            for group, v, row in every(range(kernel.groups), vectors, range(rows)):
                sums[v, row].append(totals[group * schedule.nr_vectors + v, row])
        if rows > 1 and schedule.epilogue_in_loop:
            epilogue.emit_in_loop(b, isa, pointers[2 * count :], nest, width, sums)
        else:
            epilogue.emit(b, isa, pointers[2 * count :], nest, width, sums)

    def _prefetch(self, p: int, number: ir.Value) -> Prefetch | None:
        """Where weights are packed, the register tiles of a panel each fetch their part of the next tile."""
        kernel, schedule, b = self.kernel, self.kernel.schedule, self.b
        if kernel.packed is None or not schedule.prefetching_tiles:
            return None
        tile = self._tile_strides(schedule.nr_vectors * schedule.lanes)[len(kernel.a) + p]
        columns = self._packed_rhs(p)
        iteration = schedule.unroll * columns.step_bytes(schedule.kr)
        lines = -(-iteration // (CACHE_LINE * schedule.prefetching_tiles))
        bytes = b.mul(self.direction, index(tile * kernel.b[p].size))
        return Prefetch(b.add(bytes, b.mul(number, index(lines * CACHE_LINE))), lines)

    def _rhs(self, p: int, width: int) -> RhsOperand:
        kernel, lanes, y = self.kernel, self.isa.lanes, self.kernel.b[p]
        vectors = kernel.schedule.nr_vectors
        if kernel.packed is not None:
            return self._packed_rhs(p)
        unit, stride = y.strides[-2:]
        places = list(every(range(kernel.groups), range(vectors)))
        starts = [(group * kernel.columns + v * lanes) * unit * y.size for group, v in places]
        active = [min(lanes, width - v * lanes) for _, v in places]
        return GatheredRhs(y.element, unit, stride, starts, active)

    def _packed_rhs(self, p: int) -> PackedRhs:
        kernel, packed = self.kernel, self.kernel.packed
        assert packed is not None
        vectors = kernel.groups * kernel.schedule.nr_vectors
        return PackedRhs(kernel.b[p].element, packed.lanes, vectors, packed.codes_per_byte)

    def _row_strides(self) -> list[int]:
        kernel = self.kernel
        others = [operand.strides[-2] for operand in (*kernel.ins, *kernel.outs)]
        return [*(a.strides[-2] for a in kernel.a), *[0] * len(kernel.b), *others]

    def _tile_strides(self, width: int) -> list[int]:
        kernel = self.kernel
        others = [width * operand.strides[-1] for operand in (*kernel.ins, *kernel.outs)]
        if kernel.packed is None:
            weights = [width * b.strides[-2] for b in kernel.b]
        else:
            packed = kernel.packed
            weights = [packed.steps(k) * packed.kr * kernel.groups * width for k in kernel.depths]
        return [*[0] * len(kernel.a), *weights, *others]
