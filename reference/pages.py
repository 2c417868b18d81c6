"""Memory in pages of its own, which the system has back as soon as nobody holds it."""

from __future__ import annotations

import mmap
from contextlib import suppress

from ..dialects.mapped import scratch

IN_FILES = 8 << 20
"""Bytes from which on they are a file's, so that what was written need not stay in memory (`drop_mapped_pages`)."""


def pages(size: int) -> mmap.mmap:
    """
    So many bytes of zeros, at least one, that no other process shares. Small ones are in huge pages where the system
    has such: with others, the first write to each and every stream of reads takes longer.
    """
    if size >= IN_FILES and (file := scratch(size)) is not None:
        return file
    memory = mmap.mmap(-1, size, mmap.MAP_PRIVATE)
    if hasattr(mmap, "MADV_HUGEPAGE"):
        with suppress(OSError):  # a kernel without them
            memory.madvise(mmap.MADV_HUGEPAGE)
    return memory
