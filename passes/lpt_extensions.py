"""
The transformations that packages downstream add to LPT's main step, by a call or by an entry point.

Beside `lpt`, so that what keys executables learns about them without loading all of LPT.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from xdsl.utils.exceptions import DiagnosticException

from .declarations import declarations
from .errors import shown

if TYPE_CHECKING:
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
    Makes a transformation part of every later run of `lpt`. Raises DiagnosticException where it is none, or its name
    is taken.
    """
    from .lpt.transformation import Transformation

    if not isinstance(cast(object, transformation), Transformation):
        raise DiagnosticException(
            f"not a Transformation, but {shown(transformation)}; register an object of a subclass"
        )
    if any(known.name == transformation.name for known in _REGISTERED):
        raise DiagnosticException(
            f"LPT transformation '{transformation.name}' is registered already; unregister it first"
        )
    if transformation.name in transformation_names():
        raise DiagnosticException(
            f"lpt has a transformation '{transformation.name}' already; give this one another name"
        )
    _REGISTERED.append(transformation)
    return transformation


def unregister(transformation: Transformation[Any]) -> None:
    """Takes back `register`."""
    _REGISTERED.remove(transformation)


def extensions() -> tuple[Transformation[Any], ...]:
    """All added transformations: registered ones, then those of installed packages."""
    from ..dialects.installed import declared
    from .lpt.transformation import Transformation

    return (*_REGISTERED, *declared(GROUP, Transformation))


def transformations() -> tuple[Transformation[Any], ...]:
    """All transformations of the main step: lpt's own, then added ones."""
    from .lpt.steps import MAIN

    return (*MAIN, *extensions())


def transformation_names() -> frozenset[str]:
    """All names that a configuration can disable."""
    from .lpt.steps import pattern_names

    return pattern_names() | {one.name for one in transformations()}


def fingerprint() -> str:
    """
    Identifies the extensions of a compilation: the files of registered transformations with their times of change, and
    the entry points of installed packages.
    """
    return repr((*map(_place, _REGISTERED), *declarations()))


def _place(transformation: Transformation[Any]) -> str:
    kind = type(transformation)
    file = getattr(sys.modules.get(kind.__module__), "__file__", None)
    changed = Path(file).stat().st_mtime_ns if file and Path(file).exists() else ""
    return f"{kind.__module__}.{kind.__qualname__} {changed}"
