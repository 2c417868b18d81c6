"""Emits `kernel.map` and `kernel.copy`: a body at every point of a domain."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache, partial

from llvmlite import ir
from xdsl.dialects.builtin import IntegerType

from ...dialects.kernel import Access, CopyOp, MapOp, body_type
from ..bodies import build_body, same
from ..machine import Isa
from .body import KernelBody, emit_body
from .elements import (
    Operand,
    decode,
    encode,
    ins_and_outs,
    load_lanes,
    load_raw,
    memref,
    store_raw,
)
from .emitter import Emitter, Prologue
from .interleave import transposed
from .loop_nest import LoopNest, Values
from .schedule import MapSchedule
from .vectors import byte_offset
from .work_partition import Partition


@cache
def _unchanged(element: IntegerType) -> KernelBody:
    """The body that yields what it gets."""
    return KernelBody.of(build_body([body_type(element)], same))


@dataclass(frozen=True)
class MapKernel(Emitter):
    """What of a map decides its machine code; equal ones share a function."""

    domain: tuple[int, ...]
    ins: tuple[Operand, ...]
    outs: tuple[Operand, ...]
    body: KernelBody

    @classmethod
    def of(cls, op: MapOp, isa: Isa) -> MapKernel:
        """The kernel of an operation on planned memory."""
        ins, outs = (_moving(op.shape, operands) for operands in ins_and_outs(op))
        return cls(op.shape, ins, outs, KernelBody.of(op.body))

    @classmethod
    def of_copy(cls, op: CopyOp, isa: Isa) -> MapKernel:
        """A copy is a map of integers that yields what it gets."""
        shape = memref(op.source).get_shape()
        identity = Access.identity(len(shape))
        operands = [Operand.of(memref(value), identity) for value in (op.source, op.target)]
        bits = IntegerType(8 * operands[0].size)
        source, target = _moving(shape, [replace(operand, element=bits) for operand in operands])
        return cls(shape, (source,), (target,), _unchanged(bits))

    @property
    def operands(self) -> tuple[Operand, ...]:
        return (*self.ins, *self.outs)

    def emit_loops(self, prologue: Prologue) -> None:
        b, isa = prologue.b, prologue.isa
        strides = [operand.strides for operand in self.operands]
        plan = MapSchedule.choose(isa, self.domain, strides, len(self.outs))
        level = plan.partitioned_loop(isa, len(self.outs))
        with prologue.partition.dividing(b, level, len(plan.outer) + 1) as partitions:
            _Emission(b, isa, self.operands, self, plan, partitions).all(prologue.pointers)


def _moving(domain: Sequence[int], operands: Sequence[Operand]) -> tuple[Operand, ...]:
    """Operands that stay where they are along a dimension of one point: what lies around them decides no code."""
    return tuple(
        replace(
            operand,
            strides=tuple(s if n > 1 else 0 for n, s in zip(domain, operand.strides, strict=True)),
        )
        for operand in operands
    )


@dataclass
class _Emission(LoopNest):
    kernel: MapKernel
    plan: MapSchedule
    partitions: Sequence[Partition]

    def all(self, pointers: Values) -> None:
        """All points. Transpose tiles at one place of `inner` come first: transposed operands are read on and on."""
        plan = self.plan
        if not plan.transposed:
            self._loops(pointers, 0)
            return
        self.strip_mined(pointers, plan.inner, plan.inner_strides, Partition.WHOLE, self._loops)

    def _loops(self, pointers: Values, wide: int) -> None:
        """Loops over `outer`, then over `inner` or, with transpose tiles `wide` points along it, over `transposed`."""
        plan = self.plan

        def innermost(at: Values) -> None:
            size, strides, emit = plan.inner, plan.inner_strides, self._points
            if plan.transposed:
                size, strides = plan.transposed, plan.transposed_strides
                emit = partial(self._transpose_tile, wide)
            self.strip_mined(at, size, strides, self.partitions[-1], emit)

        self.nested(pointers, plan.outer, plan.outer_strides, self.partitions, innermost)

    def _points(self, pointers: Values, active: int) -> None:
        kernel, strides, count = self.kernel, self.plan.inner_strides, len(self.kernel.ins)
        lanes = self.isa.lanes
        values = self.load(kernel.ins, pointers[:count], strides[:count], lanes, active)
        results = emit_body(self.b, self.isa, kernel.body, lanes, values)
        self.store(kernel.outs, pointers[count:], strides[count:], results, active)

    def _transpose_tile(self, active: int, pointers: Values, high: int) -> None:
        """A transpose tile: `high` vectors of `active` points, transposed in registers."""
        b, isa, kernel, plan = self.b, self.isa, self.kernel, self.plan
        count, lanes = len(kernel.ins), isa.lanes
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

        values = [vectors(o, operand) for o, operand in enumerate(kernel.ins)]
        results = [
            emit_body(b, isa, kernel.body, lanes, [each[j] for each in values]) for j in range(high)
        ]
        for n, operand in enumerate(kernel.outs):
            o, element = count + n, operand.element
            rows = [encode(b, isa, each[n], element) for each in results]
            if plan.is_transposed(o):
                columns = transposed(b, rows, lanes)[:active]
                for i, column in enumerate(columns):
                    store_raw(b, place(o, operand, i, along), element, 1, column, high)
                continue
            for j, row in enumerate(rows):
                store_raw(b, place(o, operand, j, down), element, along[o], row, active)
