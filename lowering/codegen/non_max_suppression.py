"""
Emits `kernel.non_max_suppression`: the best remaining box is selected, again and again.

Remaining boxes are stored without gaps. A sweep over them computes new scores, removes suppressed boxes and finds the
next best box. So each sweep takes less time, as fewer boxes remain.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ...dialects.kernel import Access, NonMaxSuppressionOp, Term
from ..machine import Isa
from . import ir
from .body import KernelBody, emit_body
from .elements import Operand, load_lanes, memref, scalar_type, store_lanes
from .emitter import Emitter, Prologue
from .loop_nest import LoopNest, Values
from .vectors import I1, I32, I64, byte_offset, index, loop_while, scaled, splat

ROW, CLASS, BOX, COORDINATE = range(4)
"""Dimensions of the domain."""


@dataclass(frozen=True)
class NonMaxSuppressionKernel(Emitter):
    """What of a suppression decides its machine code; equal ones share a function."""

    sizes: tuple[int, ...]  # rows, classes, boxes, coordinates
    count: int  # boxes that are taken at most
    arrays: tuple[Operand, ...]
    body: KernelBody

    @classmethod
    def of(cls, op: NonMaxSuppressionOp, isa: Isa) -> NonMaxSuppressionKernel:
        """The kernel of an operation on planned memory."""
        boxes, scores, *made = (memref(value) for value in (*op.ins, *op.outs))
        places = Access(4, (Term(ROW), Term(BOX), Term(COORDINATE)))
        of_class = Access(4, (Term(ROW), Term(CLASS), Term(BOX)))
        return cls(
            (*scores.get_shape(), boxes.get_shape()[-1]),
            made[0].get_shape()[-1],
            (
                Operand.of(boxes, places),
                *(Operand.of(each, of_class) for each in (scores, *made)),
            ),
            KernelBody.of(op.body),
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

        def emit(pointers: Values) -> None:
            _Suppression(b, isa, self, pointers).emit()

        nest, strides = LoopNest(b, isa, self.operands), [each.strides for each in self.operands]
        with prologue.partition.dividing(b, self.divided, BOX) as partitions:
            nest.nested(prologue.pointers, self.sizes[:BOX], strides, partitions, emit)


@dataclass(frozen=True)
class _Vector:
    """Elements of an operand along its last dimension."""

    b: ir.IRBuilder
    isa: Isa
    pointer: ir.Value
    operand: Operand
    dimension: int = BOX

    def at(self, i: ir.Value) -> ir.Value:
        """The address of one."""
        step = self.operand.strides[self.dimension] * self.operand.size
        return byte_offset(self.b, self.pointer, scaled(self.b, i, step))

    def load(self, i: ir.Value) -> ir.Value:
        """One of them, as a vector of one lane."""
        return load_lanes(self.b, self.isa, self.at(i), self.operand.element, 1, 1, 1)

    def number(self, i: ir.Value) -> ir.Value:
        """One of them, as i64."""
        return self.b.sext(self.b.extract_element(self.load(i), index(0)), I64)

    def store(self, i: ir.Value, value: ir.Value) -> None:
        """Writes a vector of one lane."""
        store_lanes(self.b, self.isa, self.at(i), self.operand.element, 1, value, 1)

    def store_number(self, i: ir.Value, number: ir.Value) -> None:
        """Writes an i64 as i32."""
        narrow = self.b.trunc(number, I32)
        self.store(i, self.b.insert_element(splat(I32, 1, 0), narrow, index(0)))


class _Suppression:
    """One class of one row."""

    def __init__(
        self,
        b: ir.IRBuilder,
        isa: Isa,
        kernel: NonMaxSuppressionKernel,
        pointers: Values,
    ):
        self.b, self.isa, self.kernel = b, isa, kernel
        self.boxes, self.scores, self.taken, self.taken_scores, self.left, self.left_scores = (
            _Vector(b, isa, pointer, operand)
            for pointer, operand in zip(pointers, kernel.operands, strict=True)
        )
        element = scalar_type(kernel.operands[1].element)
        self.zero, self.lowest = splat(element, 1, 0), splat(element, 1, float("-inf"))

    def emit(self) -> None:
        b, limit = self.b, index(self.kernel.count)
        all_boxes = index(self.kernel.sizes[BOX])
        first = self._sweep(all_boxes, lambda k: (k, self.scores.load(k)))

        def more(carried: Values) -> ir.Value:
            taken, left, *_ = carried
            return b.and_(b.icmp_signed("<", taken, limit), b.icmp_signed(">", left, index(0)))

        def take(carried: Values) -> Values:
            taken, left, place, score = carried
            best = self.left.number(place)
            self.taken.store_number(taken, best)
            self.taken_scores.store(taken, score)
            box = self._box(best)

            def scored(k: ir.Value) -> tuple[ir.Value, ir.Value]:
                number = self.left.number(k)
                arguments = [self.left_scores.load(k), *box, *self._box(number)]
                (new,) = emit_body(b, self.isa, self.kernel.body, 1, arguments)
                is_best = b.insert_element(splat(I1, 1, 0), b.icmp_signed("==", k, place), index(0))
                return number, b.select(is_best, self.lowest, new)

            return [b.add(taken, index(1)), *self._sweep(left, scored)]

        (taken, *_) = loop_while(b, [index(0), *first], more, take)

        def unused(carried: Values) -> ir.Value:
            return b.icmp_signed("<", carried[0], limit)

        def fill(carried: Values) -> Values:
            self.taken.store_number(carried[0], index(-1))
            self.taken_scores.store(carried[0], self.zero)
            return [b.add(carried[0], index(1))]

        loop_while(b, [taken], unused, fill)

    def _box(self, number: ir.Value) -> Values:
        """The coordinates of a box."""
        there = _Vector(self.b, self.isa, self.boxes.at(number), self.boxes.operand, COORDINATE)
        return [there.load(index(i)) for i in range(self.kernel.sizes[COORDINATE])]

    def _sweep(
        self, count: ir.Value, scored: Callable[[ir.Value], tuple[ir.Value, ir.Value]]
    ) -> Values:
        """
        Keeps those of `count` boxes that are not suppressed. Gives their number, and the place and score of the best
        one.
        """
        b = self.b

        def more(carried: Values) -> ir.Value:
            return b.icmp_signed("<", carried[0], count)

        def keep(carried: Values) -> Values:
            k, left, place, best = carried
            number, score = scored(k)
            stays = self._greater(score, self.lowest)
            with b.if_then(stays):
                self.left.store_number(left, number)
                self.left_scores.store(left, score)
            wins = self._greater(score, best)
            return [
                b.add(k, index(1)),
                b.add(left, b.zext(stays, I64)),
                b.select(wins, left, place),
                b.select(wins, score, best),
            ]

        _, *found = loop_while(b, [index(0), index(0), index(0), self.lowest], more, keep)
        return found

    def _greater(self, x: ir.Value, y: ir.Value) -> ir.Value:
        return self.b.extract_element(self.b.fcmp_ordered(">", x, y), index(0))
