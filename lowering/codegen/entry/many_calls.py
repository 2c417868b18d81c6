"""Many calls of a program's entry, without Python in between: their loop, whatever its pointers are."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from ...calling_convention import (
    CALLS_LEFT,
    CANCEL,
    CANCELLED,
    CONTEXT,
    DONE,
    FRAME_OF_CALLS,
    MOVING,
    WORD,
)
from .. import ir
from ..vectors import I32, I64, POINTER, byte_offset, index


class Pointers(Protocol):
    """The entries of the frame's tables that are others in each call."""

    def begin(self) -> None:
        """Emits what is before the first call."""

    def point(self, made: ir.Value) -> None:
        """Emits what is before each call, once so many are made."""

    def move(self, made: ir.Value) -> None:
        """Emits what is after a call that succeeded, as so many had before it."""

    def put_back(self, made: ir.Value) -> None:
        """Emits what is after the last call, when so many are made."""


PointersOf = Callable[[ir.IRBuilder, ir.Value, ir.Value], Pointers]
"""The pointers of calls: these are at an address, and have so many pointers."""


def emit_many_calls(entry: ir.Function, symbol: str, pointers_of: PointersOf) -> None:
    """Emits calls until there are as many as wanted, one does not succeed, or the context asks to stop."""
    function = ir.Function(entry.module, ir.FunctionType(I32, [POINTER]), symbol)
    b = ir.IRBuilder(function.append_basic_block())
    (calls,) = function.args
    frame = word(b, calls, FRAME_OF_CALLS, POINTER)
    context = word(b, frame, CONTEXT, POINTER)
    pointers = pointers_of(b, calls, word(b, calls, MOVING))
    left = byte_offset(b, calls, CALLS_LEFT * WORD)
    wanted = b.load(left, align=WORD, typ=I64)

    test, call, after, moved, ended = (b.append_basic_block() for _ in range(5))
    pointers.begin()
    before = b.block
    b.branch(test)
    b.position_at_end(test)
    made, done = b.phi(I64), ir.Constant(I32, DONE)
    made.add_incoming(index(0), before)
    b.cbranch(b.icmp_signed("<", made, wanted), call, ended)

    b.position_at_end(call)
    asked = b.load_atomic(byte_offset(b, context, CANCEL * WORD), align=WORD, typ=I64)
    b.cbranch(b.icmp_signed("==", asked, index(0)), after, ended)

    b.position_at_end(after)
    pointers.point(made)
    status = b.call(entry, [frame])
    called = b.block
    b.cbranch(b.icmp_signed("==", status, done), moved, ended)

    b.position_at_end(moved)
    pointers.move(made)
    made.add_incoming(b.add(made, index(1)), b.block)
    b.branch(test)

    b.position_at_end(ended)
    result = b.phi(I32)
    for value, block in ((done, test), (ir.Constant(I32, CANCELLED), call), (status, called)):
        result.add_incoming(value, block)
    b.store(b.sub(wanted, made), left, align=WORD)
    pointers.put_back(made)
    b.ret(result)


def word(b: ir.IRBuilder, base: ir.Value, place: int, typ: ir.Type = I64) -> ir.Value:
    """The word at this place behind an address."""
    return b.load(byte_offset(b, base, place * WORD), align=WORD, typ=typ)
