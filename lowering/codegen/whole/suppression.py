"""What both ways to emit a non-maximum suppression are made of: columns of numbers, and loops over boxes."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ...machine import Isa
from .. import ir
from ..body import KernelBody
from ..elements import Operand, load_lanes, scalar_type, store_lanes
from ..intrinsics import call_intrinsic
from ..loop_nest import Values
from ..vectors import (
    I1,
    I32,
    I64,
    broadcast,
    byte_offset,
    index,
    lanes_of,
    loop_while,
    scaled,
    splat,
)

BOX, COORDINATE = 2, 3
"""Dimensions of the domain [row, class, box, coordinate]."""


@dataclass(frozen=True)
class Column:
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
        """The numbers of `lanes` boxes, from box i on."""
        return self._load(i, self.operand.strides[BOX], lanes)

    def repeated(self, i: ir.Value, lanes: int) -> ir.Value:
        """The number of box i in all lanes."""
        return self._load(i, 0, lanes)

    def _load(self, i: ir.Value, stride: int, lanes: int) -> ir.Value:
        return load_lanes(self.b, self.isa, self.at(i), self.operand.element, stride, lanes, lanes)

    def store(self, i: ir.Value, value: ir.Value) -> None:
        """Writes those of as many boxes as the vector has lanes, from box i on."""
        stride, lanes = self.operand.strides[BOX], lanes_of(value)
        store_lanes(self.b, self.isa, self.at(i), self.operand.element, stride, value, lanes)


class Suppression(ABC):
    """One class of one row."""

    def __init__(
        self,
        b: ir.IRBuilder,
        isa: Isa,
        body: KernelBody,
        sizes: Sequence[int],
        count: int,
        operands: Sequence[tuple[ir.Value, Operand]],
    ):
        self.b, self.isa, self.body, self.count = b, isa, body, count
        *_, self.size, self.width = sizes
        boxes, *columns, room = operands
        self.scores, self.taken, self.taken_scores, self.numbers, self.left_scores = (
            Column(b, isa, *each) for each in columns
        )
        self.boxes, self.room = self._coordinates(*boxes), self._coordinates(*room)
        self.element = scalar_type(self.scores.operand.element)

    def _coordinates(self, pointer: ir.Value, operand: Operand) -> list[Column]:
        step = operand.strides[COORDINATE] * operand.size
        pointers = [byte_offset(self.b, pointer, i * step) for i in range(self.width)]
        return [Column(self.b, self.isa, each, operand) for each in pointers]

    def emit(self) -> None:
        """Takes boxes; marks the places behind the last one as unused."""
        b = self.b

        def unused(carried: Values) -> ir.Value:
            return b.icmp_signed("<", carried[0], index(self.count))

        def fill(carried: Values) -> Values:
            self.taken.store(carried[0], splat(I32, 1, -1))
            self.taken_scores.store(carried[0], splat(self.element, 1, 0))
            return [b.add(carried[0], index(1))]

        loop_while(b, [self.take()], unused, fill)

    @abstractmethod
    def take(self) -> ir.Value:
        """Takes boxes, the best ones first; gives how many."""

    def begin(self, columns: Sequence[tuple[Column, Column]]) -> ir.Value:
        """
        Moves the numbers and scores of the boxes that take part to the front of their room, and those of further
        columns (to, from); gives how many there are.
        """
        b = self.b

        def vector(k: ir.Value, lanes: int, carried: Values) -> Values:
            def move(i: ir.Value, left: ir.Value) -> None:
                number = b.add(k, i)
                self.numbers.store(left, broadcast(b, b.trunc(number, I32), 1))
                for to, of in ((self.left_scores, self.scores), *columns):
                    to.store(left, of.load(number))

            stays = self.stays(self.scores.load(k, lanes))
            return [self.one_by_one(ir.Constant(I1, 1), stays, carried[0], move)]

        return self.over(index(self.size), [index(0)], vector)[0]

    def more(self, carried: Values) -> ir.Value:
        """Whether one more box can be taken, of so many taken and left."""
        taken, left = carried
        b = self.b
        room = b.icmp_signed("<", taken, index(self.count))
        return b.and_(room, b.icmp_signed(">", left, index(0)))

    def over(
        self,
        count: ir.Value,
        carried: Values,
        vector: Callable[[ir.Value, int, Values], Values],
    ) -> Values:
        """Whole vectors of `count` boxes, then those that are left over."""
        carried = [index(0), *carried]
        for lanes in (self.isa.lanes, 1):
            carried = self.vectors(lanes, count, carried, vector)
        return carried[1:]

    def vectors(
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

    def one_by_one(
        self,
        runs: ir.Value,
        stays: ir.Value,
        left: ir.Value,
        move: Callable[[ir.Value, ir.Value], None],
    ) -> ir.Value:
        """If it `runs`, moves each box whose lane stays behind `left` others; gives how many there are then."""
        b = self.b
        lanes = b.zext(self.bits(stays), I64)

        def more(carried: Values) -> ir.Value:
            return b.icmp_signed("!=", carried[0], index(0))

        def step(carried: Values) -> Values:
            lanes, left = carried
            arguments = [lanes, ir.Constant(I1, 1)]
            move(call_intrinsic(b, "llvm.cttz", I64, arguments, [I64]), left)
            return [b.and_(lanes, b.sub(lanes, index(1))), b.add(left, index(1))]

        return loop_while(b, [b.select(runs, lanes, index(0)), left], more, step)[1]

    def stays(self, scores: ir.Value) -> ir.Value:
        """Scores above minus infinity; NaN is none."""
        lowest = splat(self.element, lanes_of(scores), float("-inf"))
        return self.b.fcmp_ordered(">", scores, lowest)

    def bits(self, mask: ir.Value) -> ir.Value:
        return self.b.bitcast(mask, ir.IntType(lanes_of(mask)))
