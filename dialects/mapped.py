"""Files in memory: a map of pages that the system reads when they are looked at, and may drop again."""

from __future__ import annotations

import mmap
from pathlib import Path


def mapped(path: Path) -> memoryview:
    """The bytes of a file, read-only. Raises OSError where it cannot be read."""
    with path.open("rb") as file:
        if not path.stat().st_size:
            return memoryview(b"")
        return memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
