"""The entry for a sequence: one call for each of many frames of a signal, without Python in between."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ...calling_convention import FIRST_MOVING, SEQUENCE_ENTRY, WORD, Moving
from ...machine import CACHE_LINE
from .. import ir
from ..vectors import (
    FIRST_LEVEL,
    I8,
    I64,
    POINTER,
    byte_offset,
    for_each,
    index,
    prefetch_line,
    scaled,
)
from .many_calls import emit_many_calls, word


def _prefetch(b: ir.IRBuilder, first: ir.Value, nbytes: ir.Value) -> None:
    """Prefetches so many bytes, line by line."""
    lines = b.udiv(b.add(nbytes, index(CACHE_LINE - 1)), index(CACHE_LINE))

    def line(i: ir.Value) -> None:
        prefetch_line(b, byte_offset(b, first, scaled(b, i, CACHE_LINE)), FIRST_LEVEL)

    for_each(b, lines, line)


def _copy(b: ir.IRBuilder, source: ir.Value, target: ir.Value, nbytes: ir.Value) -> None:
    """Copies words, then the bytes that remain."""
    words = b.lshr(nbytes, index(3))

    def copied(typ: ir.Type, size: int, skipped: ir.Value) -> Callable[[ir.Value], None]:
        def element(i: ir.Value) -> None:
            offset = b.add(skipped, scaled(b, i, size))
            value = b.load(byte_offset(b, source, offset), align=1, typ=typ)
            b.store(value, byte_offset(b, target, offset), align=1)

        return element

    for_each(b, words, copied(I64, WORD, index(0)))
    rest = b.and_(nbytes, index(WORD - 1))
    for_each(b, rest, copied(I8, 1, scaled(b, words, WORD)))


def emit_sequence_entry(entry: ir.Function) -> None:
    """Emits it into the module that declares the entry."""
    emit_many_calls(entry, SEQUENCE_ENTRY, _MovingPointers)


@dataclass(frozen=True)
class _MovingPointers:
    """The entries of the frame's table that go on to the next frame of the signal with each call, `count` of them."""

    b: ir.IRBuilder
    sequence: ir.Value
    count: ir.Value

    def begin(self) -> None:
        """Before the first call: the table takes the address of the first frame."""
        self._each(self._exchange)

    def point(self, made: ir.Value) -> None:
        """Nothing: `begin` and `move` have done it."""

    def move(self, made: ir.Value) -> None:
        """After a call: each entry moves by a step, and what the call after the next one reads is prefetched."""
        b = self.b

        def move(base: ir.Value, moving: Moving[ir.Value], found: ir.Value) -> None:
            moved = b.add(found, moving.step)
            b.store(moved, moving.place, align=WORD)
            _prefetch(b, b.inttoptr(b.add(moved, moving.step), POINTER), moving.prefetched)

        self._each(move)

    def put_back(self, made: ir.Value) -> None:
        """After the last call: the table is as it was, and what it pointed to holds the last frame, if any."""
        b = self.b
        has_run = b.icmp_signed(">", made, index(0))

        def put_back(base: ir.Value, moving: Moving[ir.Value], found: ir.Value) -> None:
            with b.if_then(has_run):
                last, before = b.sub(found, moving.step), moving.first
                _copy(b, b.inttoptr(last, POINTER), b.inttoptr(before, POINTER), moving.copied)
            self._exchange(base, moving, found)

        self._each(put_back)

    def _each(self, emit: Callable[[ir.Value, Moving[ir.Value], ir.Value], None]) -> None:
        """Emits code for each pointer, given where its words are, these, and the current entry of the table."""
        b = self.b

        def one(i: ir.Value) -> None:
            base = byte_offset(b, self.sequence, FIRST_MOVING * WORD)
            base = byte_offset(b, base, scaled(b, i, len(Moving._fields) * WORD))
            place, *others = (
                word(b, base, n, POINTER if n == 0 else I64) for n in range(len(Moving._fields))
            )
            emit(base, Moving(place, *others), b.load(place, align=WORD, typ=I64))

        for_each(b, self.count, one)

    def _exchange(self, base: ir.Value, moving: Moving[ir.Value], found: ir.Value) -> None:
        """Exchanges the table's entry and `first`, which then holds what the table did."""
        first = byte_offset(self.b, base, Moving._fields.index("first") * WORD)
        self.b.store(found, first, align=WORD)
        self.b.store(moving.first, moving.place, align=WORD)
