"""Files in memory: a map of pages that the system reads when they are looked at, and may drop again."""

from __future__ import annotations

import mmap
from pathlib import Path
from threading import Lock
from weakref import WeakSet

_MAPS: WeakSet[mmap.mmap] = WeakSet()
_LOCK = Lock()
"""Held while the maps are listed."""


def mapped(path: Path) -> memoryview:
    """The bytes of a file, read-only. Raises OSError where it cannot be read."""
    with path.open("rb") as file:
        if not path.stat().st_size:
            return memoryview(b"")
        pages = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    with _LOCK:
        _MAPS.add(pages)
    return memoryview(pages)


def drop_mapped_pages() -> None:
    """
    Takes the pages of all mapped files out of this process. They stay in the system's cache of files, from where the
    next look at them has them back; here they would count until their file is closed.
    """
    with _LOCK:
        maps = list(_MAPS)
    for pages in maps:
        pages.madvise(mmap.MADV_DONTNEED)
