"""
Emits `kernel.reduce_windows`: loops over the rows of each window, whose limits are loaded, with vectors of channels in
registers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import i64

from ....dialects.kernel import Access, ReduceWindowsOp, body_type, neutral
from ...machine import Isa
from .. import ir
from ..body import KernelBody, emit_body
from ..combine import combined
from ..elements import Operand, load_lanes, memref, scalar_type, store_lanes
from ..emitter import Emitter, Prologue
from ..loop_nest import LoopNest, Values
from ..reduce_loops import INDEPENDENT_VECTORS
from ..vectors import I64, byte_offset, index, loop_while, scaled, splat
from ..work_partition import Partition


@dataclass(frozen=True)
class ReduceWindowsKernel(Emitter):
    """What of a reduction of windows decides its machine code; equal ones share a function."""

    windows: int
    shape: tuple[int, ...]
    combiner: str
    x: Operand
    begins: Operand
    ends: Operand
    y: Operand
    body: KernelBody

    @classmethod
    def of(cls, op: ReduceWindowsOp, isa: Isa) -> ReduceWindowsKernel:
        """The kernel of an operation on planned memory."""
        x, begins, ends = map(memref, op.ins)
        y = memref(op.outs[0])
        rank = len(x.get_shape())
        return cls(
            y.get_shape()[0],
            x.get_shape(),
            op.combiner.data,
            Operand.of(x, Access.identity(rank)),
            Operand.of(begins, Access.identity(2)),
            Operand.of(ends, Access.identity(2)),
            Operand.of(y, Access.identity(2)),
            KernelBody.of(op.body),
        )

    @property
    def operands(self) -> tuple[Operand, ...]:
        """All operands, in order."""
        return (self.x, self.begins, self.ends, self.y)

    def emit_loops(self, prologue: Prologue) -> None:
        if not self.windows or not self.shape[-1]:
            return
        b = prologue.b
        emission = _Emission(b, prologue.isa, self.operands, self)
        strides = [[0], *([each.strides[0]] for each in self.operands[1:])]
        with prologue.partition.dividing(b, 0, 1) as partitions:
            emission.nested(prologue.pointers, [self.windows], strides, partitions, emission.window)


@dataclass
class _Emission(LoopNest):
    kernel: ReduceWindowsKernel

    def window(self, pointers: Values) -> None:
        """All channels of a window: several vectors at once, then those left."""
        kernel, (x, begins, ends, y) = self.kernel, pointers
        *sizes, channels = kernel.shape
        limits = [
            (self._limit(begins, kernel.begins, d, size), self._limit(ends, kernel.ends, d, size))
            for d, size in enumerate(sizes)
        ]
        length = INDEPENDENT_VECTORS * self.isa.lanes

        def strip(at: Values, active: int) -> None:
            self._strip(at[0], at[3], limits, active)

        strides = [kernel.x.strides[-1], 0, 0, kernel.y.strides[-1]]
        size = divmod(channels, length)
        self.strips(
            [x, begins, ends, y], size, strides, Partition.WHOLE, strip, INDEPENDENT_VECTORS
        )

    def _limit(self, pointer: ir.Value, operand: Operand, d: int, size: int) -> ir.Value:
        """A limit of a dimension of a window, within the dimension."""
        b = self.b
        at = byte_offset(b, pointer, d * operand.strides[1] * operand.size)
        limit = b.load(at, align=operand.size, typ=scalar_type(operand.element))
        if operand.element != i64:
            limit = b.sext(limit, I64)
        return b.smin(b.smax(limit, index(0)), index(size))

    def _strip(
        self, x: ir.Value, y: ir.Value, limits: Sequence[tuple[ir.Value, ir.Value]], active: int
    ) -> None:
        """Reduces `active` channels of a window."""
        b, isa, kernel = self.b, self.isa, self.kernel
        lanes = isa.lanes if active > 1 else 1
        parts = [min(lanes, active - first) for first in range(0, active, lanes)]
        scalar = body_type(kernel.x.element)
        number = neutral(kernel.combiner, scalar).value.data

        def moved(pointer: ir.Value, operand: Operand, n: int) -> tuple[ir.Value, int]:
            stride = operand.strides[-1]
            return byte_offset(b, pointer, n * lanes * stride * operand.size), stride

        def rows(pointer: ir.Value, carried: Values, d: int) -> Values:
            if d == len(limits):
                loaded = (
                    load_lanes(b, isa, place, kernel.x.element, stride, lanes, count)
                    for n, count in enumerate(parts)
                    for place, stride in [moved(pointer, kernel.x, n)]
                )
                return [
                    combined(b, kernel.combiner, before, value)
                    for before, value in zip(carried, loaded, strict=True)
                ]
            begin, end = limits[d]
            step = kernel.x.strides[d] * kernel.x.size

            def row(now: Values) -> Values:
                i, *before = now
                after = rows(byte_offset(b, pointer, scaled(b, i, step)), before, d + 1)
                return [b.add(i, index(1)), *after]

            first = [begin, *carried]
            return loop_while(b, first, lambda now: b.icmp_signed("<", now[0], end), row)[1:]

        none = splat(scalar_type(scalar), lanes, number)
        totals = rows(x, [none] * len(parts), 0)
        for n, (total, count) in enumerate(zip(totals, parts, strict=True)):
            (made,) = emit_body(b, isa, kernel.body, lanes, [total])
            place, stride = moved(y, kernel.y, n)
            store_lanes(b, isa, place, kernel.y.element, stride, made, count)
