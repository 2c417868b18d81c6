"""Calls of a program one after the other, without Python in between: for frames of a signal, or for streams."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from ...lowering.calling_convention import (
    ARENA,
    CALLS_LEFT,
    FIRST_MOVING,
    FIRST_SCATTERED,
    HERE,
    OF_FRAME,
    STREAMS,
    THERE,
    WORD,
    Moving,
    Scattered,
    Streams,
)
from ..aligned_buffers import Table, table_of

if TYPE_CHECKING:
    from ..native import NativeProgram


WORDS = len(Moving._fields)
FIRST = FIRST_MOVING + Moving._fields.index("first")

MOST_PREFETCHED = 4096
"""Bytes of an input that are asked for one call ahead; where frames are longer, kernels ask for their operands."""


class Pointer(NamedTuple):
    """
    An address in a table, and the bytes that it moves on after each of calls in a row. An input is prefetched one call
    ahead. The last call's data may be copied to where the pointer was before.
    """

    table: Table
    place: int
    step: int
    is_input: bool = False
    is_copied: bool = False


class _Calls:
    """Calls of a program with this frame. `words` are behind those that all such calls have."""

    def __init__(self, program: NativeProgram, frame: Table, count: int, words: Sequence[int]):
        self._program, self._frame, self._count = program, frame, count
        self._table = table_of((ctypes.addressof(frame), 0, count, *words))
        self._address = ctypes.addressof(self._table)

    def _make(self, native: Callable[[int], int], count: int) -> tuple[int, int]:
        """Makes so many calls. Returns how many were made, and the status."""
        program, frame, table = self._program, self._frame, self._table
        table[CALLS_LEFT] = count
        arena, before = program.take_arena(), frame[ARENA]
        frame[ARENA] = arena.address
        try:
            status = native(self._address)
        finally:
            frame[ARENA] = before
            program.spare_arenas.append(arena)
        return count - table[CALLS_LEFT], status


class CallsInARow(_Calls):
    """Calls between which these pointers move on."""

    def __init__(self, program: NativeProgram, frame: Table, moving: Sequence[Pointer]):
        words = [
            word
            for pointer in moving
            for word in Moving(
                place=_place(pointer),
                first=0,
                step=pointer.step,
                prefetched=min(pointer.step, MOST_PREFETCHED) if pointer.is_input else 0,
                copied=pointer.step if pointer.is_copied else 0,
            )
        ]
        super().__init__(program, frame, len(moving), words)

    def run(self, count: int, first: Sequence[int]) -> tuple[int, int]:
        """
        Makes so many calls, the first with the pointers at these addresses. Returns how many were made, and the status.
        Afterwards, the pointers are where they were before.
        """
        assert len(first) == self._count
        for number, address in enumerate(first):
            self._table[FIRST + WORDS * number] = address
        return self._make(self._program.call_sequence, count)


class ScatteredCalls(_Calls):
    """
    Calls for streams anywhere. `states` are pointers to the two values of each state, one after the other, and where in
    memory the first values lie, as far apart as pointers move on; `of_frames` point to something of each frame.
    """

    def __init__(
        self,
        program: NativeProgram,
        frame: Table,
        states: Sequence[tuple[Pointer, int]],
        of_frames: Sequence[Pointer],
    ):
        parts = (
            (pointer, first, (HERE, THERE)[n % 2]) for n, (pointer, first) in enumerate(states)
        )
        pointers = [*parts, *((pointer, 0, OF_FRAME) for pointer in of_frames)]
        words = [
            word
            for pointer, first, part in pointers
            for word in Scattered(_place(pointer), first, pointer.step, part, before=0)
        ]
        self._streams = Streams(0, 0, 0, 0)
        super().__init__(program, frame, len(pointers), [*self._streams, *words])
        first = FIRST_SCATTERED + Scattered._fields.index("first")
        self._of_frames = range(first, len(self._table), len(Scattered._fields))[len(states) :]

    def run(self, count: int, streams: Streams[int], of_frames: Sequence[int]) -> tuple[int, int]:
        """
        Makes a call for each of so many streams, with these addresses for the first frame. Returns how many were made,
        and the status. Afterwards, the pointers are where they were before.
        """
        table = self._table
        if streams is not self._streams:
            table[STREAMS:FIRST_SCATTERED] = self._streams = streams
        for place, address in zip(self._of_frames, of_frames, strict=True):
            table[place] = address
        return self._make(self._program.call_scattered, count)


def _place(pointer: Pointer) -> int:
    return ctypes.addressof(pointer.table) + WORD * pointer.place
