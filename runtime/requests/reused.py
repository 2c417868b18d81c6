"""Reuses the memory of results that nobody holds any more."""

from __future__ import annotations

import math
from sys import getrefcount
from typing import TYPE_CHECKING, Any

import numpy as np

from ...lowering.calling_convention import ALIGNMENT
from ..aligned_buffers import address_of

if TYPE_CHECKING:
    from ..aligned_buffers import Array


def _unheld() -> int:
    """
    What `getrefcount` gives, asked as below, for memory that nobody else holds: not all versions of Python count an
    argument.
    """
    room = np.empty(1, np.uint8)
    kept = [(room, np.ndarray(1, np.uint8, room))]
    ((room, _),) = kept
    return getrefcount(room)


UNHELD = _unheld()

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
        self._kept: list[tuple[Array, Array, int]] = []
        """Memory, the last array there, of which others get views, and its address."""

    def array(self, shape: tuple[int, ...], dtype: np.dtype[Any]) -> Array:
        """An array of this shape, at a multiple of ALIGNMENT."""
        return self.placed(shape, dtype)[0]

    def placed(self, shape: tuple[int, ...], dtype: np.dtype[Any]) -> tuple[Array, int]:
        """The same, and its address."""
        for number, (room, last, address) in enumerate(self._kept):
            if getrefcount(room) != UNHELD:
                continue
            if last.shape == shape and last.dtype is dtype:
                return last.view(), address
            if _bytes(shape, dtype) <= room.nbytes - ALIGNMENT <= 2 * _bytes(shape, dtype):
                _, last, address = self._kept[number] = _inside(room, shape, dtype)
                return last.view(), address
        kept = _inside(np.empty(_bytes(shape, dtype) + ALIGNMENT, np.uint8), shape, dtype)
        if kept[1].nbytes <= MOST_BYTES:
            self._kept = [kept, *self._kept[: MOST_KEPT - 1]]
        return kept[1].view(), kept[2]


def _bytes(shape: tuple[int, ...], dtype: np.dtype[Any]) -> int:
    return math.prod(shape) * dtype.itemsize


def _inside(room: Array, shape: tuple[int, ...], dtype: np.dtype[Any]) -> tuple[Array, Array, int]:
    """The memory, an array at the first multiple of ALIGNMENT there, and its address."""
    skipped = -(begin := address_of(room)) % ALIGNMENT
    return room, np.ndarray(shape, dtype, room, skipped), begin + skipped
