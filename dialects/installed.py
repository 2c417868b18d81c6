"""
What other installed packages declare for us by entry points: dialects and passes, as xDSL has it, in `xdsl.universe`,
LPT transformations in `lowstream.lpt`, composite functions in `lowstream.composites`.

    [project.entry-points."xdsl.universe"]
    my_package = "my_package.universe:UNIVERSE"
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

from xdsl.utils.exceptions import DiagnosticException

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

    from xdsl.ir import Dialect
    from xdsl.passes import ModulePass
    from xdsl.universe import Universe

UNIVERSES = "xdsl.universe"

T = TypeVar("T")

_OURS = ("lowstream", "xdsl")
"""The names under which we and xDSL declare universes: our tables name what is in them."""


def declared(group: str, kind: type[T]) -> list[T]:
    """
    The objects of a kind that the entry points of a group name, one or several each, by the points' names.

    Raises DiagnosticException, which names the entry point, where one does not load or gives something else.
    """
    return [each for _, objects in _points(group, kind) for each in objects]


def _points(group: str, kind: type[T]) -> Iterator[tuple[EntryPoint, tuple[T, ...]]]:
    from importlib.metadata import entry_points

    for point in sorted(entry_points(group=group)):
        if group != UNIVERSES or point.name not in _OURS:
            yield point, cast(tuple[T, ...], _loaded(point, kind))


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


def _collected(
    what: str, known: Mapping[str, Any], table: Callable[[Universe], dict[str, T]]
) -> dict[str, T]:
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


# --- what keys of executables ask -----------------------------------------------------------

_GROUP = re.compile(r"\[(xdsl\.universe|lowstream\.\w+)\]")
_PACKAGE = re.compile(r"^[^=\[\n]+=\s*([A-Za-z_]\w*)", re.MULTILINE)
"""The package whose object an entry point names, in the text of `entry_points.txt`."""


def fingerprint() -> Iterator[str]:
    """
    What tells apart environments in which other packages extend us: each that does, what it declares, and when its
    sources changed.

    It is asked for whenever a compiled model is looked up, and importing `importlib.metadata` would take a tenth of
    that: so what packages declare is read as text.
    """
    ours = tuple(f"{name}-" for name in _OURS)
    for folder in dict.fromkeys(sys.path):
        with suppress(OSError), os.scandir(folder or ".") as entries:
            for entry in entries:
                is_package = entry.name.endswith((".dist-info", ".egg-info"))
                if is_package and not entry.name.startswith(ours):
                    with suppress(OSError):
                        text = Path(entry.path, "entry_points.txt").read_text("utf-8", "replace")
                        if _GROUP.search(text):
                            yield repr((entry.name, text, *_changes(text)))


def _changes(text: str) -> Iterator[tuple[str, int]]:
    """The folders or files of the packages that a text names, and when a source in them last changed."""
    from importlib.util import find_spec

    for name in sorted(set(_PACKAGE.findall(text))):
        with suppress(ImportError, ValueError):
            if (spec := find_spec(name)) is not None:
                for place in spec.submodule_search_locations or (spec.origin,):
                    if place is not None:
                        yield place, _newest(Path(place))


def _newest(place: Path) -> int:
    sources = place.rglob("*.py") if place.is_dir() else (place,)
    return max((source.stat().st_mtime_ns for source in sources if source.exists()), default=0)
