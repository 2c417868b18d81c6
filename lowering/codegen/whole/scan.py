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

    def emit_loops(self, prologue: Prologue) -> None:
        if 0 in self.shape:
            return
        b, isa = prologue.b, prologue.isa
        around, beside = OUTER + INNER - self.beside, self.beside
        divided = int(self.shape[around] < self.shape[beside] // isa.lanes)
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
        self.strip_mined(
            pointers,
            kernel.shape[kernel.beside],
            self._strides(kernel.beside),
            self.partition,
            self._vector,
        )

    def _strides(self, dimension: int) -> Sequence[int]:
        return [operand.strides[dimension] for operand in self.operands]

    def _vector(self, pointers: Values, active: int) -> None:
        """Scans `active` lines, which a vector holds."""
        b, isa, kernel = self.b, self.isa, self.kernel
        x, y = self.operands
        size, lanes = kernel.shape[LINE], isa.lanes if active > 1 else 1
        steps = [
            stride * each.size for stride, each in zip(self._strides(LINE), (x, y), strict=True)
        ]
        if kernel.reverse:
            pointers = [
                byte_offset(b, pointer, (size - 1) * step)
                for pointer, step in zip(pointers, steps, strict=True)
            ]
            steps = [-step for step in steps]
        of_lane = self._strides(kernel.beside)

        def element(i: ir.Value, carried: Values) -> Values:
            source, target = (
                byte_offset(b, pointer, scaled(b, i, step))
                for pointer, step in zip(pointers, steps, strict=True)
            )
            value = load_lanes(b, isa, source, x.element, of_lane[0], lanes, active)
            carry, result = emit_body(b, isa, kernel.body, lanes, [*carried, value])
            store_lanes(b, isa, target, y.element, of_lane[1], result, active)
            return [carry]

        type = ir.VectorType(scalar_type(kernel.body.block.args[0].type), lanes)
        loop(b, size, [zero(type)], element)
