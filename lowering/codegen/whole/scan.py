"""
Emits `kernel.scan`: lines side by side, a lane for each, and what is carried along them in registers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ....dialects.kernel import Access, ScanOp
from ...machine import Isa
from .. import ir
from ..body import KernelBody, emit_body
from ..elements import Operand, load_lanes, memref, scalar_type, store_lanes
from ..emitter import Emitter, Prologue
from ..loop_nest import LoopNest, Values
from ..vectors import byte_offset, loop, scaled, zero
from ..work_partition import Partition

OUTER, LINE, INNER = range(3)

MOST_VECTORS = 8
"""
Vectors that go along lines together, side by side in memory: four cache lines of f32, or so. One after the other, each
would read the lines again that it shares with the one before.
"""


@dataclass(frozen=True)
class ScanKernel(Emitter):
    """What of a scan decides its machine code; equal ones share a function."""

    shape: tuple[int, ...]
    reverse: bool
    x: Operand
    y: Operand
    body: KernelBody

    @classmethod
    def of(cls, op: ScanOp, isa: Isa) -> ScanKernel:
        """The kernel of an operation on planned memory."""
        x, y = memref(op.ins[0]), memref(op.outs[0])
        whole = Access.identity(3)
        return cls(
            tuple(x.get_shape()),
            bool(op.reverse),
            Operand.of(x, whole),
            Operand.of(y, whole),
            KernelBody.of(op.body),
        )

    @property
    def operands(self) -> tuple[Operand, ...]:
        """All operands, in order."""
        return (self.x, self.y)

    @property
    def beside(self) -> int:
        """The dimension that lanes go along."""
        return INNER if self.shape[INNER] > 1 else OUTER

    @property
    def vectors(self) -> int:
        """How many of them go along lines together."""
        return MOST_VECTORS if self.beside == INNER else 1

    def emit_loops(self, prologue: Prologue) -> None:
        if 0 in self.shape:
            return
        b, isa = prologue.b, prologue.isa
        around, beside = OUTER + INNER - self.beside, self.beside
        divided = int(self.shape[around] < self.shape[beside] // (self.vectors * isa.lanes))
        with prologue.partition.dividing(b, divided, 2) as partitions:
            emission = _Emission(b, isa, self.operands, self, partitions[1])
            strides = [[operand.strides[around]] for operand in self.operands]
            sizes = [self.shape[around]]
            emission.nested(prologue.pointers, sizes, strides, partitions, emission.lines)


@dataclass
class _Emission(LoopNest):
    kernel: ScanKernel
    partition: Partition

    def lines(self, pointers: Values) -> None:
        """All lines beside each other."""
        kernel = self.kernel
        length = kernel.vectors * self.isa.lanes
        self.strips(
            pointers,
            divmod(kernel.shape[kernel.beside], length),
            self._strides(kernel.beside),
            self.partition,
            self._strip,
            kernel.vectors,
        )

    def _strides(self, dimension: int) -> Sequence[int]:
        return [operand.strides[dimension] for operand in self.operands]

    def _strip(self, pointers: Values, active: int) -> None:
        """Scans `active` lines, which some vectors hold."""
        b, kernel, (x, y) = self.b, self.kernel, self.operands
        size, lanes = kernel.shape[LINE], self.isa.lanes if active > 1 else 1
        steps = [
            stride * each.size for stride, each in zip(self._strides(LINE), (x, y), strict=True)
        ]
        if kernel.reverse:
            pointers = [
                byte_offset(b, pointer, (size - 1) * step)
                for pointer, step in zip(pointers, steps, strict=True)
            ]
            steps = [-step for step in steps]
        starts = range(0, active, lanes)

        def elements(i: ir.Value, carried: Values) -> Values:
            source, target = (
                byte_offset(b, pointer, scaled(b, i, step))
                for pointer, step in zip(pointers, steps, strict=True)
            )
            return [
                self._vector(source, target, start, min(lanes, active - start), lanes, carry)
                for start, carry in zip(starts, carried, strict=True)
            ]

        type = ir.VectorType(scalar_type(kernel.body.block.args[0].type), lanes)
        loop(b, size, [zero(type) for _ in starts], elements)

    def _vector(
        self,
        source: ir.Value,
        target: ir.Value,
        start: int,
        active: int,
        lanes: int,
        carried: ir.Value,
    ) -> ir.Value:
        """One element of `active` lines from line `start` on. Returns what is carried to the next one."""
        b, isa, kernel, (x, y) = self.b, self.isa, self.kernel, self.operands
        read, written = self._strides(kernel.beside)
        source = byte_offset(b, source, start * read * x.size)
        target = byte_offset(b, target, start * written * y.size)
        value = load_lanes(b, isa, source, x.element, read, lanes, active)
        carry, result = emit_body(b, isa, kernel.body, lanes, [carried, value])
        store_lanes(b, isa, target, y.element, written, result, active)
        return carry
