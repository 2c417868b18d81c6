"""
The memory of an input to which calls append: their result lies in it, too, so what a call gave need not be copied to be
given to the next one.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from .aligned_buffers import address_of
from .batch import Batch, Padded

if TYPE_CHECKING:
    from .aligned_buffers import Array


def owner_of(array: Array) -> Array:
    """The array whose memory this one shows; itself if it is its own, or that of what is no array."""
    while isinstance(array.base, np.ndarray):
        array = array.base
    return array


def lies_in(array: Array, owners: Mapping[int, Array]) -> bool:
    """Whether an array shows memory of these, by their ids; other libraries may show it, too."""
    owner = owner_of(array)
    is_foreign = owner.base is not None
    return id(owner) in owners or (
        is_foreign and any(np.may_share_memory(array, each) for each in owners.values())
    )


class Appended(Padded):
    """
    What such an input is read from: an array, or the beginning of the memory itself. Calls write behind that along
    `dimension`, where they find zeros. What the memory then holds is the output of number `output`.
    """

    def __init__(self, whole: Array, dimension: int, output: int):
        super().__init__(whole[(slice(None),) * dimension + (slice(0),)])
        self.whole, self._dimension, self.output = whole, dimension, output
        self._address, self._end = address_of(whole), 0

    def set(self, given: Array | Batch) -> None:
        """Makes calls read this."""
        super().__init__(given)
        self._is_there = isinstance(given, np.ndarray) and self.holds(given)

    def has_room(self, array: Array) -> bool:
        """Whether an array fits in."""
        pairs = zip(array.shape, self.whole.shape, strict=True)
        return all(size <= most for size, most in pairs)

    def holds(self, array: Array) -> bool:
        """Whether an array is the beginning of this memory."""
        whole = self.whole
        return (
            array.strides == whole.strides
            and array.dtype == whole.dtype
            and array.ctypes.data == self._address
            and self.has_room(array)
        )

    def keep(self, array: Array) -> Array:
        """Copies an array that fits in to the beginning, and returns that."""
        part = self.whole[tuple(map(slice, array.shape))]
        part[...] = array
        self._end = max(self._end, array.shape[self._dimension])
        return part

    def open(self, size: int) -> None:
        """Before a call, puts what it reads where it reads that; the one before came up to `size`."""
        count = self.given.shape[self._dimension]
        if not self._is_there:
            self.copy_to(self.whole)
        if count < (end := max(self._end, size)):
            self.whole[(slice(None),) * self._dimension + (slice(count, end),)] = 0
        self._end = count

    def fail(self) -> None:
        """After a call that failed: it may have written anywhere."""
        self._end = self.whole.shape[self._dimension]
