"""
Emits `kernel.non_max_suppression`: the best remaining box is selected, again and again.

Remaining boxes are stored without gaps, their coordinates too, so that whole vectors of them are loaded. A sweep over
them computes new scores and removes suppressed boxes: a vector moves as a whole where all of its boxes stay, else one
box after the other. So each sweep takes less time, as fewer boxes remain.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ....dialects.kernel import Access, NonMaxSuppressionOp, Term
from ...machine import Isa
from .. import ir
from ..body import KernelBody, emit_body
from ..elements import Operand, load_lanes, memref, scalar_type, store_lanes
from ..emitter import Emitter, Prologue
from ..loop_nest import LoopNest, Values
from ..vectors import (
    I32,
    I64,
    broadcast,
    byte_offset,
    fold_lanes,
    index,
    lanes_of,
    loop_while,
    scaled,
    splat,
)

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
class _Column:
    """One number of each box: elements of an operand."""

    b: ir.IRBuilder
    isa: Isa
    pointer: ir.Value
    operand: Operand

    def at(self, i: ir.Value) -> ir.Value:
        """The address of the number of box i."""
        step = self.operand.strides[BOX] * self.operand.size
        return byte_offset(self.b, self.pointer, scaled(self.b, i, step))

    def load(self, i: ir.Value, lanes: int = 1) -> ir.Value:
        """Those of `lanes` boxes, from box i on."""
        return self._load(i, self.operand.strides[BOX], lanes)

    def repeated(self, i: ir.Value, lanes: int) -> ir.Value:
        """That of box i in all lanes."""
        return self._load(i, 0, lanes)

    def _load(self, i: ir.Value, stride: int, lanes: int) -> ir.Value:
        return load_lanes(self.b, self.isa, self.at(i), self.operand.element, stride, lanes, lanes)

    def store(self, i: ir.Value, value: ir.Value) -> None:
        """Writes those of as many boxes as the vector has lanes, from box i on."""
        stride, lanes = self.operand.strides[BOX], lanes_of(value)
        store_lanes(self.b, self.isa, self.at(i), self.operand.element, stride, value, lanes)


class _Suppression:
    """One class of one row."""

    def __init__(
        self, b: ir.IRBuilder, isa: Isa, kernel: NonMaxSuppressionKernel, pointers: Values
    ):
        self.b, self.isa, self.kernel = b, isa, kernel
        boxes, *columns, left_boxes = zip(pointers, kernel.operands, strict=True)
        self.scores, self.taken, self.taken_scores, self.numbers, self.left_scores = (
            _Column(b, isa, *each) for each in columns
        )
        self.boxes, self.left_boxes = self._coordinates(*boxes), self._coordinates(*left_boxes)
        self.element = scalar_type(kernel.operands[1].element)

    def _coordinates(self, pointer: ir.Value, operand: Operand) -> list[_Column]:
        step = operand.strides[COORDINATE] * operand.size
        pointers = [byte_offset(self.b, pointer, i * step) for i in range(self.kernel.sizes[-1])]
        return [_Column(self.b, self.isa, each, operand) for each in pointers]

    def emit(self) -> None:
        b, limit = self.b, index(self.kernel.count)

        def more(carried: Values) -> ir.Value:
            taken, left = carried
            return b.and_(b.icmp_signed("<", taken, limit), b.icmp_signed(">", left, index(0)))

        def take(carried: Values) -> Values:
            taken, left = carried
            place = self._best(left)
            self.taken.store(taken, self.numbers.load(place))
            self.taken_scores.store(taken, self.left_scores.load(place))
            return [b.add(taken, index(1)), self._rescore(left, place)]

        taken, _ = loop_while(b, [index(0), self._begin()], more, take)

        def unused(carried: Values) -> ir.Value:
            return b.icmp_signed("<", carried[0], limit)

        def fill(carried: Values) -> Values:
            self.taken.store(carried[0], splat(I32, 1, -1))
            self.taken_scores.store(carried[0], splat(self.element, 1, 0))
            return [b.add(carried[0], index(1))]

        loop_while(b, [taken], unused, fill)

    def _begin(self) -> ir.Value:
        """Moves the boxes that take part to the front of the room; gives their number."""

        def vector(k: ir.Value, lanes: int, carried: Values) -> Values:
            stays = self._stays(self.scores.load(k, lanes))
            some = b.icmp_signed("!=", self._bits(stays), ir.Constant(ir.IntType(lanes), 0))

            def move(i: ir.Value, left: ir.Value) -> None:
                number = b.add(k, i)
                self.numbers.store(left, broadcast(b, b.trunc(number, I32), 1))
                self.left_scores.store(left, self.scores.load(number))
                for to, of in zip(self.left_boxes, self.boxes, strict=True):
                    to.store(left, of.load(number))

            return [self._one_by_one(some, stays, carried[0], move)]

        b = self.b
        return self._over(index(self.kernel.sizes[BOX]), [index(0)], vector)[0]

    def _rescore(self, count: ir.Value, place: ir.Value) -> ir.Value:
        """Computes new scores, and removes the box at `place` and all suppressed ones; gives the number of the rest."""
        b = self.b
        taken = {
            lanes: [column.repeated(place, lanes) for column in self.left_boxes]
            for lanes in (self.isa.lanes, 1)
        }

        def vector(k: ir.Value, lanes: int, carried: Values) -> Values:
            (left,) = carried
            number, old = self.numbers.load(k, lanes), self.left_scores.load(k, lanes)
            boxes = [column.load(k, lanes) for column in self.left_boxes]
            arguments = [old, *taken[lanes], *boxes]
            (new,) = emit_body(b, self.isa, self.kernel.body, lanes, arguments)
            is_taken = b.icmp_signed("==", self._places(k, lanes), broadcast(b, place, lanes))
            new = b.select(is_taken, splat(self.element, lanes, float("-inf")), new)
            stays = self._stays(new)
            all_stay = b.icmp_signed("==", self._bits(stays), ir.Constant(ir.IntType(lanes), -1))
            columns = (self.numbers, self.left_scores, *self.left_boxes)
            with b.if_then(all_stay):
                for column, value in zip(columns, (number, new, *boxes), strict=True):
                    column.store(left, value)

            def move(i: ir.Value, left: ir.Value) -> None:
                self.left_scores.store(left, broadcast(b, b.extract_element(new, i), 1))
                for column in (self.numbers, *self.left_boxes):
                    column.store(left, column.load(b.add(k, i)))

            moved = self._one_by_one(b.not_(all_stay), stays, left, move)
            return [b.select(all_stay, b.add(left, index(lanes)), moved)]

        return self._over(count, [index(0)], vector)[0]

    def _best(self, count: ir.Value) -> ir.Value:
        """The place of the greatest score; of equal ones the first."""
        b, lanes = self.b, self.isa.lanes

        def vector(k: ir.Value, lanes: int, carried: Values) -> Values:
            best, places = carried
            score = self.left_scores.load(k, lanes)
            wins = b.fcmp_ordered(">", score, best)
            return [b.select(wins, score, best), b.select(wins, self._places(k, lanes), places)]

        def better(x: ir.Value, y: ir.Value) -> ir.Value:
            return b.select(b.fcmp_ordered(">", y, x), y, x)

        def first(x: ir.Value, y: ir.Value) -> ir.Value:
            return b.select(b.icmp_signed("<", x, y), x, y)

        lowest = splat(self.element, lanes, float("-inf"))
        none = splat(I64, lanes, 0)
        whole, best, places = self._vectors(lanes, count, [index(0), lowest, none], vector)
        most = fold_lanes(b, [best], better)
        is_most = b.fcmp_ordered("==", best, broadcast(b, b.extract_element(most, index(0)), lanes))
        candidates = b.select(is_most, places, broadcast(b, count, lanes))
        place = fold_lanes(b, [candidates], first)
        *_, place = self._vectors(1, count, [whole, most, place], vector)
        return b.extract_element(place, index(0))

    def _over(
        self,
        count: ir.Value,
        carried: Values,
        vector: Callable[[ir.Value, int, Values], Values],
    ) -> Values:
        """Whole vectors of `count` boxes, then those that are left over."""
        carried = [index(0), *carried]
        for lanes in (self.isa.lanes, 1):
            carried = self._vectors(lanes, count, carried, vector)
        return carried[1:]

    def _vectors(
        self,
        lanes: int,
        count: ir.Value,
        carried: Values,
        vector: Callable[[ir.Value, int, Values], Values],
    ) -> Values:
        """Emits `vector` for so many boxes at a time, from the first of the carried values on."""
        b = self.b

        def more(carried: Values) -> ir.Value:
            return b.icmp_signed("<=", b.add(carried[0], index(lanes)), count)

        def step(carried: Values) -> Values:
            k, *others = carried
            return [b.add(k, index(lanes)), *vector(k, lanes, others)]

        return loop_while(b, carried, more, step)

    def _one_by_one(
        self,
        runs: ir.Value,
        stays: ir.Value,
        left: ir.Value,
        move: Callable[[ir.Value, ir.Value], None],
    ) -> ir.Value:
        """If it `runs`, moves each box whose lane stays behind `left` others; gives how many there are then."""
        b = self.b
        end = b.select(runs, index(lanes_of(stays)), index(0))

        def more(carried: Values) -> ir.Value:
            return b.icmp_signed("<", carried[0], end)

        def step(carried: Values) -> Values:
            i, left = carried
            one_stays = b.extract_element(stays, i)
            with b.if_then(one_stays):
                move(i, left)
            return [b.add(i, index(1)), b.add(left, b.zext(one_stays, I64))]

        return loop_while(b, [index(0), left], more, step)[1]

    def _stays(self, scores: ir.Value) -> ir.Value:
        """Scores above minus infinity; NaN is none."""
        lowest = splat(self.element, lanes_of(scores), float("-inf"))
        return self.b.fcmp_ordered(">", scores, lowest)

    def _bits(self, mask: ir.Value) -> ir.Value:
        return self.b.bitcast(mask, ir.IntType(lanes_of(mask)))

    def _places(self, k: ir.Value, lanes: int) -> ir.Value:
        numbers = ir.Constant(ir.VectorType(I64, lanes), list(range(lanes)))
        return self.b.add(broadcast(self.b, k, lanes), numbers)
