"""
The entry points by which other packages extend lowstream, as text. They are a part of the key of every executable.

This is needed whenever a compiled model is looked up, and importing `importlib.metadata`, or `dialects`, would take a
tenth of that time.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

_OURS = ("lowstream-", "xdsl-")
"""Prefixes of the folders of our and xDSL's metadata, which keys cover otherwise."""

_GROUPS = (b"[xdsl.universe]", b"[lowstream.")
"""Prefixes of the groups of entry points that extend lowstream."""

_PACKAGE = r"(?m)^[^=\[\n]+=\s*([A-Za-z_]\w*)"
"""The package of an entry point's object, in the text of `entry_points.txt`."""


def declarations() -> Iterator[str]:
    """
    Identifies an environment by the packages that extend lowstream: each package, its entry points, and when its
    sources changed.
    """
    for folder in dict.fromkeys(sys.path):
        with suppress(OSError):
            for name, text in _extending(folder or ".", os.stat(folder or ".").st_mtime_ns):
                yield repr((name, text, *_changes(text)))


@lru_cache
def _extending(folder: str, changed: int) -> list[tuple[str, str]]:
    """
    The packages in a folder that extend lowstream, and their entry points; the folder's time of change is for the
    cache.
    """
    found: list[tuple[str, str]] = []
    with os.scandir(folder) as entries:
        for entry in entries:
            is_package = entry.name.endswith((".dist-info", ".egg-info"))
            if is_package and not entry.name.startswith(_OURS):
                with suppress(OSError), open(f"{entry.path}/entry_points.txt", "rb") as file:
                    text = file.read()
                    if any(group in text for group in _GROUPS):
                        found.append((entry.name, text.decode("utf-8", "replace")))
    return found


def _changes(text: str) -> Iterator[tuple[str, int]]:
    """The folders or files of the packages that a text names, and when a source in them last changed."""
    from importlib.util import find_spec

    for name in sorted(set(re.findall(_PACKAGE, text))):
        with suppress(ImportError, ValueError):
            if (spec := find_spec(name)) is not None:
                for place in spec.submodule_search_locations or (spec.origin,):
                    if place is not None:
                        yield place, _newest(Path(place))


def _newest(place: Path) -> int:
    sources = place.rglob("*.py") if place.is_dir() else (place,)
    return max((source.stat().st_mtime_ns for source in sources if source.exists()), default=0)
