"""Reuses the memory of results that nobody holds any more."""

from __future__ import annotations

import math
from sys import getrefcount
from typing import TYPE_CHECKING, Any

import numpy as np

from ..lowering.calling_convention import ALIGNMENT
from .aligned_buffers import address_of

if TYPE_CHECKING:
    from .aligned_buffers import Array

UNHELD = 3
"""What `getrefcount` gives for memory that only this holds: the tuple, the loop and the argument count."""

MOST_KEPT = 2
"""How many arrays are kept: a caller who replaces old results by new ones holds the old ones until then."""

MOST_BYTES = 1 << 25
"""The size of arrays that are kept: malloc gives larger blocks back to the system, too."""


class Reused:
    """
    Arrays that hold anything, in memory of earlier ones that nobody holds any more: pages that are new to a process
    take 0.5 µs each, and a frame of a signal not much longer.
    """

    def __init__(self):
        self._kept: list[tuple[Array, int]] = []

    def array(self, shape: tuple[int, ...], dtype: np.dtype[Any]) -> Array:
        """An array of this shape, at a multiple of ALIGNMENT."""
        nbytes = math.prod(shape) * dtype.itemsize
        for room, skipped in self._kept:
            if (
                getrefcount(room) == UNHELD
                and nbytes <= room.nbytes - skipped <= 2 * nbytes + ALIGNMENT
            ):
                return np.ndarray(shape, dtype, room, skipped)
        room = np.empty(nbytes + ALIGNMENT, np.uint8)
        skipped = -address_of(room) % ALIGNMENT
        if nbytes <= MOST_BYTES:
            self._kept = [(room, skipped), *self._kept[: MOST_KEPT - 1]]
        return np.ndarray(shape, dtype, room, skipped)
