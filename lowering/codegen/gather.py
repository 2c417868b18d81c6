"""
Emits `kernel.gather`: a body on elements that are looked up.

Along a dimension in which all points have one index, vectors are loaded; else elements, lane by lane. Memory is
only read where an index lies inside.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ...dialects.kernel import GatherOp, strides_of
from ..machine import Isa
from . import ir
from .body import KernelBody, emit_body
from .elements import (
    Operand,
    decode,
    ins_and_outs,
    load_lanes,
    load_raw,
    memory_type,
    memref,
)
from .emitter import Emitter, Prologue
from .indices import inside_of
from .loop_nest import LoopNest, Values
from .schedule import MapSchedule
from .vectors import (
    I32,
    broadcast,
    byte_offset,
    index,
    scaled,
    zero,
)
from .work_partition import Partition


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
    body: KernelBody

    @classmethod
    def of(cls, op: GatherOp, isa: Isa) -> GatherKernel:
        """The kernel of an operation on planned memory."""
        axis, (points, places) = op.axis.value.data, op.reading
        x = memref(op.x)
        return cls(
            op.shape,
            x.get_shape()[axis],
            strides_of(x)[axis],
            Operand.of(x, points),
            Operand.of(memref(op.indices), places),
            *ins_and_outs(op),
            KernelBody.of(op.body),
        )

    @property
    def operands(self) -> tuple[Operand, ...]:
        """All of them, in order."""
        return (self.x, self.indices, *self.ins, *self.outs)

    def emit_loops(self, prologue: Prologue) -> None:
        if 0 in self.domain:
            return
        b, isa, strides = prologue.b, prologue.isa, [operand.strides for operand in self.operands]
        plan = MapSchedule.choose(isa, self.domain, strides)
        level = plan.partitioned_loop(isa.lanes, len(self.outs))
        emission = _Emission(b, isa, self.operands, self, plan)
        with prologue.partition.dividing(b, level, len(plan.outer) + 1) as partitions:
            emission.all_points(prologue.pointers, partitions)


@dataclass
class _Emission(LoopNest):
    kernel: GatherKernel
    plan: MapSchedule

    def all_points(self, pointers: Values, partitions: Sequence[Partition]) -> None:
        """The share of the domain."""
        plan = self.plan

        def row(at: Values) -> None:
            self.strip_mined(at, plan.inner, plan.inner_strides, partitions[-1], self._vector)

        self.nested(pointers, plan.outer, plan.outer_strides, partitions, row)

    def _vector(self, pointers: Values, active: int) -> None:
        b, isa, kernel, lanes = self.b, self.isa, self.kernel, self.isa.lanes
        strides, first = self.plan.inner_strides, 2 + len(kernel.ins)
        element = decode(b, isa, self._elements(pointers, active), kernel.x.element)
        values = self.load(kernel.ins, pointers[2:first], strides[2:first], lanes, active)
        results = emit_body(b, isa, kernel.body, lanes, [element, *values])
        self.store(kernel.outs, pointers[first:], strides[first:], results, active)

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
        """Indices that are all in bounds, and which of the given indices were."""
        b, kernel = self.b, self.kernel
        element = kernel.indices.element
        given = load_lanes(b, self.isa, pointer, element, step, lanes, active)
        return inside_of(b, given, element, kernel.size)
