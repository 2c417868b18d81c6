"""The entry for streams anywhere: one call for each of a list of them, without Python in between."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ...calling_convention import (
    FIRST_SCATTERED,
    OF_FRAME,
    SCATTERED_ENTRY,
    STREAMS,
    WORD,
    Scattered,
    Streams,
)
from .. import ir
from ..vectors import I8, I64, POINTER, byte_offset, for_each, index, scaled
from .many_calls import emit_many_calls, word


def emit_scattered_entry(entry: ir.Function) -> None:
    """Emits it into the module that declares the entry."""
    emit_many_calls(entry, SCATTERED_ENTRY, _ScatteredPointers)


@dataclass(frozen=True)
class _ScatteredPointers:
    """Pointers that each call finds by the slot of its stream and the place of its frame, `count` of them."""

    b: ir.IRBuilder
    calls: ir.Value
    count: ir.Value

    def begin(self) -> None:
        """Before the first call: remembers what the tables hold."""

        def keep(base: ir.Value, place: ir.Value) -> None:
            self._store(base, "before", self.b.load(place, align=WORD, typ=I64))

        self._each(keep)

    def point(self, made: ir.Value) -> None:
        """Before a call: the tables take the addresses of its stream."""
        b, streams = self.b, self._streams
        slot, frame = (self._entry(each, made) for each in (streams.slots, streams.frames))
        half = b.zext(b.load(self._half(slot), align=1, typ=I8), I64)

        def point(base: ir.Value, place: ir.Value) -> None:
            first, step, part = (self._load(base, name) for name in ("first", "step", "part"))
            stored = b.add(slot, b.mul(b.xor(half, part), streams.room))
            number = b.select(b.icmp_signed("==", part, index(OF_FRAME)), frame, stored)
            b.store(b.add(first, b.mul(number, step)), place, align=WORD)

        self._each(point)

    def move(self, made: ir.Value) -> None:
        """After a call: its stream's values are in the other half."""
        b = self.b
        place = self._half(self._entry(self._streams.slots, made))
        half = b.load(place, align=1, typ=I8)
        b.store(b.xor(half, ir.Constant(I8, 1)), place, align=1)

    def put_back(self, made: ir.Value) -> None:
        """After the last call: the tables hold what they did."""

        def put_back(base: ir.Value, place: ir.Value) -> None:
            self.b.store(self._load(base, "before"), place, align=WORD)

        self._each(put_back)

    @property
    def _streams(self) -> Streams[ir.Value]:
        slots, frames, halves = (word(self.b, self.calls, STREAMS + n, POINTER) for n in range(3))
        return Streams(slots, frames, halves, word(self.b, self.calls, STREAMS + 3))

    def _entry(self, list: ir.Value, number: ir.Value) -> ir.Value:
        b = self.b
        return b.load(byte_offset(b, list, scaled(b, number, WORD)), align=WORD, typ=I64)

    def _half(self, slot: ir.Value) -> ir.Value:
        return byte_offset(self.b, self._streams.halves, slot)

    def _load(self, base: ir.Value, name: str) -> ir.Value:
        return word(self.b, base, Scattered._fields.index(name))

    def _store(self, base: ir.Value, name: str, value: ir.Value) -> None:
        place = byte_offset(self.b, base, Scattered._fields.index(name) * WORD)
        self.b.store(value, place, align=WORD)

    def _each(self, emit: Callable[[ir.Value, ir.Value], None]) -> None:
        """Emits code for each pointer, given where its words are, and where in its table it is."""
        b = self.b

        def one(i: ir.Value) -> None:
            base = byte_offset(b, self.calls, FIRST_SCATTERED * WORD)
            base = byte_offset(b, base, scaled(b, i, len(Scattered._fields) * WORD))
            emit(base, word(b, base, Scattered._fields.index("place"), POINTER))

        for_each(b, self.count, one)
