"""The memory of this process, which emulated CPUs access."""

from __future__ import annotations

import ctypes
import mmap
from collections.abc import Iterable


def maps() -> Iterable[tuple[int, int, str]]:
    """Begin, end and rights (`rw-p`) of what this process has mapped."""
    with open("/proc/self/maps", encoding="utf-8", errors="surrogateescape") as file:
        for line in file:
            span, rights, *_ = line.split(maxsplit=2)
            begin, end = (int(address, 16) for address in span.split("-"))
            yield begin, end, rights


def address_of(memory: mmap.mmap) -> int:
    """Where a map lies in this process."""
    return ctypes.addressof(ctypes.c_char.from_buffer(memory))
