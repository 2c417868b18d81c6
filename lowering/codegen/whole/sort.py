"""
Emits `kernel.sort`: rows of elements, each in the order that the body says.

Few are kept by insertion: an element that is before the last one kept moves up to its place. All are sorted by
merging runs of 1, 2, 4, … from one buffer to the other, without branches on what is compared. Where many are kept of
many more, elements that are before the last one to be kept so far are collected; when there are twice as many as are to
be kept, these are sorted, and the first half stays. Booleans go behind what was counted before them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from xdsl.dialects.builtin import i1

from ....dialects.kernel import Access, SortOp
from ...machine import Isa
from .. import ir
from ..body import KernelBody, emit_body
from ..elements import Operand, load_lanes, memref, store_masked
from ..emitter import Emitter, Prologue
from ..intrinsics import call_intrinsic
from ..loop_nest import LoopNest, Values
from ..vectors import (
    I1,
    I32,
    I64,
    broadcast,
    byte_offset,
    first_lanes,
    fold_lanes,
    for_each,
    index,
    leading_lanes,
    loop,
    loop_while,
    scaled,
    zero,
)

COMPRESS = "llvm.experimental.vector.compress"
"""Moves the lanes whose mask is set to the front."""


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

    def emit_loops(self, prologue: Prologue) -> None:
        if 0 in (*self.rows, self.count):
            return
        b = prologue.b
        emission = _Emission(b, prologue.isa, self.operands, self)
        strides = [operand.strides for operand in self.operands]
        first = 0 if self.rows else None
        with prologue.partition.dividing(b, first, len(self.rows)) as partitions:
            emission.nested(prologue.pointers, self.rows, strides, partitions, emission.row)


@dataclass(frozen=True)
class _Order:
    """Indices of elements, in memory."""

    pointer: ir.Value
    step: ir.Value  # bytes between them

    def at(self, b: ir.IRBuilder, i: ir.Value) -> ir.Value:
        """The address of one."""
        return byte_offset(b, self.pointer, b.mul(i, self.step))

    def load(self, b: ir.IRBuilder, i: ir.Value) -> ir.Value:
        """One of them, as i64."""
        return b.zext(b.load(self.at(b, i), align=4, typ=I32), I64)

    def store(self, b: ir.IRBuilder, i: ir.Value, number: ir.Value) -> None:
        """Writes one of them."""
        b.store(b.trunc(number, I32), self.at(b, i), align=4)


@dataclass
class _Emission(LoopNest):
    kernel: SortKernel

    def row(self, pointers: Values) -> None:
        x, *made = pointers
        orders = [
            _Order(pointer, index(operand.strides[-1] * operand.size))
            for pointer, operand in zip(made, self.kernel.made, strict=True)
        ]
        if self.kernel.x.element == i1:
            self._partition(x, orders[0])
        elif len(orders) == 1:
            self._insert(x, orders[0])
        elif self.kernel.count < self.kernel.size:
            self._select(x, *orders)
        else:
            self._merge_all(x, *orders)

    def _key(self, x: ir.Value, number: ir.Value, lanes: int = 1) -> ir.Value:
        """The keys of `lanes` elements from this number on."""
        operand = self.kernel.x
        place = byte_offset(self.b, x, scaled(self.b, number, operand.strides[-1] * operand.size))
        return load_lanes(self.b, self.isa, place, operand.element, 1, lanes, lanes)

    def _before(self, left: ir.Value, right: ir.Value) -> ir.Value:
        (before,) = emit_body(self.b, self.isa, self.kernel.body, 1, [left, right])
        return self.b.extract_element(before, index(0))

    # --- booleans -----------------------------------------------------------------------

    def _leading(self, x: ir.Value) -> Callable[[ir.Value, int], ir.Value]:
        """
        A function of a number and a count of lanes: for each of so many elements from that number on, whether it is
        one of those that come first.
        """
        b = self.b
        bits = [ir.Constant(ir.VectorType(I1, 1), [bit]) for bit in (0, 1)]
        true_first, false_first = self._before(bits[1], bits[0]), self._before(bits[0], bits[1])

        def leads(i: ir.Value, lanes: int) -> ir.Value:
            key, every = self._key(x, i, lanes), first_lanes(lanes, lanes)
            otherwise = b.select(broadcast(b, false_first, lanes), b.xor(key, every), every)
            return b.select(broadcast(b, true_first, lanes), key, otherwise)

        return leads

    def _partition(self, x: ir.Value, order: _Order) -> None:
        """
        Those that come first in order, then the others in order: one by one, or by vectors where all elements of one
        are alike, or where an instruction moves those of a kind to its front.
        """
        b, size, lanes, leads = self.b, self.kernel.size, self.isa.lanes, self._leading(x)
        strides = [operand.strides[-1] for operand in self.operands]
        is_dense = strides == [1, 1] and self.kernel.count == size
        vectors = size // lanes if is_dense else 0
        rest, behind = size - vectors * lanes, index(vectors * lanes)

        def leads_alone(i: ir.Value) -> ir.Value:
            return b.zext(b.extract_element(leads(b.add(behind, i), 1), index(0)), I64)

        def count_vector(n: ir.Value, carried: Values) -> Values:
            found = leads(scaled(b, n, lanes), lanes)
            return [b.add(carried[0], b.zext(found, carried[0].type))]

        def place(i: ir.Value, carried: Values) -> Values:
            first, second = carried
            is_first = b.extract_element(leads(i, 1), index(0))
            target = b.select(is_first, first, second)
            if self.kernel.count == size:
                order.store(b, target, i)
            else:
                with b.if_then(b.icmp_signed("<", target, index(self.kernel.count))):
                    order.store(b, target, i)
            step = b.zext(is_first, I64)
            return [b.add(first, step), b.add(second, b.sub(index(1), step))]

        def place_vector(n: ir.Value, carried: Values) -> Values:
            first, second = carried
            i, word = scaled(b, n, lanes), ir.IntType(lanes)
            mask = leads(i, lanes)
            found = b.bitcast(mask, word)
            none, every = (b.icmp_signed("==", found, ir.Constant(word, bits)) for bits in (0, -1))
            numbers = ir.Constant(ir.VectorType(I32, lanes), list(range(lanes)))
            numbers = b.add(numbers, broadcast(b, b.trunc(i, I32), lanes))
            leading = b.zext(call_intrinsic(b, "llvm.ctpop", word, [found], [word]), I64)
            others = b.sub(index(lanes), leading)
            with b.if_else(b.or_(none, every)) as (alike, mixed):
                with alike:
                    b.store(numbers, order.at(b, b.select(none, second, first)), align=4)
                with mixed:
                    if self.isa.has_evex:
                        rest = b.xor(mask, first_lanes(lanes, lanes))
                        self._compress(numbers, mask, order.at(b, first), leading)
                        self._compress(numbers, rest, order.at(b, second), others)
                    else:
                        loop(b, lanes, carried, lambda j, now: place(b.add(i, j), now))
            return [b.add(first, leading), b.add(second, others)]

        counts = loop(b, vectors, [zero(ir.VectorType(I32, lanes))], count_vector)
        total = b.zext(b.extract_element(fold_lanes(b, counts, b.add), index(0)), I64)
        (total,) = loop(b, rest, [total], lambda i, now: [b.add(now[0], leads_alone(i))])
        placed = loop(b, vectors, [index(0), total], place_vector)
        loop(b, rest, placed, lambda i, now: place(b.add(behind, i), now))

    def _compress(
        self, numbers: ir.Value, mask: ir.Value, pointer: ir.Value, count: ir.Value
    ) -> None:
        """Stores the lanes whose mask is set, so many, one behind the other."""
        arguments = [numbers, mask, zero(numbers.type)]
        kept = call_intrinsic(self.b, COMPRESS, numbers.type, arguments, [numbers.type])
        store_masked(self.b, pointer, kept, leading_lanes(self.b, self.isa.lanes, count))

    # --- by insertion -----------------------------------------------------------------------

    def _insert(self, x: ir.Value, order: _Order) -> None:
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

    def _insert_one(self, x: ir.Value, order: _Order, number: ir.Value, place: ir.Value) -> None:
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

    def _select(self, x: ir.Value, order: _Order, room: _Order) -> None:
        """
        Collects elements in one half of the room, and sorts them there and in the other half. Elements that are not
        before the last one to be kept come behind it, since they have greater numbers.
        """
        b, count = self.b, self.kernel.count
        most, step = index(2 * count), room.step
        other = _Order(byte_offset(b, room.pointer, b.mul(most, step)), step)

        def is_full(carried: Values) -> ir.Value:
            return b.icmp_signed("==", carried[2], most)

        def halve(carried: Values) -> Values:
            source, target, found, _ = carried
            kept, free = self._sort(x, found, _Order(source, step), _Order(target, step))
            last = kept.load(b, index(count - 1))
            return [kept.pointer, free.pointer, index(count), last]

        def collect(i: ir.Value, carried: Values) -> Values:
            source, target, found, last = carried
            _Order(source, step).store(b, found, i)
            is_first = b.icmp_signed("<", last, index(0))
            at = b.select(is_first, index(0), last)
            wins = b.or_(is_first, self._before(self._key(x, i), self._key(x, at)))
            found = b.add(found, b.zext(wins, I64))
            return loop_while(b, [source, target, found, last], is_full, halve)

        carried = [room.pointer, other.pointer, index(0), index(-1)]
        source, target, found, _ = loop(b, self.kernel.size, carried, collect)
        kept, _ = self._sort(x, found, _Order(source, step), _Order(target, step))

        def keep(i: ir.Value) -> None:
            order.store(b, i, kept.load(b, i))

        def clear(i: ir.Value) -> None:
            room.store(b, i, index(0))

        for_each(b, count, keep)
        for_each(b, 2 * 2 * count, clear)

    # --- by merging -------------------------------------------------------------------------

    def _merge_all(self, x: ir.Value, order: _Order, room: _Order) -> None:
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
        self, x: ir.Value, size: ir.Value, source: _Order, target: _Order
    ) -> tuple[_Order, _Order]:
        """Sorts the first elements of `source`, by way of `target`. Returns the sorted buffer, and the other."""
        b = self.b

        def unsorted(carried: Values) -> ir.Value:
            return b.icmp_signed("<", carried[0], size)

        def merge_runs(carried: Values) -> Values:
            width, pointer, step, other, other_step = carried
            self._merge_runs(x, width, size, _Order(pointer, step), _Order(other, other_step))
            return [b.add(width, width), other, other_step, pointer, step]

        carried = [index(1), source.pointer, source.step, target.pointer, target.step]
        _, *sorted, pointer, step = loop_while(b, carried, unsorted, merge_runs)
        return _Order(*sorted), _Order(pointer, step)

    def _merge_runs(
        self, x: ir.Value, width: ir.Value, size: ir.Value, source: _Order, target: _Order
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
        source: _Order,
        target: _Order,
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
