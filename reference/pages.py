"""Memory in pages of its own, which the system has back as soon as nobody holds it."""

from __future__ import annotations

import mmap
from contextlib import suppress


def pages(size: int) -> mmap.mmap:
    """
    So many bytes of zeros, at least one, in huge pages where the system has such: with small ones, the first write to
    each and every stream of reads takes longer. No other process shares them.
    """
    memory = mmap.mmap(-1, size, mmap.MAP_PRIVATE)
    if hasattr(mmap, "MADV_HUGEPAGE"):
        with suppress(OSError):  # a kernel without them
            memory.madvise(mmap.MADV_HUGEPAGE)
    return memory
