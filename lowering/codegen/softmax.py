"""
Emits `kernel.softmax`: the greatest element of a row, then powers and their total together, then results. In between,
powers lie in scratch memory of one row.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from xdsl.dialects.builtin import f32

from ...dialects.kernel import SoftmaxOp
from ..machine import CACHE_LINE, Isa
from .body import KernelBody
from .elements import Operand, at_pointers, ins_and_outs, memref, size_of
from .emitter import Emitter, Prologue
from .loop_nest import LoopNest, Values
from .map import MapKernel
from .run_time import Number, known_or_later, later, number_at
from .schedule.merging import merge_loops
from .softmax_row import SoftmaxRow
from .vectors import byte_offset
from .work_partition import Partition

AT_ONCE = 1
"""
Vectors of powers that are computed together. Those of several iterations overlap, so one is as fast as more are.
"""


@dataclass(frozen=True)
class SoftmaxKernel(Emitter):
    """
    What of a softmax decides its machine code; equal ones share a function. The table that it takes has the sizes of
    its loops over `rows`, and how many elements apart these lie, by operand. Operands have the stride along a row.
    `divided` is the loop that threads divide.
    """

    rows: tuple[Number, ...]
    by_row: tuple[tuple[Number, ...], ...]
    divided: int | None
    keys: int
    partials: int
    x: Operand
    ins: tuple[Operand, ...]
    outs: tuple[Operand, ...]
    power: KernelBody
    total: KernelBody
    body: KernelBody
    table: tuple[int, ...] = field(compare=False, repr=False)

    @classmethod
    def of(cls, op: SoftmaxOp, isa: Isa) -> SoftmaxKernel:
        """The kernel of an operation on planned memory."""
        *rows, keys = op.shape
        ins, outs = ins_and_outs(op)
        operands = (Operand.of(memref(op.x), op.reading), *ins, *outs)
        moves = [[operand.strides[d] for operand in operands] for d in range(len(rows))]
        sizes, strides = merge_loops(rows, moves)
        table: list[int] = []
        x, *others = (replace(each, strides=each.strides[-1:]) for each in operands)
        return cls(
            tuple(later(size, table) for size in sizes),
            tuple(
                tuple(known_or_later(each[o], table) for each in strides)
                for o in range(len(operands))
            ),
            max(range(len(sizes)), key=sizes.__getitem__, default=None),
            keys,
            op.partials,
            x,
            tuple(others[: len(ins)]),
            tuple(others[len(ins) :]),
            KernelBody.of(op.power),
            KernelBody.of(op.total),
            KernelBody.of(op.body),
            tuple(table),
        )

    @property
    def operands(self) -> tuple[Operand, ...]:
        return (self.x, *self.ins, *self.outs)

    @property
    def scratch_bytes(self) -> int:
        """The powers of a row, and a cache line each for its greatest element and its total."""
        return self._powers_bytes + 2 * CACHE_LINE

    @property
    def _powers_bytes(self) -> int:
        return -(-self.keys * size_of(f32) // CACHE_LINE) * CACHE_LINE

    def emit_loops(self, prologue: Prologue) -> None:
        b, isa, arguments = prologue.b, prologue.isa, prologue.arguments
        assert prologue.scratch is not None
        powers = prologue.scratch
        most = byte_offset(b, powers, self._powers_bytes)
        total = byte_offset(b, most, CACHE_LINE)
        row = SoftmaxRow(b, isa, self.keys, self.partials, self.power, self.total, AT_ONCE, self.x)
        ins = (Operand(f32, 0, (1,)), Operand(f32, 0, (0,)), *at_pointers(self.ins))
        results = MapKernel.fixed(isa, (self.keys,), ins, at_pointers(self.outs), self.body)

        def compute(pointers: Values) -> None:
            x, *others = pointers
            row.greatest(x, most)
            row.powers(x, most, powers, total)
            places = [powers, total, *others]
            results.emit_loops(Prologue(b, isa, places, [], Partition.WHOLE))

        sizes = [number_at(b, arguments, number) for number in self.rows]
        strides = [[number_at(b, arguments, n) for n in each] for each in self.by_row]
        with prologue.partition.dividing(b, self.divided, len(sizes)) as partitions:
            nest = LoopNest(b, isa, self.operands)
            nest.nested(prologue.pointers, sizes, strides, partitions, compute)
