"""Where the states of many streams lie, so that those of neighbours need not move to share a call."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from ..aligned_buffers import address_of, buffer_of

if TYPE_CHECKING:
    from ..aligned_buffers import Array
    from ..calls_in_a_row import CallsInARow

IN_PLACE = (64, 16, 4)
"""
Batches whose states are read and written where they are stored, the largest first; the smallest ones only where they
are full and nothing is left then, since a call for the rest takes as long as one for these, too.
"""


@dataclass(frozen=True)
class Window:
    """Slots side by side, so many for each of some calls, and the streams among them that have frames."""

    start: int
    size: int
    calls: int
    slots: Array | slice
    """The streams', in order,"""
    rows: Array | slice
    """their rows in a batch,"""
    places: Array | slice
    """and the places of their frames."""
    ready: dict[int, tuple[CallsInARow, list[int]]] = field(
        default_factory=dict[int, "tuple[CallsInARow, list[int]]"]
    )
    """The calls that read the states of a half and write the other, and where they begin, once they were needed."""

    @classmethod
    def of(cls, start: int, size: int, slots: Array, places: Array) -> Window:
        """For one call; with slices, which are quicker, where all slots have frames, and these are in their order."""
        if len(places) == size and (np.diff(places) == 1).all():
            first = int(places[0])
            return cls(
                start,
                size,
                1,
                slice(start, start + size),
                slice(size),
                slice(first, first + size),
            )
        return cls(start, size, 1, slots, slots - start, places)

    def slots_of(self, calls: int) -> slice:
        """Those of the first calls; all streams there have frames where there are several."""
        return slice(self.start, self.start + self.size * calls)

    @property
    def end(self) -> int:
        """The slot after the last."""
        return self.start + self.size * self.calls

    def then(self, after: Window) -> Window | None:
        """Both in one, where slots and frames of the one go on in the other: frames then are read where they lie."""
        match self.places, after.places:
            case slice() as mine, slice() as others if (self.size, self.end, mine.stop) == (
                after.size,
                after.start,
                others.start,
            ):
                calls = self.calls + after.calls
                slots, rows = slice(self.start, after.end), slice(self.size * calls)
                return Window(
                    self.start, self.size, calls, slots, rows, slice(mine.start, others.stop)
                )
            case _:
                return None


class Stored:
    """
    The states of many streams, and which streams have set theirs. There is room for two values of each: a call reads
    one and writes the other, and `half` says which of them is a stream's. `arrays` has them one after the other.
    """

    def __init__(self, capacity: int, rows: Sequence[tuple[tuple[int, ...], np.dtype[Any]]]):
        self._room = -(-capacity // IN_PLACE[0]) * IN_PLACE[0]
        self.arrays = [buffer_of((2 * self._room, *shape), dtype) for shape, dtype in rows]
        self.half = np.zeros(self._room, np.uint8)
        self.is_set = np.zeros(self._room, bool)
        self._planned: tuple[Any, bytes, Any] = (None, b"", None)
        """The last slots, which states were set, and the windows for them."""
        self._strides = [(address_of(array), array.strides[0]) for array in self.arrays]

    def places(self, slots: Array) -> Array:
        """Where in the arrays the values of these streams are."""
        return slots + self._room * self.half[slots].astype(np.intp)

    def place(self, slot: int) -> int:
        """That of one stream."""
        return slot + self._room * int(self.half[slot])

    def gather_window(self, start: int, size: int) -> int:
        """Brings the values of all streams of a window to one half, and says which."""
        halves = self.half[start : start + size]
        second = halves.tobytes().count(1)
        half = int(2 * second > size)
        if second not in (0, size):
            (others,) = np.nonzero(halves != half)
            there, here = (start + self._room * h + others for h in (1 - half, half))
            for array in self.arrays:
                array[here] = array[there]
            halves[:] = half
        return half

    def addresses(self, half: int, start: int) -> list[tuple[int, int, int]]:
        """Where a window of each array begins, in this half and in the other one, and the bytes of a stream's value."""
        here, there = (start + self._room * h for h in (half, 1 - half))
        return [(first + step * here, first + step * there, step) for first, step in self._strides]

    def windows(self, slots: Array, sizes: Sequence[int]) -> tuple[list[Window], Array]:
        """
        The windows of these sizes, the largest first, for streams in these slots that have set their states; and the
        places of the other streams. Of a window three quarters are to have frames: fewer fill better batches.
        """
        is_set = self.is_set.tobytes()
        if slots is not self._planned[0] or is_set != self._planned[1]:
            self._planned = (slots, is_set, self._plan(slots, sizes))
        return self._planned[2]

    def _plan(self, slots: Array, sizes: Sequence[int]) -> tuple[list[Window], Array]:
        windows: list[Window] = []
        left = np.argsort(slots)
        for size in sizes:
            ready = np.flatnonzero(self.is_set[slots[left]])
            numbers = slots[left[ready]] // size
            bounds = [0, *(np.flatnonzero(np.diff(numbers)) + 1).tolist(), len(ready)]
            others = np.ones(len(left), bool)
            found: list[Window] = []
            for first, end in pairwise(bounds):
                if 4 * (end - first) >= 3 * size:
                    places = left[ready[first:end]]
                    window = Window.of(int(numbers[first]) * size, size, slots[places], places)
                    if found and (joined := found[-1].then(window)) is not None:
                        found[-1] = joined
                    else:
                        found.append(window)
                    others[ready[first:end]] = False
            if size == IN_PLACE[-1] and (len(left) % size or others.any()):
                break
            windows += found
            left = left[others]
        return windows, left
