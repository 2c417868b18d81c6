"""
Emits `kernel.sort`: rows of elements, each in the order that the body says.

Few are kept by insertion: an element that is before the last one kept moves up to its place. All are sorted by
merging runs of 1, 2, 4, … from one buffer to the other, without branches on what is compared. Where many are kept of
many more, elements that are before the last one to be kept so far are collected; when there are twice as many as are to
be kept, these are sorted, and the first half stays. Booleans are divided (`partition`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from xdsl.dialects.builtin import i1

from ....dialects.kernel import Access, SortOp
from ...machine import Isa
from .. import ir
from ..body import KernelBody, emit_body
from ..elements import Operand, load_lanes, memref
from ..emitter import Emitter, Prologue
from ..loop_nest import LoopNest, Values
from ..vectors import (
    I64,
    byte_offset,
    for_each,
    index,
    loop,
    loop_while,
    scaled,
)
from .order_memory import OrderMemory
from .partition import Partition, leads_by


@dataclass(frozen=True)
class SortKernel(Emitter):
    """What of a sort decides its machine code; equal ones share a function."""

    rows: tuple[int, ...]
    size: int
    count: int  # elements that are kept
    x: Operand
    made: tuple[Operand, ...]  # the order, and room for merging
    body: KernelBody

    @classmethod
    def of(cls, op: SortOp, isa: Isa) -> SortKernel:
        """The kernel of an operation on planned memory."""
        x, *made = (memref(value) for value in (*op.ins, *op.outs))
        *rows, size = x.get_shape()
        access = Access.identity(len(rows) + 1)
        return cls(
            tuple(rows),
            size,
            made[0].get_shape()[-1],
            Operand.of(x, access),
            tuple(Operand.of(one, access) for one in made),
            KernelBody.of(op.body),
        )

    @property
    def operands(self) -> tuple[Operand, ...]:
        """All operands, in order."""
        return (self.x, *self.made)

    @property
    def algorithm(self) -> Literal["partition", "insertion", "selection", "merging"]:
        """How a row is sorted: booleans are divided; others without room for merging are inserted."""
        if self.x.element == i1:
            return "partition"
        if len(self.made) == 1:
            return "insertion"
        return "selection" if self.count < self.size else "merging"

    def vectors(self, lanes: int) -> int:
        """How many whole vectors of a row are divided at once: if all booleans are kept and lie side by side."""
        is_dense = all(operand.strides[-1] == 1 for operand in self.operands)
        return self.size // lanes if is_dense and self.count == self.size else 0

    def emit_loops(self, prologue: Prologue) -> None:
        if 0 in (*self.rows, self.count):
            return
        b = prologue.b
        emission = _Emission(b, prologue.isa, self.operands, self)
        strides = [operand.strides for operand in self.operands]
        first = 0 if self.rows else None
        with prologue.partition.dividing(b, first, len(self.rows)) as partitions:
            emission.nested(prologue.pointers, self.rows, strides, partitions, emission.row)


@dataclass
class _Emission(LoopNest):
    kernel: SortKernel

    def row(self, pointers: Values) -> None:
        x, *made = pointers
        orders = [
            OrderMemory(pointer, index(operand.strides[-1] * operand.size))
            for pointer, operand in zip(made, self.kernel.made, strict=True)
        ]
        match self.kernel.algorithm:
            case "partition":
                self._partition(x, *orders)
            case "insertion":
                self._insert(x, *orders)
            case "selection":
                self._select(x, *orders)
            case "merging":
                self._merge_all(x, *orders)

    def _partition(self, x: ir.Value, order: OrderMemory) -> None:
        def keys(number: ir.Value, lanes: int) -> ir.Value:
            return self._key(x, number, lanes)

        size, count = self.kernel.size, self.kernel.count
        leads, vectors = leads_by(self.b, keys, self._before), self.kernel.vectors(self.isa.lanes)
        Partition(self.b, self.isa, leads, order, size, count, vectors).all()

    def _key(self, x: ir.Value, number: ir.Value, lanes: int = 1) -> ir.Value:
        """The keys of `lanes` elements from this number on."""
        operand = self.kernel.x
        place = byte_offset(self.b, x, scaled(self.b, number, operand.strides[-1] * operand.size))
        return load_lanes(self.b, self.isa, place, operand.element, 1, lanes, lanes)

    def _before(self, left: ir.Value, right: ir.Value) -> ir.Value:
        (before,) = emit_body(self.b, self.isa, self.kernel.body, 1, [left, right])
        return self.b.extract_element(before, index(0))

    # --- by insertion -----------------------------------------------------------------------

    def _insert(self, x: ir.Value, order: OrderMemory) -> None:
        b, last = self.b, index(self.kernel.count - 1)

        def keep_first(i: ir.Value) -> None:
            self._insert_one(x, order, i, i)

        def keep(i: ir.Value) -> None:
            number = b.add(i, index(self.kernel.count))
            wins = self._before(self._key(x, number), self._key(x, order.load(b, last)))
            with b.if_then(wins):
                self._insert_one(x, order, number, last)

        for_each(b, self.kernel.count, keep_first)
        for_each(b, self.kernel.size - self.kernel.count, keep)

    def _insert_one(
        self, x: ir.Value, order: OrderMemory, number: ir.Value, place: ir.Value
    ) -> None:
        """Inserts an element, which moves from `place` before all elements that it precedes."""
        b, key = self.b, self._key(x, number)

        def above(at: ir.Value) -> ir.Value:
            return b.select(b.icmp_signed(">", at, index(0)), b.sub(at, index(1)), index(0))

        def moves(carried: Values) -> ir.Value:
            (at,) = carried
            other = self._key(x, order.load(b, above(at)))
            return b.and_(b.icmp_signed(">", at, index(0)), self._before(key, other))

        def move(carried: Values) -> Values:
            (at,) = carried
            order.store(b, at, order.load(b, above(at)))
            return [above(at)]

        # nothing is read of an order that is empty
        order.store(b, place, number)
        (found,) = loop_while(b, [place], moves, move)
        order.store(b, found, number)

    # --- by selecting -----------------------------------------------------------------------

    def _select(self, x: ir.Value, order: OrderMemory, room: OrderMemory) -> None:
        """
        Collects elements in one half of the room, and sorts them there and in the other half. Elements that are not
        before the last one to be kept come behind it, since they have greater numbers.
        """
        b, count = self.b, self.kernel.count
        most, step = index(2 * count), room.step
        other = OrderMemory(byte_offset(b, room.pointer, b.mul(most, step)), step)

        def is_full(carried: Values) -> ir.Value:
            return b.icmp_signed("==", carried[2], most)

        def halve(carried: Values) -> Values:
            source, target, found, _ = carried
            kept, free = self._sort(x, found, OrderMemory(source, step), OrderMemory(target, step))
            last = kept.load(b, index(count - 1))
            return [kept.pointer, free.pointer, index(count), last]

        def collect(i: ir.Value, carried: Values) -> Values:
            source, target, found, last = carried
            OrderMemory(source, step).store(b, found, i)
            is_first = b.icmp_signed("<", last, index(0))
            at = b.select(is_first, index(0), last)
            wins = b.or_(is_first, self._before(self._key(x, i), self._key(x, at)))
            found = b.add(found, b.zext(wins, I64))
            return loop_while(b, [source, target, found, last], is_full, halve)

        carried = [room.pointer, other.pointer, index(0), index(-1)]
        source, target, found, _ = loop(b, self.kernel.size, carried, collect)
        kept, _ = self._sort(x, found, OrderMemory(source, step), OrderMemory(target, step))

        def keep(i: ir.Value) -> None:
            order.store(b, i, kept.load(b, i))

        def clear(i: ir.Value) -> None:
            room.store(b, i, index(0))

        for_each(b, count, keep)
        for_each(b, 2 * 2 * count, clear)

    # --- by merging -------------------------------------------------------------------------

    def _merge_all(self, x: ir.Value, order: OrderMemory, room: OrderMemory) -> None:
        """Merges runs of each width from one buffer to the other, such that the last runs go to the order."""
        b, size = self.b, self.kernel.size
        passes = (size - 1).bit_length()
        source, target = (room, order) if passes % 2 else (order, room)

        def number(i: ir.Value) -> None:
            source.store(b, i, i)
            if not passes:
                target.store(b, i, i)

        for_each(b, size, number)

        self._sort(x, index(size), source, target)

    def _sort(
        self, x: ir.Value, size: ir.Value, source: OrderMemory, target: OrderMemory
    ) -> tuple[OrderMemory, OrderMemory]:
        """Sorts the first elements of `source`, by way of `target`. Returns the sorted buffer, and the other."""
        b = self.b

        def unsorted(carried: Values) -> ir.Value:
            return b.icmp_signed("<", carried[0], size)

        def merge_runs(carried: Values) -> Values:
            width, pointer, step, other, other_step = carried
            self._merge_runs(
                x, width, size, OrderMemory(pointer, step), OrderMemory(other, other_step)
            )
            return [b.add(width, width), other, other_step, pointer, step]

        carried = [index(1), source.pointer, source.step, target.pointer, target.step]
        _, *sorted, pointer, step = loop_while(b, carried, unsorted, merge_runs)
        return OrderMemory(*sorted), OrderMemory(pointer, step)

    def _merge_runs(
        self, x: ir.Value, width: ir.Value, size: ir.Value, source: OrderMemory, target: OrderMemory
    ) -> None:
        b = self.b

        def more(carried: Values) -> ir.Value:
            return b.icmp_signed("<", carried[0], size)

        def merge(carried: Values) -> Values:
            (low,) = carried
            middle = b.smin(b.add(low, width), size)
            high = b.smin(b.add(middle, width), size)
            self._merge(x, source, target, low, middle, high)
            return [high]

        loop_while(b, [index(0)], more, merge)

    def _merge(
        self,
        x: ir.Value,
        source: OrderMemory,
        target: OrderMemory,
        low: ir.Value,
        middle: ir.Value,
        high: ir.Value,
    ) -> None:
        """Merges two runs into one. Of equal elements, those of the first run come first."""
        b, one = self.b, index(1)

        def more(carried: Values) -> ir.Value:
            return b.icmp_signed("<", carried[0], high)

        def take(carried: Values) -> Values:
            place, left, right = carried
            first = source.load(b, b.smin(left, b.sub(middle, one)))
            second = source.load(b, b.smin(right, b.sub(high, one)))
            wins = self._before(self._key(x, second), self._key(x, first))
            behind = b.icmp_signed(">=", left, middle)
            ahead = b.icmp_signed("<", right, high)
            takes_right = b.and_(ahead, b.or_(behind, wins))
            target.store(b, place, b.select(takes_right, second, first))
            step = b.zext(takes_right, I64)
            return [b.add(place, one), b.add(left, b.sub(one, step)), b.add(right, step)]

        loop_while(b, [low, low, middle], more, take)
