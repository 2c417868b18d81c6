"""Which streams share which calls: a plan that holds until other streams step, or states are set or reset."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from ..aligned_buffers import Array
    from ..requests.calls_in_a_row import CallsInARow

BATCH_SIZES = (1, 4, 16, 64)
"""For so many rows there is a program. In larger ones a row takes as long, and each is to be compiled."""


def parts(count: int) -> Iterator[tuple[int, int]]:
    """The batches for so many rows: how many rows each takes, and for how many its program is."""
    while count:
        size = next((size for size in BATCH_SIZES if size >= count), BATCH_SIZES[-1])
        if 2 * count < size:  # rather a full one than one of which most is idle
            size = max(size for size in BATCH_SIZES if size <= count)
        yield min(size, count), size
        count -= min(size, count)


@dataclass(frozen=True)
class Group:
    """
    Streams anywhere that share a call, which is for `size` rows: their slots and the places of their frames. Their
    states are all set or all unset, since a program computes the first ones of all its rows, or of none.
    """

    size: int
    slots: Array
    places: Array | slice
    is_set: bool


@dataclass(frozen=True)
class SlotWindow:
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
    live: Array | slice
    """The slots whose states are set, also those that rest."""
    is_full: bool
    """Whether all have frames, which lie in the order of the slots."""
    ready: dict[int, tuple[CallsInARow, list[int]]] = field(
        default_factory=dict[int, "tuple[CallsInARow, list[int]]"]
    )
    """The calls that read the states of a half and write the other, and where they begin, once they were needed."""

    @classmethod
    def of(cls, start: int, size: int, slots: Array, places: Array, is_set: Array) -> SlotWindow:
        """For one call."""
        live = start + np.flatnonzero(is_set[start : start + size])
        taken, found = short(slots), short(places)
        is_row = isinstance(taken, slice)
        rows = slice(taken.start - start, taken.stop - start) if is_row else slots - start
        is_full = len(slots) == size and isinstance(found, slice)
        return cls(start, size, 1, taken, rows, found, short(live), is_full)

    def slots_of(self, calls: int) -> slice:
        """The slots of the first calls. If these are several, all streams in the slots have frames."""
        return slice(self.start, self.start + self.size * calls)

    @property
    def end(self) -> int:
        """The slot after the last."""
        return self.start + self.size * self.calls

    def then(self, after: SlotWindow) -> SlotWindow | None:
        """Both in one, where slots and frames of the one go on in the other: frames then are read where they lie."""
        match self.places, after.places:
            case slice() as mine, slice() as others if (
                self.is_full
                and after.is_full
                and (self.size, self.end, mine.stop) == (after.size, after.start, others.start)
            ):
                calls, slots = self.calls + after.calls, slice(self.start, after.end)
                rows, places = slice(0, self.size * calls), slice(mine.start, others.stop)
                return SlotWindow(self.start, self.size, calls, slots, rows, places, slots, True)
            case _:
                return None


def short(places: Array) -> Array | slice:
    """The same places as a slice, which is quicker, where they follow each other."""
    count = len(places)
    if count and places[-1] - places[0] == count - 1 and (np.diff(places) == 1).all():
        return slice(int(places[0]), int(places[-1]) + 1)
    return places


def plan(slots: Array, is_set: Array, sizes: Sequence[int]) -> list[SlotWindow | Group]:
    """
    The calls for a frame of the streams in these slots: windows of these sizes first, the largest first. Of a window
    three quarters are to have frames, since fewer fill better batches; those left over take a window where they
    lie in one.
    """
    found: list[SlotWindow | Group] = []
    left = np.argsort(slots)
    for size in sizes:
        if size > SMALL and 4 * len(left) < 3 * size:
            continue
        windows, left = _windows(slots, left, is_set, size)
        if size <= SMALL and not windows:
            break
        found += windows
    for value in (True, False):
        places = left[is_set[slots[left]] == value]
        start = 0
        for count, size in parts(len(places)):
            some = places[start : start + count]
            taken, first = slots[some], int(slots[some[0]]) // size * size
            if value and size in sizes and taken[-1] < first + size:
                found.append(SlotWindow.of(first, size, taken, some, is_set))
            else:
                found.append(Group(size, taken, short(some), value))
            start += count
    return found


SMALL = 4
"""
Windows of so many take part where they are full and nothing is left: a call for the rest takes as long for these, too.
"""


def _windows(slots: Array, left: Array, is_set: Array, size: int) -> tuple[list[SlotWindow], Array]:
    """The windows of one size among the slots that are left, and the slots that are left then."""
    ready = np.flatnonzero(is_set[slots[left]])
    numbers = slots[left[ready]] // size
    bounds = [0, *(np.flatnonzero(np.diff(numbers)) + 1).tolist(), len(ready)]
    filled = [(first, end) for first, end in pairwise(bounds) if 4 * (end - first) >= 3 * size]
    count = sum(end - first for first, end in filled)
    if size <= SMALL and (len(left) % size or count < len(left)):
        return [], left
    others, found = np.ones(len(left), bool), list[SlotWindow]()
    for first, end in filled:
        places = left[ready[first:end]]
        window = SlotWindow.of(int(numbers[first]) * size, size, slots[places], places, is_set)
        joined = found[-1].then(window) if found else None
        found[-1:] = [*found[-1:], window] if joined is None else [joined]
        others[ready[first:end]] = False
    return found, left[others]
