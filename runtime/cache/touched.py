"""
Whether a file was changed since it was last looked at.

As git's index does, this compares the file's status: its device and inode, its size, and the time of its last change,
which nobody can set.
"""

from __future__ import annotations

import hashlib
import os
import time
from typing import IO

SETTLED = 2.0
"""
Seconds after which a file that changes again has another time: the coarsest clock of a file system. One that changed
a moment ago may change again within the same tick.
"""

ON_DISK = 60.0
"""Seconds after which what was written outlives a failure of the system: Linux holds it back for half of that."""


def looks_of(file: IO[bytes]) -> str:
    """The status that tells a file from others, and from itself at other times."""
    status, place = os.fstat(file.fileno()), os.fsencode(os.path.abspath(file.name))
    looks = status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns
    return hashlib.sha256(place + repr(looks).encode()).hexdigest()


def is_older(file: IO[bytes], seconds: float) -> bool:
    """Whether a file was last changed more than so many seconds ago."""
    return time.time() - os.fstat(file.fileno()).st_ctime > seconds
