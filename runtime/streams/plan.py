"""Which streams share which calls: a plan that holds until other streams step, or states are set or reset."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

import numpy as np

from ..aligned_buffers import address_of

if TYPE_CHECKING:
    from ..aligned_buffers import Array

BATCH_SIZES = (1, 4, 16, 64)
"""For so many rows there is a program. In larger ones a row takes as long, and each is to be compiled."""


COPYING = 4e-5
"""Seconds to copy the rows of streams anywhere to a batch and back, beside its call: most of it is Python's."""

LEAST_ROW = 1e-7
"""Seconds that a further row takes at least, whatever was measured: no batch is larger than it has to be."""


@dataclass(frozen=True)
class Costs:
    """Seconds that a call for streams anywhere takes, for one of them and for several."""

    single: float
    batch: float
    row: float
    """What each row of a batch adds."""

    @classmethod
    def of(cls, one: float, many: float, count: int, in_place: bool) -> Costs:
        """By the seconds of native calls for one row and for so many, and whether one may run where it is stored."""
        row = max((many - one) / (count - 1), LEAST_ROW)
        return cls(one if in_place else one + COPYING, one - row + COPYING, row)

    def pays(self, count: int, size: int) -> bool:
        """Whether a window of `size` slots takes less than calls for each of so many streams in it."""
        copying = COPYING * (count < size)
        return self.batch - COPYING + copying + size * self.row <= count * self.single

    def __call__(self, size: int) -> float:
        """Those of a call for so many rows."""
        return self.single if size == 1 else self.batch + size * self.row


def parts(count: int, costs: Costs) -> Iterator[tuple[int, int]]:
    """
    The batches that take so many rows in the least time: how many rows each takes, and for how many its program is.
    """
    largest = BATCH_SIZES[-1]
    while count >= 2 * largest:
        yield largest, largest
        count -= largest
    while count:
        size = _first_sizes(costs)[count]
        yield min(size, count), size
        count -= min(size, count)


@lru_cache(maxsize=64)
def _first_sizes(costs: Costs) -> list[int]:
    """The size of the first batch, for each number of rows below twice the largest size."""
    least, first = [0.0], [0]
    for count in range(1, 2 * BATCH_SIZES[-1]):
        seconds, size = min(
            (costs(size) + least[max(count - size, 0)], -size) for size in BATCH_SIZES
        )
        least.append(seconds)
        first.append(-size)
    return first


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
class Singles:
    """Streams anywhere whose states are set, each of which has a call of its own: their slots, and places of frames."""

    slots: Array
    places: Array

    @cached_property
    def addresses(self) -> tuple[int, int]:
        """Where both are in memory."""
        return address_of(self.slots), address_of(self.places)


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


Step = SlotWindow | Group | Singles


def plan(slots: Array, is_set: Array, sizes: tuple[int, ...], costs: Costs) -> list[Step]:
    """
    The calls for a frame of the streams in these slots: windows of these sizes first, the largest first. Of a window
    three quarters are to have frames, since fewer fill better batches, and it is to take less than a call for each;
    those left over take a window where they lie in one, and otherwise the batches that cost least.
    """
    count = len(slots)
    if _may_be_alone(count, sizes, costs) and is_set[slots].all():
        return [Singles(slots, np.arange(count))]
    found, given = list[Step](), slots.tolist()
    order = sorted(range(len(given)), key=given.__getitem__)
    is_ready = is_set[slots].tolist()
    left = [place for place in order if is_ready[place]]
    for size in sizes:
        if size == 1 or 4 * len(left) < 3 * size:
            continue
        windows, left = _windows(given, left, is_set, size, costs if 1 in sizes else None)
        found += windows
    for value, places in ((True, left), (False, [n for n in order if not is_ready[n]])):
        alone, start = list[int](), 0
        for count, size in parts(len(places), costs):
            some = places[start : start + count]
            start += count
            if value and size == 1 and 1 in sizes:
                alone += some
            else:
                found.append(_step(given, some, is_set, size, value and size in sizes))
        if alone:
            chosen = np.array(alone)
            found.append(Singles(slots[chosen], chosen))
    return found


@lru_cache(maxsize=1 << 10)
def _may_be_alone(count: int, sizes: tuple[int, ...], costs: Costs) -> bool:
    """Whether so many streams fill no window, and no batch takes them in less time than a call for each."""
    fills = any(
        4 * count >= 3 * size if size > SMALL else count % size == 0 for size in sizes if size > 1
    )
    return 1 in sizes and not fills and all(size == 1 for _, size in parts(count, costs))


def _step(
    slots: Sequence[int], places: list[int], is_set: Array, size: int, in_place: bool
) -> Step:
    """One call for the streams of these places: where they are stored, where that may be and they lie in one window."""
    taken = np.array([slots[place] for place in places])
    first = int(taken[0]) // size * size
    if in_place and taken[-1] < first + size:
        return SlotWindow.of(first, size, taken, np.array(places), is_set)
    return Group(size, taken, short(np.array(places)), bool(is_set[taken[0]]))


SMALL = 4
"""
Windows of so many take part where they are full and nothing is left: a call for the rest takes as long for these, too.
"""


def _windows(
    slots: Sequence[int], left: list[int], is_set: Array, size: int, alone: Costs | None
) -> tuple[list[SlotWindow], list[int]]:
    """
    The windows of one size among the places that are left, in the order of their slots, and what is left then. `alone`
    is what calls cost where each stream may have one of its own.
    """
    inside = dict[int, list[int]]()
    for place in left:
        inside.setdefault(slots[place] // size, []).append(place)
    filled = {
        number: places
        for number, places in inside.items()
        if 4 * len(places) >= 3 * size and (alone is None or alone.pays(len(places), size))
    }
    if size <= SMALL and (len(left) % size or sum(map(len, filled.values())) < len(left)):
        return [], left
    found = list[SlotWindow]()
    for number, places in filled.items():
        taken = np.array([slots[place] for place in places])
        window = SlotWindow.of(number * size, size, taken, np.array(places), is_set)
        joined = found[-1].then(window) if found else None
        found[-1:] = [*found[-1:], window] if joined is None else [joined]
    return found, [place for place in left if slots[place] // size not in filled]
