"""Whether lines are ordered side by side, a lane for each, or one after the other, and how keys of a row are found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Self

from ...machine import MOST_LANES

MOST_INSERTED = 16
"""
The most elements of a line that are kept sorted in registers; where more are wanted, the line is sorted in memory.
"""

MOST_SORTED = 1 << 15
"""
The longest lines that are sorted side by side, one in each lane; the words of longer ones leave the caches in every
pass.
"""

SELECTED, MERGED = 42, 56
"""
What lines cost one after the other, where comparing two vectors costs 4: selecting, for each element; merging, for
each element that is kept and each bit of their number.
"""

GROUPS_OF_EACH, LEAST_OF_GROUP = 8, 4
"""
Groups for each element of a row that is kept: two of those that are kept seldom fall into one, and so little more is
collected than kept. And the fewest elements of a group, with which the sample takes a small part of the time.
"""


def goes_side_by_side(size: int, count: int) -> bool:
    """
    Whether lines of `size` elements, of which `count` are kept, are ordered faster side by side. Where more than a few
    are, a network sorts all of them: with n bits of `size`, it compares each element about n² / 4 times.
    """
    if count <= MOST_INSERTED:
        return True
    compared = size * (size - 1).bit_length() ** 2
    return (
        size <= MOST_SORTED
        and compared <= SELECTED * size + MERGED * count * (count - 1).bit_length()
    )


@dataclass(frozen=True)
class Sample:
    """
    How the least keys of a long row are found: each of so many `groups` has a least key, and there is `room` for what
    is not greater than as many of those as are kept.
    """

    VECTORS: ClassVar[int] = 4
    """Vectors of groups whose least keys are found together."""

    groups: int
    room: int

    @classmethod
    def choose(cls, size: int, count: int) -> Self | None:
        """For `count` of a row's keys; None where the row is too short for it to pay."""
        step = cls.VECTORS * MOST_LANES
        groups = max(2, -(-GROUPS_OF_EACH * count // step)) * step
        room = -(-(2 * count + step) // step) * step
        return cls(groups, room) if LEAST_OF_GROUP * groups <= size else None

    @property
    def keys(self) -> int:
        """The keys and numbers that there is scratch memory for."""
        return self.groups + 2 * self.room
