"""Memory-mapped files: pages that the system reads when they are accessed, and may drop again."""

from __future__ import annotations

import mmap
import os
import tempfile
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from weakref import WeakKeyDictionary, WeakSet

_MAPS: WeakSet[mmap.mmap] = WeakSet()
"""What is mapped, but for small files."""
_LOCK = Lock()
"""Held while the maps are listed."""


@dataclass(frozen=True)
class MappedFile:
    """A file as it was when it was mapped; `written` is its time of modification in nanoseconds."""

    path: Path
    inode: tuple[int, int]
    size: int
    written: int

    @classmethod
    def of(cls, path: Path) -> MappedFile:
        """Raises OSError where there is no such file."""
        status = path.stat()
        return cls(path, (status.st_dev, status.st_ino), status.st_size, status.st_mtime_ns)

    @property
    def is_unchanged(self) -> bool:
        """
        Whether its pages hold what they held then, and are all there: the system ends a process that reads beyond the
        end of a file. What stands in the file's place, or a file that is gone, changes no pages.
        """
        try:
            now = MappedFile.of(self.path)
        except OSError:
            return True
        return now.inode != self.inode or now == self


_FILES: WeakKeyDictionary[mmap.mmap, MappedFile] = WeakKeyDictionary()
"""The files that are mapped, also small ones."""

_SCRATCH: WeakSet[mmap.mmap] = WeakSet()
"""The maps of `_MAPS` that are scratch files."""

MOST_SCRATCH_FILES = 64
"""The most scratch files: each takes a file descriptor, and a process may have only about a thousand."""


SMALL = 64 << 10
"""Bytes of a file whose pages are not dropped: there may be hundreds of drops, and each takes time."""


def mapped(path: Path) -> memoryview:
    """The bytes of a file, read-only. Raises OSError where it cannot be read."""
    with path.open("rb") as file:
        found = MappedFile.of(path)
        if not found.size:
            return memoryview(b"")
        pages = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    with _LOCK:
        if found.size > SMALL:
            _MAPS.add(pages)
        _FILES[pages] = found
    return memoryview(pages)


def file_of(data: object) -> MappedFile | None:
    """The file whose pages a buffer is a view of, if there is one."""
    while not isinstance(data, mmap.mmap):
        data = data.obj if isinstance(data, memoryview) else getattr(data, "base", None)
        if data is None:
            return None
    return _FILES.get(data)


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
    Drops the pages of all mapped files but small ones from this process. They stay in the system's page cache, from
    which the next access gets them back; here they would count until their file is closed.
    """
    if not _MAPS:
        return
    with _LOCK:
        maps = list(_MAPS)
    for pages in maps:
        pages.madvise(mmap.MADV_DONTNEED)
