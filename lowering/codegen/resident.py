"""Gives back memory before code is generated: pages that loading LLVM has touched and that are needed no more."""

from __future__ import annotations

import ctypes
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from .link import IS_HOST

MAPS = Path("/proc/self/maps")
"""
Linux's list of the mappings of this process (proc_pid_maps(5)). smaps would also say which pages were written, but
takes ten times as long to read.
"""

LIBRARY = "libllvmlite.so"

DONTNEED = 4
"""Linux's MADV_DONTNEED (madvise(2))."""

_HEAD = re.compile(r"([0-9a-f]+)-([0-9a-f]+) (\S{4}) \S+ \S+ \S+ *(.*)")


@cache
def drop_unneeded() -> None:
    """
    Gives back, once, the pages that only loading LLVM has touched: its relocations, and the code that registers its
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
    Begin and end of the mappings of a library whose pages are as in its file, so that the system can read them again.
    The last mapping before writable ones is left out: the loader has relocated it, then protected it.
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
