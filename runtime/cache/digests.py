"""Digests of files, remembered in the cache's folder: what was not touched since is not read again."""

from __future__ import annotations

import hashlib
from pathlib import Path

from .cache import cache
from .touched import SETTLED, is_older, looks_of


def digest_of_file(path: Path) -> str:
    """The SHA-256 of a file's bytes. Raises OSError where it cannot be read."""
    with path.open("rb") as file:
        looks = looks_of(file)
        if (note := cache.recall(looks)) is not None:
            return note
        digest = hashlib.file_digest(file, "sha256").hexdigest()
        if is_older(file, SETTLED) and looks_of(file) == looks:
            cache.remember({looks: digest})
        return digest
