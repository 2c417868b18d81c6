"""
What other packages declare for us by entry points, as text: part of the key of every executable.

It is asked for whenever a compiled model is looked up, and importing `importlib.metadata`, or `dialects`, would take a
tenth of that.
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
"""How the folders of our metadata and xDSL's begin: keys know both otherwise."""

_GROUPS = (b"[xdsl.universe]", b"[lowstream.")
"""How the groups of entry points begin that extend us."""

_PACKAGE = r"(?m)^[^=\[\n]+=\s*([A-Za-z_]\w*)"
"""The package whose object an entry point names, in the text of `entry_points.txt`."""


def declarations() -> Iterator[str]:
    """
    What tells apart environments in which other packages extend us: each that does, what it declares, and when its
    sources changed.
    """
    for folder in dict.fromkeys(sys.path):
        with suppress(OSError):
            for name, text in _extending(folder or ".", os.stat(folder or ".").st_mtime_ns):
                yield repr((name, text, *_changes(text)))


@lru_cache
def _extending(folder: str, changed: int) -> list[tuple[str, str]]:
    """The packages in a folder, as it is since a time, that extend us, and what they declare."""
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
