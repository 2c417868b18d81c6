"""
The memory of an input that calls append to, or return unchanged. Their result lies in it, too, so the next call takes
what the last one gave without a copy. A result that a caller still has stays as it is: a call that would write over it
gets other memory.
"""

from __future__ import annotations

from collections.abc import Mapping
from sys import getrefcount
from typing import TYPE_CHECKING

import numpy as np

from ..aligned_buffers import address_of, buffer_of
from .batch import Padded

if TYPE_CHECKING:
    from ..aligned_buffers import Array
    from ..ports import Port


ONLY_HERE = 2
"""What `getrefcount` gives of an attribute's value that nothing else holds: its argument counts."""


def owner_of(array: Array) -> Array:
    """The array whose memory this one is a view of; itself if it is no view, or one of what is no array."""
    while isinstance(array.base, np.ndarray):
        array = array.base
    return array


def lies_in(array: Array, owners: Mapping[int, Array]) -> bool:
    """Whether an array lies in the memory of these, which are given by id. It may be a view by another library."""
    owner = owner_of(array)
    is_foreign = owner.base is not None
    return id(owner) in owners or (
        is_foreign and any(np.may_share_memory(array, each) for each in owners.values())
    )


class Appended(Padded):
    """
    What such an input is read from: an array of the caller's, or the beginning of the memory itself. A call writes
    behind that along `dimension`, where it finds zeros. What the memory holds then is the output of number `output`.
    """

    def __init__(self, whole: Array, dimension: int, output: int, port: Port):
        self._dimension, self.output = dimension, output
        self._use(whole)
        super().__init__(whole[(slice(None),) * dimension + (slice(0),)], port)

    def _use(self, whole: Array) -> None:
        """Takes this array of zeros as the memory."""
        self.whole, self._address, self._end = whole, address_of(whole), 0
        self._lent = 0
        """The size, along `dimension`, of the largest result that callers may still have."""
        self._owner = owner_of(whole)
        self._unshared = getrefcount(self._owner)

    def set(self, padded: Padded) -> None:
        """Makes calls read what is given."""
        given = padded.given
        super().__init__(given, padded.port)
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

    def lend(self, result: Array) -> Array:
        """A result that lies here: it stays as it is for as long as a caller has it."""
        self._lent = max(self._lent, result.shape[self._dimension])
        return result.view()  # also where it shows all of the memory: that is counted as held

    def open(self, size: int) -> None:
        """
        Prepares a call: what it reads lies at the beginning of the memory, with zeros behind it. The call before wrote
        up to `size`. If a caller still has a result that would be written over, `whole` becomes other memory.
        """
        count = self.given.shape[self._dimension]
        shown = count if self._is_there else 0
        if self._lent > shown:
            # Where others show what is given, they may have a result of which this counts no reference.
            own = self._is_there and self.given.base is self._owner
            if getrefcount(self._owner) > self._unshared + own:
                self._use(buffer_of(self.whole.shape, self.whole.dtype))
                size = 0
                if self._is_there:
                    self.copy_to(self.whole)
                    self.given = self.whole[self._part]
            else:
                self._lent = shown  # a caller may have what is given
        if not self._is_there:
            self.copy_to(self.whole)
            if getrefcount(self.given) == ONLY_HERE and getattr(self.given, "base", self) is None:
                self.given, self._is_there = self.whole[self._part], True  # nobody can change it
        if count < (end := max(self._end, size)):
            self.whole[(slice(None),) * self._dimension + (slice(count, end),)] = 0
        self._end = count

    def fail(self) -> None:
        """After a call that failed: it may have written anywhere."""
        self._end = self.whole.shape[self._dimension]
