"""
Digests of files, remembered in the cache's folder: what was not touched since is not read again.

As git's index does, this goes by what the system says of a file: where it lies, its size, and when it was changed
last, which nobody can set. A file that changed a moment ago may change again within the same tick of that clock, so
its digest is not remembered.
"""

from __future__ import annotations

import hashlib
import os
import time
from pathlib import Path

from .cache import cache

SETTLED = 2.0
"""Seconds after which a file that changes again has another time: the coarsest clock of a file system."""


def digest_of_file(path: Path) -> str:
    """The SHA-256 of a file's bytes. Raises OSError where it cannot be read."""
    with path.open("rb") as file:
        before = os.fstat(file.fileno())
        place = os.fsencode(path.absolute())
        name = hashlib.sha256(place + repr(_looks(before)).encode()).hexdigest()
        if (note := cache.recall(name)) is not None:
            return note
        digest = hashlib.file_digest(file, "sha256").hexdigest()
        is_settled = time.time() - before.st_ctime > SETTLED
        if is_settled and _looks(os.fstat(file.fileno())) == _looks(before):
            cache.remember(name, digest)
        return digest


def _looks(status: os.stat_result) -> tuple[int, ...]:
    """What tells a file from others, and from itself at other times."""
    return (
        status.st_dev,
        status.st_ino,
        status.st_size,
        status.st_mtime_ns,
        status.st_ctime_ns,
    )
