"""Calls of a program one after the other, without Python in between: for frames of a signal, or windows of streams."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from ...lowering.calling_convention import ARENA, CALLS_LEFT, FIRST_MOVING, WORD, Moving
from ..aligned_buffers import Table, table_of

if TYPE_CHECKING:
    from ..native import NativeProgram


WORDS = len(Moving._fields)
FIRST = FIRST_MOVING + Moving._fields.index("first")

MOST_PREFETCHED = 4096
"""Bytes of an input that are asked for one call ahead; where frames are longer, kernels ask for their operands."""


class Pointer(NamedTuple):
    """
    An address in a table, and the bytes that it moves on after each call. An input is prefetched one call ahead. The
    last call's data may be copied to where the pointer was before.
    """

    table: Table
    place: int
    step: int
    is_input: bool = False
    is_copied: bool = False


class CallsInARow:
    """Calls of a program with this frame, between which these pointers move on."""

    def __init__(self, program: NativeProgram, frame: Table, moving: Sequence[Pointer]):
        self._program, self._frame = program, frame
        self._count = len(moving)
        words = [
            word
            for pointer in moving
            for word in Moving(
                place=ctypes.addressof(pointer.table) + WORD * pointer.place,
                first=0,
                step=pointer.step,
                prefetched=min(pointer.step, MOST_PREFETCHED) if pointer.is_input else 0,
                copied=pointer.step if pointer.is_copied else 0,
            )
        ]
        self._sequence = table_of((ctypes.addressof(frame), 0, self._count, *words))
        self._address = ctypes.addressof(self._sequence)

    def run(self, count: int, first: Sequence[int]) -> tuple[int, int]:
        """
        Makes so many calls, the first with the pointers at these addresses. Returns how many were made, and the status.
        Afterwards, the pointers are where they were before.
        """
        assert len(first) == self._count
        program, frame, sequence = self._program, self._frame, self._sequence
        sequence[CALLS_LEFT] = count
        for number, address in enumerate(first):
            sequence[FIRST + WORDS * number] = address
        arena, before = program.take_arena(), frame[ARENA]
        frame[ARENA] = arena.address
        try:
            status = program.call_sequence(self._address)
        finally:
            frame[ARENA] = before
            program.spare_arenas.append(arena)
        return count - sequence[CALLS_LEFT], status
