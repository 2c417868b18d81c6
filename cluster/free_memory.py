"""What a worker's process does with memory that is free."""

from __future__ import annotations

import ctypes

TRIM_THRESHOLD, MMAP_THRESHOLD = -1, -3
"""mallopt's (https://man7.org/linux/man-pages/man3/mallopt.3.html)."""

KEPT_FREE, MOST_OF_HEAP = 1 << 28, 1 << 25
"""Bytes: so much free memory stays, and blocks up to the largest that glibc allows are taken from it."""


def keep_free_memory() -> None:
    """
    Lets this process keep memory that is free: what it returns to the system at once, every large array gets back by
    page faults. Does nothing where the C library is another than glibc.
    """
    if (mallopt := getattr(ctypes.CDLL(None), "mallopt", None)) is not None:
        mallopt(TRIM_THRESHOLD, KEPT_FREE)
        mallopt(MMAP_THRESHOLD, MOST_OF_HEAP)
