"""
Emits orders of lines side by side, a lane for each line. Where few elements are kept, vectors have the first keys and
numbers so far; else words, a key before its number, are all sorted in scratch memory.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .. import ir
from ..body import KernelBody, emit_body
from ..elements import load_lanes, store_raw
from ..loop_nest import LoopNest, Values
from ..vectors import I32, I64, broadcast, byte_offset, for_each, index, loop, scaled, splat
from ..work_partition import Partition
from .merge_exchange import WORD_BYTES, MergeExchange

KEY_BITS = 32


@dataclass
class OrderOfLines(LoopNest):
    """Lines along the second of three dimensions, of which `count` numbers are kept."""

    shape: Sequence[int]
    count: int
    body: KernelBody
    partition: Partition
    scratch: ir.Value | None

    def all(self, pointers: Values) -> None:
        outer, _, inner = self.shape
        lanes = self.isa.lanes
        whole, rest = divmod(inner, lanes)
        strides = [operand.strides[:1] for operand in self.operands]
        width = [operand.strides[2] * lanes for operand in self.operands]
        divided = int(outer < whole)

        def vectors(at: Values) -> None:
            part = partitions[1].of(self.b, whole)
            self.each(at, width, part, lambda here: self._vector(here, lanes))
            if rest:
                with partitions[1].at_end(self.b):
                    behind = self.advance(at, index(whole), width)
                    self._vector(behind, rest)

        with self.partition.dividing(self.b, divided, 2) as partitions:
            self.nested(pointers, [outer], strides, partitions, vectors)

    def _vector(self, pointers: Values, active: int) -> None:
        if self.scratch is None:
            self._insert(pointers, active)
        else:
            self._sort(pointers, active, self.scratch)

    def _sort(self, pointers: Values, active: int, scratch: ir.Value) -> None:
        """All elements are sorted."""
        b, isa, operand = self.b, self.isa, self.operands[1]
        x, order = pointers
        network = MergeExchange(b, scratch, self.shape[1], isa.lanes)

        def fill(i: ir.Value) -> None:
            key, number = (b.sext(each, network.type) for each in self._entry(x, i, active))
            word = b.or_(b.shl(key, splat(I64, isa.lanes, KEY_BITS)), number)
            b.store(word, network.place(i), align=WORD_BYTES)

        def keep(i: ir.Value) -> None:
            word = b.load(network.place(i), align=WORD_BYTES, typ=network.type)
            number = b.trunc(word, ir.VectorType(I32, isa.lanes))
            place = byte_offset(b, order, scaled(b, i, operand.strides[1] * operand.size))
            store_raw(b, isa, place, operand.element, operand.strides[2], number, active)

        for_each(b, self.shape[1], fill)
        network.emit()
        for_each(b, self.count, keep)

    def _insert(self, pointers: Values, active: int) -> None:
        """The first `count` elements are all kept, later ones where they are before others."""
        b, count, operand = self.b, self.count, self.operands[1]
        x, order = pointers
        kept: list[_Entry] = []
        for i in range(count):
            kept = self._inserted(kept, self._entry(x, index(i), active))

        def next_one(i: ir.Value, carried: Values) -> Values:
            there = [*zip(carried[:count], carried[count:], strict=True)]
            new = self._entry(x, b.add(i, index(count)), active)
            return _flat(self._inserted(there, new)[:count])

        found = loop(b, self.shape[1] - count, _flat(kept), next_one)
        for j, number in enumerate(found[count:]):
            place = byte_offset(b, order, j * operand.strides[1] * operand.size)
            store_raw(b, self.isa, place, operand.element, operand.strides[2], number, active)

    def _entry(self, x: ir.Value, i: ir.Value, active: int) -> _Entry:
        """The key and the number of an element of each line."""
        b, lanes, operand = self.b, self.isa.lanes, self.operands[0]
        place = byte_offset(b, x, scaled(b, i, operand.strides[1] * operand.size))
        element = load_lanes(b, self.isa, place, operand.element, operand.strides[2], lanes, active)
        (key,) = emit_body(b, self.isa, self.body, lanes, [element])
        return key, broadcast(b, b.trunc(i, I32), lanes)

    def _inserted(self, kept: Sequence[_Entry], new: _Entry) -> list[_Entry]:
        """With one more at its place: those that it is before move back, equal ones stay before it."""
        b = self.b
        wins = [b.icmp_signed("<", new[0], key) for key, _ in kept]

        def either(condition: ir.Value, left: _Entry, right: _Entry) -> _Entry:
            return b.select(condition, left[0], right[0]), b.select(condition, left[1], right[1])

        pushed = [either(*each, new) for each in zip(wins, kept, strict=True)]
        behind = zip(wins, [new, *pushed], kept, strict=False)
        return [*(either(*each) for each in behind), pushed[-1] if pushed else new]


_Entry = tuple[ir.Value, ir.Value]


def _flat(kept: Sequence[_Entry]) -> Values:
    """All keys, then all numbers."""
    return [*(key for key, _ in kept), *(number for _, number in kept)]
