"""
Emits the order of booleans: the numbers of those that come first, then of the others. They are counted, so that the
others have their place, and then written one by one, or by vectors where all elements of one are alike, or where an
instruction moves those of a kind to its front.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ...machine import Isa
from .. import ir
from ..elements import store_masked
from ..intrinsics import call_intrinsic
from ..loop_nest import Values
from ..vectors import (
    I1,
    I32,
    I64,
    broadcast,
    first_lanes,
    fold_lanes,
    index,
    leading_lanes,
    loop,
    scaled,
    zero,
)
from .order_memory import OrderMemory

COMPRESS = "llvm.experimental.vector.compress"
"""Moves the lanes whose mask is set to the front."""

Lanes = Callable[[ir.Value, int], ir.Value]
"""A function of a number and a count of lanes: a bit for each of so many elements from that number on."""


def leads_by(
    b: ir.IRBuilder, keys: Lanes, before: Callable[[ir.Value, ir.Value], ir.Value]
) -> Lanes:
    """Which elements come first, if `before` says whether one key is before another."""
    bits = [ir.Constant(ir.VectorType(I1, 1), [bit]) for bit in (0, 1)]
    true_first, false_first = before(bits[1], bits[0]), before(bits[0], bits[1])

    def leads(i: ir.Value, lanes: int) -> ir.Value:
        key, every = keys(i, lanes), first_lanes(lanes, lanes)
        otherwise = b.select(broadcast(b, false_first, lanes), b.xor(key, every), every)
        return b.select(broadcast(b, true_first, lanes), key, otherwise)

    return leads


@dataclass(frozen=True)
class Partition:
    """
    A row of `size` booleans, of which `count` are kept in `order`. So many `vectors` of it are written at once, the
    rest one by one. `leads` says which come first.
    """

    b: ir.IRBuilder
    isa: Isa
    leads: Lanes
    order: OrderMemory
    size: int
    count: int
    vectors: int

    def all(self) -> None:
        """Orders the row."""
        b, whole = self.b, self.vectors * self.isa.lanes
        rest, behind = self.size - whole, index(whole)
        placed = loop(b, self.vectors, [index(0), self._total(rest, behind)], self._place_vector)
        loop(b, rest, placed, lambda i, now: self._place(b.add(behind, i), now))

    def _total(self, rest: int, behind: ir.Value) -> ir.Value:
        """How many come first."""
        b, lanes = self.b, self.isa.lanes

        def count_vector(n: ir.Value, carried: Values) -> Values:
            found = self.leads(scaled(b, n, lanes), lanes)
            return [b.add(carried[0], b.zext(found, carried[0].type))]

        def count_one(i: ir.Value, carried: Values) -> Values:
            found = b.extract_element(self.leads(b.add(behind, i), 1), index(0))
            return [b.add(carried[0], b.zext(found, I64))]

        counts = loop(b, self.vectors, [zero(ir.VectorType(I32, lanes))], count_vector)
        total = b.zext(b.extract_element(fold_lanes(b, counts, b.add), index(0)), I64)
        (total,) = loop(b, rest, [total], count_one)
        return total

    def _place(self, i: ir.Value, carried: Values) -> Values:
        """Writes one number, if it is kept. What is carried is where the next one of each kind goes."""
        b, (first, second) = self.b, carried
        is_first = b.extract_element(self.leads(i, 1), index(0))
        target = b.select(is_first, first, second)
        if self.count == self.size:
            self.order.store(b, target, i)
        else:
            with b.if_then(b.icmp_signed("<", target, index(self.count))):
                self.order.store(b, target, i)
        step = b.zext(is_first, I64)
        return [b.add(first, step), b.add(second, b.sub(index(1), step))]

    def _place_vector(self, n: ir.Value, carried: Values) -> Values:
        """Writes the numbers of one vector."""
        b, lanes, (first, second) = self.b, self.isa.lanes, carried
        i, word = scaled(b, n, lanes), ir.IntType(lanes)
        mask = self.leads(i, lanes)
        found = b.bitcast(mask, word)
        none, every = (b.icmp_signed("==", found, ir.Constant(word, bits)) for bits in (0, -1))
        numbers = ir.Constant(ir.VectorType(I32, lanes), list(range(lanes)))
        numbers = b.add(numbers, broadcast(b, b.trunc(i, I32), lanes))
        leading = b.zext(call_intrinsic(b, "llvm.ctpop", word, [found], [word]), I64)
        others = b.sub(index(lanes), leading)
        with b.if_else(b.or_(none, every)) as (alike, mixed):
            with alike:
                b.store(numbers, self.order.at(b, b.select(none, second, first)), align=4)
            with mixed:
                if self.isa.has_evex:
                    rest = b.xor(mask, first_lanes(lanes, lanes))
                    self._compress(numbers, mask, first, leading)
                    self._compress(numbers, rest, second, others)
                else:
                    loop(b, lanes, carried, lambda j, now: self._place(b.add(i, j), now))
        return [b.add(first, leading), b.add(second, others)]

    def _compress(
        self, numbers: ir.Value, mask: ir.Value, place: ir.Value, count: ir.Value
    ) -> None:
        """Writes the numbers whose mask is set, so many, one behind the other."""
        arguments = [numbers, mask, zero(numbers.type)]
        pointer = self.order.at(self.b, place)
        kept = call_intrinsic(self.b, COMPRESS, numbers.type, arguments, [numbers.type])
        store_masked(self.b, pointer, kept, leading_lanes(self.b, self.isa.lanes, count))
