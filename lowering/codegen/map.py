"""Emits `kernel.map` and `kernel.copy`: a body at every point of a domain."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from llvmlite import ir
from xdsl.dialects.builtin import IntegerType
from xdsl.ir import Block

from ...dialects.kernel import Access, CopyOp, MapOp, body_type
from ..bodies import build_body, same
from ..machine import Isa
from .body import body_text, emit_body
from .elements import (
    Operand,
    decode,
    encode,
    load_lanes,
    load_raw,
    memref,
    store_lanes,
    store_raw,
)
from .emitter import Emitter, Prologue
from .interleave import transposed
from .schedule import MapSchedule
from .vectors import byte_offset, index, loop, scaled
from .work_partition import Partition


@dataclass(frozen=True)
class MapKernel(Emitter):
    """What of a map decides its machine code; equal ones share a function."""

    domain: tuple[int, ...]
    ins: tuple[Operand, ...]
    outs: tuple[Operand, ...]
    text: str
    body: Block = field(compare=False)

    @classmethod
    def of(cls, op: MapOp, isa: Isa) -> MapKernel:
        """The kernel of an operation on planned memory."""
        operands = [
            Operand.of(memref(value), access)
            for value, access in zip((*op.ins, *op.outs), op.accesses, strict=True)
        ]
        ins = tuple(operands[: len(op.ins)])
        body = op.body.block
        return cls(op.shape, ins, tuple(operands[len(ins) :]), body_text(body), body)

    @classmethod
    def of_copy(cls, op: CopyOp, isa: Isa) -> MapKernel:
        """A copy is a map of integers that yields what it gets."""
        shape = memref(op.source).get_shape()
        identity = Access.identity(len(shape))
        operands = [Operand.of(memref(value), identity) for value in (op.source, op.target)]
        body = build_body([body_type(bits := IntegerType(8 * operands[0].size))], same).block
        source, target = (replace(operand, element=bits) for operand in operands)
        return cls(shape, (source,), (target,), body_text(body), body)

    @property
    def operands(self) -> tuple[Operand, ...]:
        return (*self.ins, *self.outs)

    def emit_loops(self, prologue: Prologue) -> None:
        b, isa, partition = prologue.b, prologue.isa, prologue.partition
        plan = MapSchedule.choose(
            isa, self.domain, [operand.strides for operand in self.operands], len(self.outs)
        )
        level = plan.partitioned_loop(isa, len(self.outs))
        if level is None:
            with partition.at_end(b):
                self._all(
                    b, isa, plan, [Partition.WHOLE] * (len(plan.outer) + 1), prologue.pointers
                )
        else:
            partitions = [
                partition if i == level else Partition.WHOLE for i in range(len(plan.outer) + 1)
            ]
            self._all(b, isa, plan, partitions, prologue.pointers)

    def _all(
        self,
        b: ir.IRBuilder,
        isa: Isa,
        plan: MapSchedule,
        partitions: Sequence[Partition],
        pointers: Sequence[ir.Value],
    ) -> None:
        """All points. Transpose tiles at one place of `inner` come first: transposed operands are read on and on."""
        if not plan.transposed:
            self._loops(b, isa, plan, partitions, 0, pointers, 0)
            return
        self._strip_mined(
            b,
            isa,
            (plan.inner, plan.inner_strides),
            Partition.WHOLE,
            pointers,
            lambda at, wide: self._loops(b, isa, plan, partitions, 0, at, wide),
        )

    def _loops(
        self,
        b: ir.IRBuilder,
        isa: Isa,
        plan: MapSchedule,
        partitions: Sequence[Partition],
        level: int,
        pointers: Sequence[ir.Value],
        wide: int,
    ) -> None:
        """Loops over `outer`, then over `inner` or, with transpose tiles `wide` points along it, over `transposed`."""
        if level == len(plan.outer):
            dimension = plan.inner, plan.inner_strides
            if plan.transposed:
                dimension = plan.transposed, plan.transposed_strides

            def strip(at: Sequence[ir.Value], count: int) -> None:
                if plan.transposed:
                    self._transpose_tile(b, isa, plan, at, count, wide)
                else:
                    self._points(b, isa, plan, at, count)

            self._strip_mined(b, isa, dimension, partitions[level], pointers, strip)
            return
        first, count = partitions[level].of(b, plan.outer[level])
        strides = [s[level] for s in plan.outer_strides]
        start = self._advance(b, pointers, first, strides)

        def iteration(i: ir.Value, carried: list[ir.Value]) -> list[ir.Value]:
            inner = self._advance(b, start, i, strides)
            self._loops(b, isa, plan, partitions, level + 1, inner, wide)
            return []

        loop(b, count, [], iteration)

    def _advance(
        self, b: ir.IRBuilder, pointers: Sequence[ir.Value], i: ir.Value, strides: Sequence[int]
    ) -> list[ir.Value]:
        """The pointers at position `i` of a dimension."""
        return [
            byte_offset(b, pointer, scaled(b, i, stride * operand.size)) if stride else pointer
            for pointer, operand, stride in zip(pointers, self.operands, strides, strict=True)
        ]

    def _strip_mined(
        self,
        b: ir.IRBuilder,
        isa: Isa,
        dimension: tuple[int, Sequence[int]],
        partition: Partition,
        pointers: Sequence[ir.Value],
        emit: Callable[[Sequence[ir.Value], int], None],
    ) -> None:
        """Strip-mining: emits what is done at a vector of places of a dimension (size, strides), and at the rest."""
        size, strides = dimension
        whole, rest = divmod(size, isa.lanes)
        per_strip = [stride * isa.lanes for stride in strides]
        first, count = partition.of(b, whole)
        start = self._advance(b, pointers, first, per_strip)

        def iteration(i: ir.Value, carried: list[ir.Value]) -> list[ir.Value]:
            emit(self._advance(b, start, i, per_strip), isa.lanes)
            return []

        loop(b, count, [], iteration)
        if rest:
            with partition.at_end(b):
                emit(self._advance(b, pointers, index(whole), per_strip), rest)

    def _points(
        self,
        b: ir.IRBuilder,
        isa: Isa,
        plan: MapSchedule,
        pointers: Sequence[ir.Value],
        active: int,
    ) -> None:
        count, lanes = len(self.ins), isa.lanes
        strides = plan.inner_strides
        values = [
            load_lanes(b, isa, pointer, operand.element, stride, lanes, active)
            for pointer, operand, stride in zip(pointers, self.ins, strides, strict=False)
        ]
        results = emit_body(b, isa, self.body, lanes, values)
        outs = zip(pointers[count:], self.outs, strides[count:], results, strict=True)
        for pointer, operand, stride, value in outs:
            store_lanes(b, isa, pointer, operand.element, stride, value, active)

    def _transpose_tile(
        self,
        b: ir.IRBuilder,
        isa: Isa,
        plan: MapSchedule,
        pointers: Sequence[ir.Value],
        high: int,
        active: int,
    ) -> None:
        """A transpose tile: `high` vectors of `active` points, transposed in registers."""
        count, lanes = len(self.ins), isa.lanes
        along, down = plan.inner_strides, plan.transposed_strides

        def place(o: int, operand: Operand, n: int, strides: Sequence[int]) -> ir.Value:
            return byte_offset(b, pointers[o], n * strides[o] * operand.size)

        def vectors(o: int, operand: Operand) -> list[ir.Value]:
            element = operand.element
            if plan.is_transposed(o):
                columns = [
                    load_raw(b, place(o, operand, i, along), element, 1, lanes, high)
                    for i in range(active)
                ]
                rows = transposed(b, columns, lanes)[:high]
                return [decode(b, isa, row, element) for row in rows]
            different = range(high if down[o] else 1)
            found = [
                load_lanes(b, isa, place(o, operand, j, down), element, along[o], lanes, active)
                for j in different
            ]
            return found if down[o] else found * high

        values = [vectors(o, operand) for o, operand in enumerate(self.ins)]
        results = [
            emit_body(b, isa, self.body, lanes, [each[j] for each in values]) for j in range(high)
        ]
        for n, operand in enumerate(self.outs):
            o, element = count + n, operand.element
            rows = [encode(b, isa, each[n], element) for each in results]
            if plan.is_transposed(o):
                columns = transposed(b, rows, lanes)[:active]
                for i, column in enumerate(columns):
                    store_raw(b, place(o, operand, i, along), element, 1, column, high)
                continue
            for j, row in enumerate(rows):
                store_raw(b, place(o, operand, j, down), element, along[o], row, active)
