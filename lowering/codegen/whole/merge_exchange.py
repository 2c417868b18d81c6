"""
Sorts lines side by side by Batcher's merge exchange (Knuth, The Art of Computer Programming 3, 5.2.2, algorithm M):
which elements are compared does not depend on their values, so that each vector has an element of each line.
"""

from __future__ import annotations

from dataclasses import dataclass

from .. import ir
from ..intrinsics import call_intrinsic
from ..loop_nest import Values
from ..vectors import I64, byte_offset, for_each, index, loop_while, scaled

WORD_BYTES = 8


@dataclass(frozen=True)
class MergeExchange:
    """`size` vectors of words of 64 bits, one for each of `lanes`, to be sorted up in place."""

    b: ir.IRBuilder
    words: ir.Value
    size: int
    lanes: int

    def emit(self) -> None:
        """Sorts all of them."""
        b = self.b
        first = 1 << (self.size - 1).bit_length() - 1

        def merge(carried: Values) -> Values:
            (p,) = carried
            passes = [p, index(first), index(0)]
            loop_while(b, passes, is_left, lambda now: self._pass(p, *now))
            return [b.lshr(p, index(1))]

        def is_left(carried: Values) -> ir.Value:
            return b.icmp_signed(">", carried[0], index(0))

        loop_while(b, [index(first)], is_left, merge)

    def place(self, i: ir.Value) -> ir.Value:
        """The address of a vector."""
        return byte_offset(self.b, self.words, scaled(self.b, i, self.lanes * WORD_BYTES))

    @property
    def type(self) -> ir.VectorType:
        """A vector of words."""
        return ir.VectorType(I64, self.lanes)

    def _pass(self, p: ir.Value, distance: ir.Value, q: ir.Value, rest: ir.Value) -> Values:
        """
        Compares vectors i, of which `i & p` is `rest`, with those `distance` behind. Gives what the next pass takes.
        """
        b = self.b
        end, step = b.sub(index(self.size), distance), b.add(p, p)

        def block(carried: Values) -> Values:
            (start,) = carried
            count = b.smin(b.sub(end, start), p)
            for_each(b, count, lambda j: self._exchange(b.add(start, j), distance), runs=True)
            return [b.add(start, step)]

        loop_while(b, [rest], lambda carried: b.icmp_signed("<", carried[0], end), block)
        return [b.sub(q, p), b.lshr(q, index(1)), p]

    def _exchange(self, i: ir.Value, distance: ir.Value) -> None:
        """Leaves the lesser words of two vectors in the first one."""
        b, type = self.b, self.type
        places = self.place(i), self.place(b.add(i, distance))
        pair = [b.load(place, align=WORD_BYTES, typ=type) for place in places]
        for name, place in zip(("smin", "smax"), places, strict=True):
            kept = call_intrinsic(b, f"llvm.{name}", type, pair, [type])
            b.store(kept, place, align=WORD_BYTES)
