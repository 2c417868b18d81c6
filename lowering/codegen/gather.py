"""
Emits `kernel.gather`: a body on elements that are looked up.

Along a dimension in which all points have one index, vectors are loaded; else elements, lane by lane or by an
instruction for it. Memory is only read where an index lies inside.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from xdsl.dialects.builtin import i64

from ...dialects.kernel import GatherOp, body_type, strides_of
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
from .indices import LARGEST_I32, inside_of, place_of
from .intrinsics import call_intrinsic
from .loop_nest import LoopNest, Values
from .schedule import MapSchedule
from .vectors import (
    I32,
    broadcast,
    byte_offset,
    first_lanes,
    index,
    scaled,
    splat,
    zero,
)
from .work_partition import Partition

GATHERED = (4, 8)
"""Bytes of elements that x86-64 has an instruction for."""


@dataclass(frozen=True)
class Lookup:
    """An operand that is looked up by indices."""

    size: int  # of the dimension that is looked up
    stride: int  # between its elements
    x: Operand
    indices: Operand

    def is_gathered(self, along: int, lanes: int) -> bool:
        """Whether an instruction reads such elements, by indices of 32 bits."""
        reach = abs(self.size * self.stride) + lanes * abs(along)
        has_room = reach <= LARGEST_I32 and body_type(self.indices.element) != i64
        return has_room and self.x.size in GATHERED


@dataclass(frozen=True)
class GatherKernel(Emitter):
    """What of a gather decides its machine code; equal ones share a function."""

    domain: tuple[int, ...]
    lookups: tuple[Lookup, ...]
    ins: tuple[Operand, ...]
    outs: tuple[Operand, ...]
    body: KernelBody

    @classmethod
    def of(cls, op: GatherOp, isa: Isa) -> GatherKernel:
        """The kernel of an operation on planned memory."""
        axis = op.axis.value.data
        lookups = tuple(
            Lookup(
                x.get_shape()[axis],
                strides_of(x)[axis],
                Operand.of(x, points),
                Operand.of(indices, places),
            )
            for x, indices, (points, places) in zip(
                map(memref, op.x), map(memref, op.indices), op.readings, strict=True
            )
        )
        return cls(op.shape, lookups, *ins_and_outs(op), KernelBody.of(op.body))

    @property
    def operands(self) -> tuple[Operand, ...]:
        """All of them, in order."""
        x, indices = ([each.x for each in self.lookups], [each.indices for each in self.lookups])
        return (*x, *indices, *self.ins, *self.outs)

    def emit_loops(self, prologue: Prologue) -> None:
        if 0 in self.domain:
            return
        b, isa, strides = prologue.b, prologue.isa, [operand.strides for operand in self.operands]
        plan = MapSchedule.choose(isa, self.domain, strides, lookups=len(self.lookups))
        level = plan.partitioned_loop(isa.lanes, len(self.outs))
        emission = _Emission(b, isa, self.operands, self, plan)
        with prologue.partition.dividing(b, level, len(plan.outer) + 1) as partitions:
            emission.all_points(prologue.pointers, partitions)


_Place = tuple[ir.Value, ir.Value]
"""Bytes from the beginning of a dimension, and whether the index was inside of it, in each lane."""


@dataclass
class _Emission(LoopNest):
    kernel: GatherKernel
    plan: MapSchedule

    def all_points(self, pointers: Values, partitions: Sequence[Partition]) -> None:
        """The share of the domain."""
        plan, count = self.plan, len(self.kernel.lookups)

        def row(at: Values) -> None:
            found = [
                self._one_place(lookup, indices) if step == 0 else None
                for lookup, indices, step in zip(
                    self.kernel.lookups, at[count:], plan.inner_strides[count:], strict=False
                )
            ]
            emit = partial(self._vector, found)
            self.strip_mined(at, plan.inner, plan.inner_strides, partitions[-1], emit)

        self.nested(pointers, plan.outer, plan.outer_strides, partitions, row)

    def _one_place(self, lookup: Lookup, indices: ir.Value) -> _Place:
        """Where a row is looked up whose points have one index: read once, before the loop over its vectors."""
        b = self.b
        places, inside = self._places(lookup, indices, 0, 1, 1)
        place = scaled(b, place_of(b, places, 0), lookup.stride * lookup.x.size)
        return place, broadcast(b, b.extract_element(inside, index(0)), self.isa.lanes)

    def _vector(self, found: Sequence[_Place | None], pointers: Values, active: int) -> None:
        b, isa, kernel, lanes = self.b, self.isa, self.kernel, self.isa.lanes
        strides, count = self.plan.inner_strides, len(kernel.lookups)
        places = zip(pointers, pointers[count:], strict=False)
        steps = zip(strides, strides[count:], strict=False)
        elements = [
            decode(b, isa, self._elements(lookup, one, place, step, active), lookup.x.element)
            for lookup, one, place, step in zip(kernel.lookups, found, places, steps, strict=False)
        ]
        first, last = 2 * count, 2 * count + len(kernel.ins)
        values = self.load(kernel.ins, pointers[first:last], strides[first:last], lanes, active)
        results = emit_body(b, isa, kernel.body, lanes, [*elements, *values])
        self.store(kernel.outs, pointers[last:], strides[last:], results, active)

    def _elements(
        self,
        lookup: Lookup,
        found: _Place | None,
        pointers: tuple[ir.Value, ir.Value],
        strides: tuple[int, int],
        active: int,
    ) -> ir.Value:
        """What is looked up, as it lies in memory. Pointers and strides are those of x and of its indices."""
        b, lanes, element = self.b, self.isa.lanes, lookup.x.element
        (x, indices), (along, step) = pointers, strides
        memory = ir.VectorType(memory_type(element), lanes)
        if not lookup.size:
            return zero(memory)
        if found is not None:
            place, inside = found
            loaded = load_raw(b, byte_offset(b, x, place), element, along, lanes, active)
            return b.select(inside, loaded, zero(memory))
        places, inside = self._places(lookup, indices, step, lanes, active)
        if self.isa.has_evex and lookup.is_gathered(along, lanes):
            return self._gathered(lookup, x, along, places, inside, active)
        value: ir.Value = zero(memory)
        for lane in range(active):
            place = scaled(b, place_of(b, places, lane), lookup.stride * lookup.x.size)
            place = byte_offset(b, byte_offset(b, x, place), lane * along * lookup.x.size)
            scalar = b.load(place, align=lookup.x.size, typ=memory.element)
            value = b.insert_element(value, scalar, ir.Constant(I32, lane))
        return b.select(inside, value, zero(memory))

    def _gathered(
        self,
        lookup: Lookup,
        x: ir.Value,
        along: int,
        places: ir.Value,
        inside: ir.Value,
        active: int,
    ) -> ir.Value:
        """By the instruction for it: sixteen in the time of nine that are loaded and inserted (Emerald Rapids)."""
        b, lanes = self.b, self.isa.lanes
        memory = ir.VectorType(memory_type(lookup.x.element), lanes)
        places = b.mul(places, splat(I32, lanes, lookup.stride))
        if along:
            places = b.add(
                places, ir.Constant(places.type, [lane * along for lane in range(lanes)])
            )
        if active < lanes:
            inside = b.and_(inside, first_lanes(lanes, active))
        addresses = b.gep(x, places, memory.element)
        arguments = [addresses, inside, zero(memory)]
        return call_intrinsic(b, "llvm.masked.gather", memory, arguments, [memory, addresses.type])

    def _places(
        self, lookup: Lookup, pointer: ir.Value, step: int, lanes: int, active: int
    ) -> tuple[ir.Value, ir.Value]:
        """Indices that are all in bounds, and which of the given indices were."""
        element = lookup.indices.element
        given = load_lanes(self.b, self.isa, pointer, element, step, lanes, active)
        return inside_of(self.b, given, element, lookup.size)
