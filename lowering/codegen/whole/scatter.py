"""
Emits `kernel.scatter`: a body on an update and on the element at its computed index.

Updates are applied in order. Where all updates along the last dimension have one index, they are applied as vectors.
Threads divide a dimension along which all updates have different indices.
"""

from __future__ import annotations

from dataclasses import dataclass

from ....dialects.kernel import Access, ScatterOp, Term
from ...machine import Isa
from .. import ir
from ..body import KernelBody, emit_body
from ..elements import Operand, load_lanes, memref, store_lanes
from ..emitter import Emitter, Prologue
from ..indices import inside_of, place_of
from ..loop_nest import LoopNest, Values
from ..vectors import byte_offset, for_each, index, scaled


@dataclass(frozen=True)
class ScatterKernel(Emitter):
    """What of a scatter decides its machine code; equal ones share a function."""

    domain: tuple[int, ...]
    axis: int
    size: int  # of the dimension that is looked up
    stride: int  # between its elements
    data: Operand
    indices: Operand
    updates: Operand
    body: KernelBody

    @classmethod
    def of(cls, op: ScatterOp, isa: Isa) -> ScatterKernel:
        """The kernel of an operation on planned memory."""
        data, indices, updates = map(memref, op.ins)
        axis, domain = op.axis.value.data, updates.get_shape()
        rank = len(domain)
        whole = Operand.of(data, Access.identity(rank))
        along = Access(rank, tuple(Term(None if d == axis else d) for d in range(rank)))
        is_vector = len(indices.get_shape()) < rank
        places = Access(rank, (Term(axis),)) if is_vector else Access.identity(rank)
        return cls(
            domain,
            axis,
            data.get_shape()[axis],
            whole.strides[axis],
            Operand.of(data, along),
            Operand.of(indices, places),
            Operand.of(updates, Access.identity(rank)),
            KernelBody.of(op.body),
        )

    @property
    def operands(self) -> tuple[Operand, ...]:
        """All operands, in order. The data are the result, in place."""
        return (self.data, self.indices, self.updates, self.data)

    @property
    def by_vectors(self) -> bool:
        """Whether the last dimension has one index and its elements lie side by side."""
        last = len(self.domain) - 1
        strides = [operand.strides[last] for operand in (self.data, self.indices, self.updates)]
        return self.axis != last and strides == [1, 0, 1]

    @property
    def divided(self) -> int | None:
        """The dimension that threads divide: the first one along which no two updates meet."""
        dims = range(len(self.domain) - self.by_vectors)
        return next((d for d in dims if d != self.axis and self.domain[d] > 1), None)

    def emit_loops(self, prologue: Prologue) -> None:
        if 0 in self.domain or not self.size:
            return
        b, operands = prologue.b, self.operands[:3]
        emission = _Emission(b, prologue.isa, operands, self)
        loops = len(self.domain) - self.by_vectors
        strides = [operand.strides for operand in operands]
        with prologue.partition.dividing(b, self.divided, loops) as partitions:
            sizes = self.domain[:loops]
            emission.nested(prologue.pointers[:3], sizes, strides, partitions, emission.row)


@dataclass
class _Emission(LoopNest):
    kernel: ScatterKernel

    def row(self, pointers: Values) -> None:
        """Applies the updates of one index: an element, or a row of them."""
        b, kernel = self.b, self.kernel
        data, indices, updates = pointers
        given = load_lanes(b, self.isa, indices, kernel.indices.element, 1, 1, 1)
        places, fits = inside_of(b, given, kernel.indices.element, kernel.size)
        with b.if_then(b.extract_element(fits, index(0))):
            distance = scaled(b, place_of(b, places, 0), kernel.stride * kernel.data.size)
            target = byte_offset(b, data, distance)
            if not kernel.by_vectors:
                self._update(target, updates, 1, 1)
                return
            self._update_row(target, updates)

    def _update_row(self, target: ir.Value, updates: ir.Value) -> None:
        """Applies updates along the last dimension, by vectors."""
        b, kernel, lanes = self.b, self.kernel, self.isa.lanes
        whole, rest = divmod(kernel.domain[-1], lanes)

        def at(i: ir.Value) -> tuple[ir.Value, ir.Value]:
            distance = scaled(b, i, lanes * kernel.data.size)
            return byte_offset(b, target, distance), byte_offset(b, updates, distance)

        def iteration(i: ir.Value) -> None:
            self._update(*at(i), lanes, lanes)

        for_each(b, whole, iteration)
        if rest:
            self._update(*at(index(whole)), lanes, rest)

    def _update(self, target: ir.Value, update: ir.Value, lanes: int, active: int) -> None:
        b, isa, kernel = self.b, self.isa, self.kernel
        element = kernel.data.element
        values = [
            load_lanes(b, isa, pointer, element, 1, lanes, active) for pointer in (target, update)
        ]
        (made,) = emit_body(b, isa, kernel.body, lanes, values)
        store_lanes(b, isa, target, element, 1, made, active)
