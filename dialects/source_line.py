"""The line of a file that an operation was read from: what `explain` points at. It does not outlive the operation."""

from __future__ import annotations

from weakref import WeakKeyDictionary

from xdsl.ir import Operation

_LINES: WeakKeyDictionary[Operation, tuple[str, int]] = WeakKeyDictionary()


def note_line(op: Operation, file: str, line: int) -> None:
    """Remembers where an operation was read."""
    _LINES[op] = (file, line)


def line_of(op: Operation) -> tuple[str, int] | None:
    """The file and the line that this operation was read from; None where it was not, as a copy is not."""
    return _LINES.get(op)
