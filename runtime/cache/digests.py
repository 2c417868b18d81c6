"""
Digests of files. Those of large ones are remembered in the cache's folder: what was not touched since is not read
again.
"""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

from .cache import cache
from .touched import SETTLED, is_older, looks_of

SMALL = 128 << 10
"""Bytes that are read and digested in less time than a note is."""


def digest_of_file(path: Path) -> str:
    """The SHA-256 of a file's bytes. Raises OSError where it cannot be read."""
    with path.open("rb") as file:
        if os.fstat(file.fileno()).st_size <= SMALL:
            return hashlib.sha256(file.read()).hexdigest()
        looks = looks_of(file)
        if (note := cache.recall(looks)) is not None:
            return note
        digest = hashlib.file_digest(file, "sha256").hexdigest()
        if is_older(file, SETTLED) and looks_of(file) == looks:
            cache.remember({looks: digest})
        return digest
