"""
Emits `kernel.non_max_suppression`. How depends on the body: if it only removes boxes, each box is compared with those
that were taken before it; otherwise each box that is taken changes the scores of all that are left.
"""

from __future__ import annotations

from dataclasses import dataclass

from ....dialects.kernel import Access, NonMaxSuppressionOp, Term
from ...machine import Isa
from ..body import KernelBody
from ..elements import Operand, memref
from ..emitter import Emitter, Prologue
from ..loop_nest import LoopNest, Values
from .hard_suppression import HardSuppression
from .soft_suppression import SoftSuppression
from .suppression import BOX, COORDINATE

ROW, CLASS = range(2)
"""Outer dimensions of the domain."""


@dataclass(frozen=True)
class NonMaxSuppressionKernel(Emitter):
    """What of a suppression decides its machine code; equal ones share a function."""

    sizes: tuple[int, ...]  # rows, classes, boxes, coordinates
    count: int  # boxes that are taken at most
    arrays: tuple[Operand, ...]
    body: KernelBody
    only_removes: bool

    @classmethod
    def of(cls, op: NonMaxSuppressionOp, isa: Isa) -> NonMaxSuppressionKernel:
        """The kernel of an operation on planned memory."""
        boxes, scores, *made = (memref(value) for value in (*op.ins, *op.outs))
        places = Access(4, (Term(ROW), Term(BOX), Term(COORDINATE)))
        of_class = Access(4, (Term(ROW), Term(CLASS), Term(BOX)))
        left_places = Access(4, (Term(ROW), Term(CLASS), Term(COORDINATE), Term(BOX)))
        return cls(
            (*scores.get_shape(), boxes.get_shape()[-1]),
            made[0].get_shape()[-1],
            (
                Operand.of(boxes, places),
                *(Operand.of(each, of_class) for each in (scores, *made[:-1])),
                Operand.of(made[-1], left_places),
            ),
            KernelBody.of(op.body),
            op.only_removes,
        )

    @property
    def operands(self) -> tuple[Operand, ...]:
        """All of them, in order."""
        return self.arrays

    @property
    def divided(self) -> int | None:
        """The dimension that threads divide."""
        return next((d for d in (ROW, CLASS) if self.sizes[d] > 1), None)

    def emit_loops(self, prologue: Prologue) -> None:
        if 0 in (*self.sizes[:BOX], self.count):
            return
        b, isa = prologue.b, prologue.isa

        way = HardSuppression if self.only_removes else SoftSuppression

        def emit(pointers: Values) -> None:
            operands = list(zip(pointers, self.operands, strict=True))
            way(b, isa, self.body, self.sizes, self.count, operands).emit()

        nest, strides = LoopNest(b, isa, self.operands), [each.strides for each in self.operands]
        with prologue.partition.dividing(b, self.divided, BOX) as partitions:
            nest.nested(prologue.pointers, self.sizes[:BOX], strides, partitions, emit)
