"""
The transformations that packages downstream add to LPT's main step, by a call or by an entry point.

Beside `lpt`, so that what keys executables learns about them without loading all of LPT.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from xdsl.utils.exceptions import DiagnosticException

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

    from .lpt.transformation import Transformation

GROUP = "lowstream.lpt"
"""
The entry points of packages that declare transformations: each names a `Transformation`, or several in an iterable.

    [project.entry-points."lowstream.lpt"]
    my_moves = "my_package:TRANSFORMATIONS"
"""

_REGISTERED: list[Transformation[Any]] = []


def register(transformation: Transformation[Any]) -> Transformation[Any]:
    """
    Makes a transformation part of every later run of `lpt`. Raises DiagnosticException where its name is taken.
    """
    if any(known.name == transformation.name for known in _REGISTERED):
        raise DiagnosticException(
            f"LPT transformation '{transformation.name}' is registered already; unregister it first"
        )
    _REGISTERED.append(transformation)
    return transformation


def unregister(transformation: Transformation[Any]) -> None:
    """Takes back `register`."""
    _REGISTERED.remove(transformation)


def extensions() -> tuple[Transformation[Any], ...]:
    """All that were added: registered ones, then those of installed packages."""
    from importlib.metadata import entry_points

    installed = [each for point in sorted(entry_points(group=GROUP)) for each in _loaded(point)]
    return (*_REGISTERED, *installed)


@cache
def _loaded(point: EntryPoint) -> tuple[Transformation[Any], ...]:
    from .lpt.transformation import Transformation

    try:
        found: object = point.load()
    except (ImportError, AttributeError) as error:
        raise DiagnosticException(
            f"entry point '{point.name}' of {GROUP} ({point.value}) does not load: {error}"
        ) from error
    several = isinstance(found, Iterable) and not isinstance(found, str)
    listed: list[object] = list(cast(Iterable[object], found)) if several else [found]
    for each in listed:
        if not isinstance(each, Transformation):
            raise DiagnosticException(
                f"entry point '{point.name}' of {GROUP} ({point.value}) gives {each!r}; it must give a "
                "Transformation, or several"
            )
    return tuple(cast(list["Transformation[Any]"], listed))


def fingerprint() -> str:
    """
    What tells apart compilations with other transformations added: their places, and when these changed.

    It is asked for whenever a compiled model is looked up, and importing `importlib.metadata` would take a tenth of
    that: so what installed packages declare is read as text.
    """
    return repr((*map(_place, _REGISTERED), *_declarations()))


def _declarations() -> Iterator[tuple[str, str]]:
    """The package and the text of each file that declares entry points of ours."""
    for folder in dict.fromkeys(sys.path):
        with suppress(OSError), os.scandir(folder or ".") as entries:
            for entry in entries:
                if entry.name.endswith((".dist-info", ".egg-info")):
                    with suppress(OSError):
                        text = Path(entry.path, "entry_points.txt").read_text("utf-8", "replace")
                        if GROUP in text:
                            yield entry.name, text


def _place(transformation: Transformation[Any]) -> str:
    kind = type(transformation)
    file = getattr(sys.modules.get(kind.__module__), "__file__", None)
    changed = Path(file).stat().st_mtime_ns if file and Path(file).exists() else ""
    return f"{kind.__module__}.{kind.__qualname__} {changed}"
