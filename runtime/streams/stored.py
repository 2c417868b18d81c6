"""Where the states of many streams lie, so that those of neighbours need not move to share a call."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ...lowering.calling_convention import Streams
from ..aligned_buffers import address_of, buffer_of
from .plan import BATCH_SIZES, plan

if TYPE_CHECKING:
    from ..aligned_buffers import Array
    from .plan import Costs, Singles, SlotWindow, Step

MOST_PLANS = 64
"""The number of plans that are kept, for sets of streams that take turns."""


class Stored:
    """
    The states of many streams, and which streams have set theirs. There is room for two values of each: a call reads
    one and writes the other, and `half` says which of them is a stream's. `arrays` has them one after the other.
    """

    def __init__(self, capacity: int, rows: Sequence[tuple[tuple[int, ...], np.dtype[Any]]]):
        self._room = -(-capacity // BATCH_SIZES[-1]) * BATCH_SIZES[-1]
        self.arrays = [buffer_of((2 * self._room, *shape), dtype) for shape, dtype in rows]
        self.half = np.zeros(self._room, np.uint8)
        self.is_set = np.zeros(self._room, bool)
        self._plans: dict[bytes, list[Step]] = {}
        self.planned: tuple[Array, list[Step]] | None = None
        """The last slots, and their plan, until states are set or reset."""
        self._half_address = address_of(self.half)
        self.strides = [(address_of(array), array.strides[0]) for array in self.arrays]
        """Where each array begins, and the bytes from a slot to the next."""
        self.moves = [
            tuple((sign * self._room * step, step) for _, step in self.strides) for sign in (1, -1)
        ]
        """For each half, the bytes from a value of each array to that in the other half, and to the next slot's."""

    def places(self, slots: Array) -> Array:
        """Where in the arrays the values of these streams are."""
        return slots + self._room * self.half[slots].astype(np.intp)

    def place(self, slot: int) -> int:
        """The place of one stream."""
        return slot + self._room * int(self.half[slot])

    def mark(self, slots: int | Array, is_set: bool) -> None:
        """Says whether states are set."""
        self.is_set[slots] = is_set
        self._plans, self.planned = {}, None

    def gather_window(self, window: SlotWindow) -> int:
        """Brings the values of all streams of a window to one half, and says which."""
        halves = self.half[window.live]
        second = halves.tobytes().count(1)
        half = int(2 * second > len(halves))
        if second not in (0, len(halves)):
            live = np.arange(len(self.half))[window.live]
            others = live[halves != half]
            there, here = (others + self._room * h for h in (1 - half, half))
            for array in self.arrays:
                array[here] = array[there]
            self.half[window.live] = half
        return half

    def addresses(self, half: int, slot: int) -> list[int]:
        """Where a stream's value of each array is, in this half and in the other one."""
        here, there = slot + self._room * half, slot + self._room * (1 - half)
        found: list[int] = []
        for first, step in self.strides:
            found += (first + step * here, first + step * there)
        return found

    def streams(self, singles: Singles) -> Streams[int]:
        """What scattered calls take of these streams."""
        return self.streams_at(*singles.addresses)

    def streams_at(self, slots: int, frames: int) -> Streams[int]:
        """The same of streams whose slots, and the places of whose frames, are at these addresses."""
        return Streams(slots, frames, self._half_address, self._room)

    def plan(self, slots: Array, sizes: tuple[int, ...], costs: Costs) -> list[Step]:
        """The calls for streams in these slots, with windows of these sizes."""
        if self.planned is None or slots is not self.planned[0]:
            if (found := self._plans.get(key := slots.tobytes())) is None:
                if len(self._plans) == MOST_PLANS:
                    self._plans.clear()
                found = self._plans[key] = plan(slots, self.is_set, sizes, costs)
            self.planned = slots, found
        return self.planned[1]
