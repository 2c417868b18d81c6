"""The entry for a sequence: one call for each of many frames of a signal, without Python in between."""

from __future__ import annotations

from llvmlite import ir

from ..calling_convention import (
    CALLS_LEFT,
    CANCEL,
    CANCELLED,
    CONTEXT,
    DONE,
    FIRST_MOVING,
    FRAME_OF_CALLS,
    MOVING,
    SEQUENCE_ENTRY,
    WORD,
)
from ..machine import CACHE_LINE
from .vectors import FIRST_LEVEL, I32, I64, POINTER, byte_offset, index, loop, prefetch_line, scaled

MOST_PREFETCHED = 4096
"""Bytes of a frame that are asked for one call ahead; where frames are longer, kernels ask for their operands."""


def _prefetch_frame(b: ir.IRBuilder, frame: ir.Value, nbytes: ir.Value) -> None:
    """
    Asks for the frame after the next, while the next is computed: a whole signal is in no cache. Where a pointer moves
    backwards, in steps that are huge without a sign, for as much as is asked for at most.
    """
    most = index(MOST_PREFETCHED)
    room = b.select(b.icmp_unsigned("<", nbytes, most), nbytes, most)
    lines = b.udiv(b.add(room, index(CACHE_LINE - 1)), index(CACHE_LINE))

    def line(i: ir.Value, carried: list[ir.Value]) -> list[ir.Value]:
        prefetch_line(b, byte_offset(b, frame, scaled(b, i, CACHE_LINE)), FIRST_LEVEL)
        return carried

    loop(b, lines, [], line)


def emit_sequence_entry(entry: ir.Function) -> None:
    """In the module that declares the entry."""
    function = ir.Function(entry.module, ir.FunctionType(I32, [POINTER]), SEQUENCE_ENTRY)
    b = ir.IRBuilder(function.append_basic_block())
    sequence = function.args[0]

    def word(base: ir.Value, place: int, typ: ir.Type = I64) -> ir.Value:
        return b.load(byte_offset(b, base, place * WORD), align=WORD, typ=typ)

    frame = word(sequence, FRAME_OF_CALLS, POINTER)
    context = word(frame, CONTEXT, POINTER)
    count = word(sequence, MOVING)
    left = byte_offset(b, sequence, CALLS_LEFT * WORD)
    test, call, after, move = (b.append_basic_block() for _ in range(4))
    done, cancelled, failed = (b.append_basic_block() for _ in range(3))

    b.branch(test)
    b.position_at_end(test)
    remaining = b.load(left, align=WORD, typ=I64)
    b.cbranch(b.icmp_signed(">", remaining, index(0)), call, done)

    b.position_at_end(call)
    asked = b.load_atomic(
        byte_offset(b, context, CANCEL * WORD), ordering="monotonic", align=WORD, typ=I64
    )
    b.cbranch(b.icmp_signed("==", asked, index(0)), after, cancelled)

    b.position_at_end(after)
    status = b.call(entry, [frame])
    b.cbranch(b.icmp_signed("==", status, ir.Constant(I32, DONE)), move, failed)

    b.position_at_end(move)
    b.store(b.sub(remaining, index(1)), left, align=WORD)

    def move_pointer(i: ir.Value, carried: list[ir.Value]) -> list[ir.Value]:
        pair = byte_offset(b, sequence, FIRST_MOVING * WORD)
        pair = byte_offset(b, pair, scaled(b, i, 2 * WORD))
        place, step = b.load(pair, align=WORD, typ=POINTER), word(pair, 1)
        moved = b.add(b.load(place, align=WORD, typ=I64), step)
        b.store(moved, place, align=WORD)
        _prefetch_frame(b, b.inttoptr(b.add(moved, step), POINTER), step)
        return carried

    loop(b, count, [], move_pointer)
    b.branch(test)

    for block, result in ((done, DONE), (cancelled, CANCELLED)):
        b.position_at_end(block)
        b.ret(ir.Constant(I32, result))
    b.position_at_end(failed)
    b.ret(status)
