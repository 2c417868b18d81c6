"""Memory in pages of its own, which the system has back as soon as nobody holds it."""

from __future__ import annotations

import mmap
from contextlib import suppress

from ..dialects.mapped import scratch

IN_FILES = 8 << 20
"""Bytes from which on they are a file's, so that what was written need not stay in memory (`drop_mapped_pages`)."""


def pages(size: int) -> mmap.mmap:
    """A map of `size` bytes of zeros, for what is looked at now and then; a large one is that of a file."""
    file = scratch(size) if size >= IN_FILES else None
    return huge_pages(size) if file is None else file


def huge_pages(size: int) -> mmap.mmap:
    """
    The same for what is read all the time: in huge pages where the system has such. With others, the first write to
    each and every stream of reads takes longer.
    """
    memory = mmap.mmap(-1, size, mmap.MAP_PRIVATE)
    if hasattr(mmap, "MADV_HUGEPAGE"):
        with suppress(OSError):  # a kernel without them
            memory.madvise(mmap.MADV_HUGEPAGE)
    return memory
