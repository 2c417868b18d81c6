"""Memory-mapped files: pages that the system reads when they are accessed, and may drop again."""

from __future__ import annotations

import mmap
import os
import tempfile
from pathlib import Path
from threading import Lock
from weakref import WeakSet

_MAPS: WeakSet[mmap.mmap] = WeakSet()
_LOCK = Lock()
"""Held while the maps are listed."""

_SCRATCH: WeakSet[mmap.mmap] = WeakSet()
"""The maps of `_MAPS` that are scratch files."""

MOST_SCRATCH_FILES = 64
"""The most scratch files: each takes a file descriptor, and a process may have only about a thousand."""


def mapped(path: Path) -> memoryview:
    """The bytes of a file, read-only. Raises OSError where it cannot be read."""
    with path.open("rb") as file:
        if not path.stat().st_size:
            return memoryview(b"")
        pages = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    with _LOCK:
        _MAPS.add(pages)
    return memoryview(pages)


def scratch(size: int) -> mmap.mmap | None:
    """
    So many bytes of zeros, at least one, to write into: a file without a name among the temporary ones, which is gone
    when nobody holds it. None where the system has no room for it, or there are many such files.
    """
    with _LOCK:
        if len(_SCRATCH) >= MOST_SCRATCH_FILES:
            return None
    try:
        with tempfile.TemporaryFile() as file:
            os.posix_fallocate(file.fileno(), 0, size)  # else a full disk would end the process
            pages = mmap.mmap(file.fileno(), size)
    except OSError:
        return None
    with _LOCK:
        _MAPS.add(pages)
        _SCRATCH.add(pages)
    return pages


def drop_mapped_pages() -> None:
    """
    Drops the pages of all mapped files from this process. They stay in the system's page cache, from which the next
    access gets them back; here they would count until their file is closed.
    """
    with _LOCK:
        maps = list(_MAPS)
    for pages in maps:
        pages.madvise(mmap.MADV_DONTNEED)
