"""Memory that code generation starts without: what loading LLVM leaves in this process and needs no more."""

from __future__ import annotations

import ctypes
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from .link import IS_HOST

MAPS = Path("/proc/self/maps")
"""
What Linux says of the maps of this process (proc_pid_maps(5)). In smaps it would say, too, which of them were written
to, which takes ten times as long.
"""

LIBRARY = "libllvmlite.so"

DONTNEED = 4
"""Linux's MADV_DONTNEED (madvise(2))."""

_HEAD = re.compile(r"([0-9a-f]+)-([0-9a-f]+) (\S{4}) \S+ \S+ \S+ *(.*)")


@cache
def drop_unneeded() -> None:
    """
    Gives the system back, once, what only loading LLVM has looked at: its relocations, and the code that registers its
    options.
    """
    if not IS_HOST:
        return
    try:
        maps = MAPS.read_text(encoding="utf-8", errors="replace")
    except OSError:  # a system without
        return
    for begin, end in _unchanged(maps, LIBRARY):
        ctypes.CDLL(None).madvise(ctypes.c_void_p(begin), ctypes.c_size_t(end - begin), DONTNEED)


def _unchanged(maps: str, library: str) -> Iterator[tuple[int, int]]:
    """
    Begin and end of the maps of a library that are as in its file, from which the system reads them again. The last one
    in front of what may be written to is none: the loader relocates it, then protects it.
    """
    waiting: list[tuple[int, int]] = []
    for line in maps.splitlines():
        if (head := _HEAD.fullmatch(line)) is None or Path(head[4]).name != library:
            continue
        if "w" in head[3]:
            yield from waiting[:-1]
            waiting.clear()
        else:
            waiting.append((int(head[1], 16), int(head[2], 16)))
