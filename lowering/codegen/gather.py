"""
Emits `kernel.gather`: a body on elements that are looked up.

Along a dimension in which all points have one index, vectors are loaded; else elements, lane by lane. Memory is
only read where an index lies inside.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from llvmlite import ir
from xdsl.ir import Block

from ...dialects.kernel import GatherOp, strides_of
from ..machine import Isa
from .body import body_text, emit_body
from .elements import (
    Operand,
    decode,
    load_lanes,
    load_raw,
    memory_type,
    memref,
    store_lanes,
)
from .emitter import Emitter, Prologue
from .indices import inside_of
from .schedule import MapSchedule
from .vectors import (
    I32,
    broadcast,
    byte_offset,
    index,
    loop,
    scaled,
    zero,
)
from .work_partition import Partition

Values = list[ir.Value]


@dataclass(frozen=True)
class GatherKernel(Emitter):
    """What of a gather decides its machine code; equal ones share a function."""

    domain: tuple[int, ...]
    size: int  # of the dimension that is looked up
    stride: int  # between its elements
    x: Operand
    indices: Operand
    ins: tuple[Operand, ...]
    outs: tuple[Operand, ...]
    text: str
    body: Block = field(compare=False)

    @classmethod
    def of(cls, op: GatherOp, isa: Isa) -> GatherKernel:
        """The kernel of an operation on planned memory."""
        axis, (points, places) = op.axis.value.data, op.reading
        x = memref(op.x)
        operands = [
            Operand.of(memref(value), access)
            for value, access in zip((*op.ins, *op.outs), op.accesses, strict=True)
        ]
        count, body = len(op.ins), op.body.block
        return cls(
            op.shape,
            x.get_shape()[axis],
            strides_of(x)[axis],
            Operand.of(x, points),
            Operand.of(memref(op.indices), places),
            tuple(operands[:count]),
            tuple(operands[count:]),
            body_text(body),
            body,
        )

    @property
    def operands(self) -> tuple[Operand, ...]:
        """All of them, in order."""
        return (self.x, self.indices, *self.ins, *self.outs)

    def emit_loops(self, prologue: Prologue) -> None:
        if 0 not in self.domain:
            isa = prologue.isa
            strides = [operand.strides for operand in self.operands]
            plan = MapSchedule.choose(isa, self.domain, strides)
            level = plan.partitioned_loop(isa, len(self.outs))
            emission = _Emission(prologue.b, isa, self, plan, prologue.partition, level)
            emission.all_points(prologue.pointers)


@dataclass
class _Emission:
    b: ir.IRBuilder
    isa: Isa
    kernel: GatherKernel
    plan: MapSchedule
    partition: Partition
    shared: int | None  # the loop that is divided

    def all_points(self, pointers: Values) -> None:
        """The share of the domain."""
        if self.shared is not None:
            self._points(0, pointers)
            return
        with self.partition.at_end(self.b):
            self._points(0, pointers)

    def _points(self, level: int, pointers: Values) -> None:
        plan = self.plan
        if level == len(plan.outer):
            self._row(self._partition_of(level), pointers)
            return
        steps = [step[level] for step in plan.outer_strides]
        first, count = self._partition_of(level).of(self.b, plan.outer[level])
        start = self._advance(pointers, first, steps)

        def iteration(i: ir.Value, carried: Values) -> Values:
            self._points(level + 1, self._advance(start, i, steps))
            return []

        loop(self.b, count, [], iteration)

    def _partition_of(self, level: int) -> Partition:
        return self.partition if level == self.shared else Partition.WHOLE

    def _advance(self, pointers: Values, i: ir.Value, strides: Sequence[int]) -> Values:
        b = self.b
        return [
            byte_offset(b, pointer, scaled(b, i, stride * operand.size)) if stride else pointer
            for pointer, operand, stride in zip(
                pointers, self.kernel.operands, strides, strict=True
            )
        ]

    def _row(self, partition: Partition, pointers: Values) -> None:
        lanes = self.isa.lanes
        whole, rest = divmod(self.plan.inner, lanes)
        per_vector = [stride * lanes for stride in self.plan.inner_strides]
        first, count = partition.of(self.b, whole)
        start = self._advance(pointers, first, per_vector)

        def iteration(i: ir.Value, carried: Values) -> Values:
            self._vector(self._advance(start, i, per_vector), lanes)
            return []

        loop(self.b, count, [], iteration)
        if rest:
            with partition.at_end(self.b):
                self._vector(self._advance(pointers, index(whole), per_vector), rest)

    def _vector(self, pointers: Values, active: int) -> None:
        b, isa, kernel, lanes = self.b, self.isa, self.kernel, self.isa.lanes
        count, strides = len(kernel.ins), self.plan.inner_strides
        element = decode(b, isa, self._elements(pointers, active), kernel.x.element)
        values = [
            load_lanes(b, isa, pointer, operand.element, stride, lanes, active)
            for pointer, operand, stride in zip(pointers[2:], kernel.ins, strides[2:], strict=False)
        ]
        results = emit_body(b, isa, kernel.body, lanes, [element, *values])
        first = 2 + count
        outs = zip(pointers[first:], kernel.outs, strides[first:], results, strict=True)
        for pointer, operand, stride, value in outs:
            store_lanes(b, isa, pointer, operand.element, stride, value, active)

    def _elements(self, pointers: Values, active: int) -> ir.Value:
        """What is looked up, as it lies in memory."""
        b, kernel, lanes = self.b, self.kernel, self.isa.lanes
        x, along, step = pointers[0], self.plan.inner_strides[0], self.plan.inner_strides[1]
        memory = ir.VectorType(memory_type(kernel.x.element), lanes)
        if not kernel.size:
            return zero(memory)
        if step == 0 or active == 1:
            place, inside = self._places(pointers[1], step, 1, 1)
            address = self._address(x, b.extract_element(place, index(0)))
            loaded = load_raw(b, address, kernel.x.element, along, lanes, active)
            return b.select(
                broadcast(b, b.extract_element(inside, index(0)), lanes), loaded, zero(memory)
            )
        places, inside = self._places(pointers[1], step, lanes, active)
        value: ir.Value = zero(memory)
        for lane in range(active):
            address = self._address(x, b.extract_element(places, index(lane)))
            address = byte_offset(b, address, lane * along * kernel.x.size)
            scalar = b.load(address, align=kernel.x.size, typ=memory.element)
            value = b.insert_element(value, scalar, ir.Constant(I32, lane))
        return b.select(inside, value, zero(memory))

    def _address(self, x: ir.Value, place: ir.Value) -> ir.Value:
        b, kernel = self.b, self.kernel
        return byte_offset(b, x, scaled(b, place, kernel.stride * kernel.x.size))

    def _places(
        self, pointer: ir.Value, step: int, lanes: int, active: int
    ) -> tuple[ir.Value, ir.Value]:
        """Indices that all lie inside, and which of them did from the beginning."""
        b, kernel = self.b, self.kernel
        element = kernel.indices.element
        given = load_lanes(b, self.isa, pointer, element, step, lanes, active)
        return inside_of(b, given, element, kernel.size)
