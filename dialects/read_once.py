"""What passes ask of attributes again and again, read once for each attribute."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

from xdsl.ir import Attribute

GivenT = TypeVar("GivenT", bound=Attribute)
ReadT = TypeVar("ReadT")

MANY = 1 << 12
"""The number of attributes that each reader knows; it holds them, so that no other one gets their ids."""


class ReadOnce(Generic[GivenT, ReadT]):
    """
    A reader that knows what it read, by the id of the attribute: equal ones are mostly identical, and hashing one takes
    as long as reading it. Nobody may change what it gives.
    """

    def __init__(self, read: Callable[[GivenT], ReadT]):
        self._read = read
        self._known: dict[int, tuple[GivenT, ReadT]] = {}

    def __call__(self, attribute: GivenT) -> ReadT:
        if (known := self._known.get(id(attribute))) is not None:
            return known[1]
        found = self._read(attribute)
        if len(self._known) >= MANY:
            self._known.clear()
        self._known[id(attribute)] = attribute, found
        return found
