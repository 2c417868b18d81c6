"""
What other installed packages declare for us by entry points: dialects and passes, as xDSL has it, in `xdsl.universe`,
LPT transformations in `lowstream.lpt`, composite functions in `lowstream.composites`.

    [project.entry-points."xdsl.universe"]
    my_package = "my_package.universe:UNIVERSE"
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar, cast

from xdsl.utils.exceptions import DiagnosticException

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

    from xdsl.ir import Dialect
    from xdsl.passes import ModulePass
    from xdsl.universe import Universe
    from xdsl.utils.target import Target

UNIVERSES = "xdsl.universe"

T = TypeVar("T")

_OURS = ("lowstream", "xdsl")
"""The names under which xDSL and lowstream declare universes, which our tables cover already."""

_OUR_FOLDERS = tuple(f"{name}-" for name in _OURS)
"""Prefixes of the metadata folders of both."""


def declared(group: str, kind: type[T]) -> list[T]:
    """
    The objects of a kind that the entry points of a group name, one or several each, by the points' names.

    Raises DiagnosticException, which names the entry point, where one does not load or gives something else.
    """
    return [each for _, objects in _points(group, kind) for each in objects]


def _points(group: str, kind: type[T]) -> Iterator[tuple[EntryPoint, tuple[T, ...]]]:
    for point in _entry_points(group, tuple(sys.path)):
        if group != UNIVERSES or point.name not in _OURS:
            yield point, cast(tuple[T, ...], _loaded(point, kind))


@cache
def _entry_points(group: str, path: tuple[str, ...]) -> list[EntryPoint]:
    """The entry points of a group on a path."""
    if not any(_has_entry_points(group, folder) for folder in dict.fromkeys(path)):
        return []
    from importlib.metadata import entry_points

    return sorted(entry_points(group=group))


def _has_entry_points(group: str, folder: str) -> bool:
    """
    Whether a folder has other packages with entry points of a group, or is a file of packages. That is rare, and
    `importlib.metadata` takes as long to find out as several passes.
    """
    if os.path.isfile(folder) or folder.endswith(".egg"):
        return True
    with suppress(OSError), os.scandir(folder or ".") as entries:
        for entry in entries:
            is_package = entry.name.endswith((".dist-info", ".egg-info"))
            if is_package and not entry.name.startswith(_OUR_FOLDERS):
                with suppress(OSError), open(f"{entry.path}/entry_points.txt", "rb") as file:
                    if f"[{group}]".encode() in file.read():
                        return True
    return False


@cache
def _loaded(point: EntryPoint, kind: type[Any]) -> tuple[object, ...]:
    try:
        found: object = point.load()
    except Exception as error:  # whatever a package of others does while it is imported
        raise DiagnosticException(
            f"{_described(point)} does not load: {type(error).__name__}: {error}"
        ) from error
    is_one = isinstance(found, kind) or not isinstance(found, Iterable) or isinstance(found, str)
    listed: list[object] = [found] if is_one else list(cast(Iterable[object], found))
    for each in listed:
        if not isinstance(each, kind):
            raise DiagnosticException(
                f"{_described(point)} gives {each!r}; it must give a {kind.__name__}, or several"
            )
    return tuple(listed)


def _described(point: EntryPoint) -> str:
    return f"entry point '{point.name}' of {point.group} ({point.value})"


# --- dialects and passes --------------------------------------------------------------------


def installed_dialects(known: Mapping[str, Any]) -> dict[str, Callable[[], Dialect]]:
    """
    The dialects of other packages, each to be imported when first needed.

    Raises DiagnosticException where one has the name of one in `known` or of another.
    """
    return _collected("dialect", known, lambda universe: universe.all_dialects)


def installed_passes(known: Mapping[str, Any]) -> dict[str, Callable[[], type[ModulePass]]]:
    """The passes of other packages, in the same way."""
    return _collected("pass", known, lambda universe: universe.all_passes)


def installed_targets(known: Mapping[str, Any]) -> dict[str, Callable[[], type[Target]]]:
    """The formats in which other packages print modules, in the same way."""
    return _collected("target", known, lambda universe: universe.all_targets)


def _collected(
    what: str, known: Mapping[str, Any], table: Callable[[Universe], dict[str, T]]
) -> dict[str, T]:
    if not _entry_points(UNIVERSES, tuple(sys.path)):
        return {}
    from xdsl.universe import Universe

    found: dict[str, T] = {}
    for point, universes in _points(UNIVERSES, Universe):
        for name, each in (item for universe in universes for item in table(universe).items()):
            if name in known or name in found:
                raise DiagnosticException(
                    f"{_described(point)} declares the {what} '{name}', a name that is taken; "
                    "rename it there"
                )
            found[name] = each
    return found
