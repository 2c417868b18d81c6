"""
Emits `kernel.order`: the numbers of elements, by their keys.

Of a row, the greatest key to be kept is found digit by digit, by counting how many keys are below. Of a long row, this
is done for the least keys of some groups; what is not greater than that is collected, and searched in turn. What is
kept becomes words, a key before its number, which are merged in runs of 1, 2, 4, … from one half of the room to the
other, from both ends at once and without branches. Lines are ordered by `order_lanes`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ....dialects.kernel import Access, OrderOp
from ...machine import Isa
from .. import ir
from ..body import KernelBody, emit_body
from ..elements import Operand, load_lanes, load_raw, memref, store_raw
from ..emitter import Emitter, Prologue
from ..intrinsics import call_intrinsic
from ..loop_nest import LoopNest, Values
from ..schedule.order import MOST_INSERTED, Sample
from ..vectors import (
    I1,
    I32,
    I64,
    broadcast,
    byte_offset,
    first_lanes,
    for_each,
    index,
    loop,
    loop_while,
    scaled,
    splat,
    zero,
)
from .merge_exchange import WORD_BYTES
from .order_lanes import KEY_BITS, OrderOfLines

LEAST, GREATEST = -(2**31), 2**31 - 1
DIGIT_BITS = 2
"""Of a key, which are decided at once."""

GREATEST_WORD = 2**63 - 1


@dataclass(frozen=True)
class OrderKernel(Emitter):
    """What of an order decides its machine code; equal ones share a function."""

    shape: tuple[int, ...]
    count: int  # elements that are kept
    x: Operand
    made: tuple[Operand, ...]  # the order, and room for keys and words
    body: KernelBody
    scratch: int = 0  # bytes
    sample: Sample | None = None  # of a row

    @classmethod
    def of(cls, op: OrderOp, isa: Isa) -> OrderKernel:
        """The kernel of an operation on planned memory."""
        x, *made = (memref(value) for value in (*op.ins, *op.outs))
        shape = tuple(x.get_shape())
        words = shape[1] * isa.lanes * WORD_BYTES
        is_row = len(shape) == 2
        is_sorted = not is_row and op.count > MOST_INSERTED
        sample = Sample.choose(shape[1], op.count) if is_row else None
        return cls(
            shape,
            op.count,
            Operand.of(x, Access.identity(len(x.get_shape()))),
            tuple(Operand.of(one, Access.identity(len(one.get_shape()))) for one in made),
            KernelBody.of(op.body),
            words if is_sorted else sample.keys * KEY_BITS // 8 if sample else 0,
            sample,
        )

    @property
    def scratch_bytes(self) -> int:
        return self.scratch

    @property
    def operands(self) -> tuple[Operand, ...]:
        """All operands, in order."""
        return (self.x, *self.made)

    def emit_loops(self, prologue: Prologue) -> None:
        if 0 in (*self.shape, self.count):
            return
        b, isa, operands = prologue.b, prologue.isa, self.operands
        if len(self.shape) > 2:
            lines = OrderOfLines(
                b,
                isa,
                operands,
                self.shape,
                self.count,
                self.body,
                prologue.partition,
                prologue.scratch,
            )
            lines.all(prologue.pointers)
            return
        rows = _Rows(b, isa, operands, self, prologue.scratch)
        with prologue.partition.dividing(b, 0, 1) as partitions:
            strides = [operand.strides[:1] for operand in operands]
            rows.nested(prologue.pointers, self.shape[:1], strides, partitions, rows.row)


_OfVector = Callable[[ir.Value, int, Values], Sequence[ir.Value]]
"""Emits what becomes of a vector: of its first number, how many there are, and what is carried."""


@dataclass(frozen=True)
class _Keys:
    """So many keys in memory; their numbers are those of their places, unless they lie there, too."""

    place: ir.Value
    count: int
    numbers: ir.Value | None = None


@dataclass
class _Rows(LoopNest):
    kernel: OrderKernel
    scratch: ir.Value | None

    def row(self, pointers: Values) -> None:
        b, kernel = self.b, self.kernel
        x, order, keys, words = pointers
        self._make_keys(x, keys)
        of_row = _Keys(keys, kernel.shape[1])
        if kernel.sample is not None:
            self._select_sampled(of_row, words, kernel.sample)
        elif kernel.count < kernel.shape[1]:
            self._select(of_row, words)
        else:
            self._take_all(keys, words)
        room = 1 << (kernel.count - 1).bit_length()
        self._fill(words, index(kernel.count), room - kernel.count, GREATEST_WORD)
        sorted = self._sort(words, room)
        step = kernel.made[0].strides[-1] * kernel.made[0].size

        def keep(i: ir.Value) -> None:
            number = b.trunc(self._word(sorted, i), I32)
            b.store(number, byte_offset(b, order, scaled(b, i, step)), align=4)

        for_each(b, kernel.count, keep)
        self._fill(words, index(0), 2 * room, 0)

    # --- keys -------------------------------------------------------------------------------

    def _make_keys(self, x: ir.Value, keys: ir.Value) -> None:
        operand, room = self.kernel.x, self.kernel.made[1]
        step = operand.strides[-1]

        def make(first: ir.Value, active: int, carried: Values) -> Values:
            b, isa, lanes = self.b, self.isa, self.isa.lanes
            place = byte_offset(b, x, scaled(b, first, step * operand.size))
            element = load_lanes(b, isa, place, operand.element, step, lanes, active)
            (key,) = emit_body(b, isa, self.kernel.body, lanes, [element])
            store_raw(b, isa, self._key_place(keys, first), room.element, 1, key, active)
            return []

        self._each_vector(self.kernel.shape[1], [], make)

    def _each_vector(self, count: int, carried: Values, emit: _OfVector) -> Values:
        """Whole vectors of so many elements, then a part of one."""
        b, lanes = self.b, self.isa.lanes
        whole, rest = divmod(count, lanes)
        found = loop(b, whole, carried, lambda i, now: emit(scaled(b, i, lanes), lanes, now))
        return list(emit(index(whole * lanes), rest, found)) if rest else found

    def _key_place(self, keys: ir.Value, i: ir.Value) -> ir.Value:
        return byte_offset(self.b, keys, scaled(self.b, i, KEY_BITS // 8))

    def _keys(self, keys: _Keys, first: ir.Value, active: int) -> ir.Value:
        """A vector of keys; behind the last one, the greatest."""
        b, lanes, element = self.b, self.isa.lanes, self.kernel.made[1].element
        found = load_raw(b, self._key_place(keys.place, first), element, 1, lanes, active)
        if active == lanes:
            return found
        return b.select(first_lanes(lanes, active), found, splat(I32, lanes, GREATEST))

    # --- selecting --------------------------------------------------------------------------

    def _below(self, keys: _Keys, limits: Values) -> Values:
        """How many keys are less than each limit."""
        b, lanes = self.b, self.isa.lanes
        wide, words = [broadcast(b, limit, lanes) for limit in limits], ir.VectorType(I32, lanes)

        def count(first: ir.Value, active: int, carried: Values) -> Values:
            found = self._keys(keys, first, active)
            below = [b.icmp_signed("<", found, limit) for limit in wide]
            one = splat(I32, lanes, 1)
            return [
                b.select(each, b.add(n, one), n) for n, each in zip(carried, below, strict=True)
            ]

        totals = self._each_vector(keys.count, [zero(words)] * len(limits), count)
        return [call_intrinsic(b, "llvm.vector.reduce.add", I32, [n], [words]) for n in totals]

    def _limit(self, keys: _Keys) -> ir.Value:
        """The greatest key to be kept: the greatest number that fewer than `count` keys are below."""
        b, kept = self.b, ir.Constant(I32, self.kernel.count)

        def decide(i: ir.Value, carried: Values) -> Values:
            (limit,) = carried
            shift = b.sub(
                ir.Constant(I32, KEY_BITS - DIGIT_BITS), b.trunc(scaled(b, i, DIGIT_BITS), I32)
            )
            digits = [ir.Constant(I32, digit) for digit in range(1, 1 << DIGIT_BITS)]
            tried = [b.add(limit, b.shl(digit, shift)) for digit in digits]
            for each, below in zip(tried, self._below(keys, tried), strict=True):
                limit = b.select(b.icmp_signed("<", below, kept), each, limit)
            return [limit]

        (limit,) = loop(b, KEY_BITS // DIGIT_BITS, [ir.Constant(I32, LEAST)], decide)
        return limit

    def _select(self, keys: _Keys, words: ir.Value) -> None:
        """Words of all keys below the limit, and of as many of the first equal to it as are left."""
        b, lanes = self.b, self.isa.lanes
        limit = self._limit(keys)
        left = b.sub(ir.Constant(I32, self.kernel.count), self._below(keys, [limit])[0])

        def vector(first: ir.Value, active: int, carried: Values) -> Values:
            found = self._keys(keys, first, active)
            there = b.icmp_signed("<=", found, broadcast(b, limit, lanes))
            if active < lanes:
                there = b.and_(there, first_lanes(lanes, active))
            mask = b.zext(b.bitcast(there, ir.IntType(lanes)), I64)

            def take(now: Values) -> Values:
                mask, place, left = now
                lane = call_intrinsic(b, "llvm.cttz", I64, [mask, ir.Constant(I1, 1)], [I64])
                number = b.add(first, lane)
                key = b.load(self._key_place(keys.place, number), align=4, typ=I32)
                if keys.numbers is not None:
                    there = b.load(self._key_place(keys.numbers, number), align=4, typ=I32)
                    number = b.zext(there, I64)
                self._put(words, place, key, number)
                is_equal = b.icmp_signed("==", key, limit)
                is_over = b.and_(is_equal, b.icmp_signed("==", left, ir.Constant(I32, 0)))
                rest = b.sub(left, b.zext(b.xor(is_equal, is_over), I32))
                others = b.and_(mask, b.sub(mask, index(1)))
                return [others, b.add(place, b.zext(b.not_(is_over), I64)), rest]

            def any_left(now: Values) -> ir.Value:
                return b.icmp_signed("!=", now[0], index(0))

            return loop_while(b, [mask, *carried], any_left, take)[1:]

        self._each_vector(keys.count, [index(0), left], vector)

    # --- selecting from a sample ------------------------------------------------------------

    def _select_sampled(self, keys: _Keys, words: ir.Value, sample: Sample) -> None:
        """As `_select`: all that may be kept is collected first, if there is room for it."""
        b, scratch = self.b, self.scratch
        assert scratch is not None
        least = _Keys(scratch, sample.groups)
        found, numbers = (
            self._key_place(scratch, index(sample.groups + n * sample.room)) for n in (0, 1)
        )
        collected = _Keys(found, sample.room, numbers)
        self._make_least(keys, least)
        count = self._collect(keys, self._limit(least), collected)
        with b.if_else(b.icmp_signed("<", count, index(sample.room))) as (few, many):
            with few:
                self._select(collected, words)
            with many:
                self._select(keys, words)

    def _make_least(self, keys: _Keys, least: _Keys) -> None:
        """The least key of each group: those a multiple of the number of groups apart. Some at the end are in none."""
        b, lanes, element = self.b, self.isa.lanes, self.kernel.made[1].element
        vectors, rows = Sample.VECTORS, keys.count // least.count

        def block(number: ir.Value) -> None:
            places = [
                b.add(scaled(b, number, vectors * lanes), index(v * lanes)) for v in range(vectors)
            ]

            def row(i: ir.Value, carried: Values) -> Values:
                begin = scaled(b, i, least.count)
                now = [
                    load_raw(
                        b, self._key_place(keys.place, b.add(begin, at)), element, 1, lanes, lanes
                    )
                    for at in places
                ]
                pairs = zip(now, carried, strict=True)
                return [b.select(b.icmp_signed("<", x, y), x, y) for x, y in pairs]

            found = loop(b, rows, [splat(I32, lanes, GREATEST)] * vectors, row)
            for at, value in zip(places, found, strict=True):
                store_raw(b, self.isa, self._key_place(least.place, at), element, 1, value, lanes)

        for_each(b, least.count // (vectors * lanes), block)

    def _collect(self, keys: _Keys, limit: ir.Value, target: _Keys) -> ir.Value:
        """
        Keys that are not above the limit, in order, with their numbers; gives how many there are, or as many as there
        is room for. Behind them are the greatest keys.
        """
        b, lanes, (room, numbers) = self.b, self.isa.lanes, (target.count, target.numbers)
        assert numbers is not None
        element, wide = self.kernel.made[1].element, broadcast(b, limit, lanes)

        def clear(i: ir.Value) -> None:
            greatest = splat(I32, lanes, GREATEST)
            place = self._key_place(target.place, scaled(b, i, lanes))
            store_raw(b, self.isa, place, element, 1, greatest, lanes)

        def vector(first: ir.Value, active: int, carried: Values) -> Values:
            there = b.icmp_signed("<=", self._keys(keys, first, active), wide)
            if active < lanes:
                there = b.and_(there, first_lanes(lanes, active))
            mask = b.zext(b.bitcast(there, ir.IntType(lanes)), I64)

            def take(now: Values) -> Values:
                mask, place = now
                lane = call_intrinsic(b, "llvm.cttz", I64, [mask, ir.Constant(I1, 1)], [I64])
                number = b.add(first, lane)
                key = b.load(self._key_place(keys.place, number), align=4, typ=I32)
                b.store(key, self._key_place(target.place, place), align=4)
                b.store(b.trunc(number, I32), self._key_place(numbers, place), align=4)
                return [b.and_(mask, b.sub(mask, index(1))), b.add(place, index(1))]

            def any_left(now: Values) -> ir.Value:
                mask, place = now
                is_room = b.icmp_signed("<", place, index(room))
                return b.and_(b.icmp_signed("!=", mask, index(0)), is_room)

            return loop_while(b, [mask, *carried], any_left, take)[1:]

        for_each(b, room // lanes, clear)
        return self._each_vector(keys.count, [index(0)], vector)[0]

    def _take_all(self, keys: ir.Value, words: ir.Value) -> None:
        def take(i: ir.Value) -> None:
            self._put(words, i, self.b.load(self._key_place(keys, i), align=4, typ=I32), i)

        for_each(self.b, self.kernel.count, take)

    # --- words ------------------------------------------------------------------------------

    def _word_place(self, words: ir.Value, i: ir.Value) -> ir.Value:
        return byte_offset(self.b, words, scaled(self.b, i, WORD_BYTES))

    def _word(self, words: ir.Value, i: ir.Value) -> ir.Value:
        return self.b.load(self._word_place(words, i), align=WORD_BYTES, typ=I64)

    def _put(self, words: ir.Value, place: ir.Value, key: ir.Value, number: ir.Value) -> None:
        b = self.b
        word = b.or_(b.shl(b.sext(key, I64), index(KEY_BITS)), number)
        b.store(word, self._word_place(words, place), align=WORD_BYTES)

    def _fill(self, words: ir.Value, first: ir.Value, count: int, number: int) -> None:
        def put(i: ir.Value) -> None:
            place = self._word_place(words, self.b.add(first, i))
            self.b.store(index(number), place, align=WORD_BYTES)

        for_each(self.b, count, put)

    def _sort(self, words: ir.Value, room: int) -> ir.Value:
        """Sorts a power of two words; gives the half of the room where they lie then."""
        b = self.b

        def merge_runs(i: ir.Value, carried: Values) -> Values:
            width, source, target = carried
            pairs = b.udiv(index(room // 2), width)

            def pair(p: ir.Value) -> None:
                first = b.mul(p, b.add(width, width))
                self._merge(width, self._word_place(source, first), self._word_place(target, first))

            for_each(b, pairs, pair)
            return [b.add(width, width), target, source]

        other = self._word_place(words, index(room))
        _, sorted, _ = loop(b, room.bit_length() - 1, [index(1), words, other], merge_runs)
        return sorted

    def _merge(self, width: ir.Value, source: ir.Value, target: ir.Value) -> None:
        """Merges two runs of this width that lie side by side: the lesser half from the front, the rest from behind."""
        b, one = self.b, index(1)
        last = b.sub(b.add(width, width), one)

        def take(i: ir.Value, carried: Values) -> Values:
            left, right, left_end, right_end = carried
            low, high = self._word(source, left), self._word(source, right)
            takes_right = b.icmp_signed("<", high, low)
            least = b.select(takes_right, high, low)
            b.store(least, self._word_place(target, i), align=WORD_BYTES)
            low, high = self._word(source, left_end), self._word(source, right_end)
            takes_left = b.icmp_signed("<", high, low)
            greatest = b.select(takes_left, low, high)
            b.store(greatest, self._word_place(target, b.sub(last, i)), align=WORD_BYTES)
            forward, back = b.zext(takes_right, I64), b.zext(takes_left, I64)
            return [
                b.add(left, b.sub(one, forward)),
                b.add(right, forward),
                b.sub(left_end, back),
                b.sub(right_end, b.sub(one, back)),
            ]

        begins = [index(0), width, b.sub(width, one), last]
        loop(b, width, begins, take, runs=True)
