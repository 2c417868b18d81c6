"""
Tables of a FlatBuffer: fields are found through offsets, and may be left out
(https://flatbuffers.dev/internals/).
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import Any

from xdsl.utils.exceptions import DiagnosticException

DAMAGED = "an offset in the file leads out of it; it is truncated or damaged"


@dataclass(frozen=True)
class Table:
    """
    A table at a place in the data; fields have the numbers of the schema, from 0. Every method raises
    DiagnosticException where an offset leads out of the data.
    """

    data: Any
    place: int

    @classmethod
    def root(cls, data: Any) -> Table:
        """The table that the data begins with."""
        return cls(data, 0)._referred(0)

    def number(self, field: int, format: str, default: float = 0) -> Any:
        """A number; `format` is that of `struct`."""
        return default if (place := self._field(field)) is None else self._read(format, place)

    def text(self, field: int) -> str:
        """A text; empty where it is left out."""
        return "" if (place := self._field(field)) is None else self._text(place)

    def table(self, field: int) -> Table | None:
        """A table; None where it is left out."""
        return None if (place := self._field(field)) is None else self._referred(place)

    def tables(self, field: int) -> list[Table]:
        """A list of tables."""
        begin, count = self.span(field)
        return [self._referred(begin + 4 * i) for i in range(self._checked(begin, count, 4))]

    def texts(self, field: int) -> list[str]:
        """A list of texts."""
        begin, count = self.span(field)
        return [self._text(begin + 4 * i) for i in range(self._checked(begin, count, 4))]

    def numbers(self, field: int, format: str) -> list[Any]:
        """A list of numbers; `format` is that of `struct` for one."""
        begin, count = self.span(field)
        self._checked(begin, count, struct.calcsize(format))
        return list(struct.unpack_from(f"<{count}{format}", self.data, begin))

    def span(self, field: int) -> tuple[int, int]:
        """Where a list begins, and how many elements it has."""
        if (place := self._field(field)) is None:
            return 0, 0
        begin = self._followed(place)
        return begin + 4, self._read("I", begin)

    def raw(self, field: int) -> tuple[int, int]:
        """Where bytes begin, and how many there are, all of them within the data."""
        begin, count = self.span(field)
        return begin, self._checked(begin, count, 1)

    def _field(self, field: int) -> int | None:
        """Where the data of a field is; None where it is left out."""
        fields = self.place - self._read("i", self.place)
        if 4 + 2 * field + 2 > self._read("H", fields):
            return None
        offset = self._read("H", fields + 4 + 2 * field)
        return self.place + offset if offset else None

    def _referred(self, place: int) -> Table:
        return Table(self.data, self._followed(place))

    def _followed(self, place: int) -> int:
        """Where the offset at a place leads: forward, so that no table is in itself."""
        if not (offset := self._read("I", place)):
            raise DiagnosticException(DAMAGED)
        return place + offset

    def _text(self, place: int) -> str:
        begin = self._followed(place)
        count = self._checked(begin + 4, self._read("I", begin), 1)
        raw = bytes(self.data[begin + 4 : begin + 4 + count])
        try:
            return raw.decode()
        except UnicodeDecodeError:
            raise DiagnosticException(f"{raw!r} is not text; the file is damaged") from None

    def _checked(self, begin: int, count: int, size: int) -> int:
        if begin + count * size > len(self.data):
            raise DiagnosticException(DAMAGED)
        return count

    def _read(self, format: str, place: int) -> Any:
        if place < 0 or place + struct.calcsize(format) > len(self.data):
            raise DiagnosticException(DAMAGED)
        return struct.unpack_from(f"<{format}", self.data, place)[0]
