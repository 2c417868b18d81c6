"""The kinds of composite functions that are known: users' own first, then Keras' and lingvo's."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import cast

from xdsl.utils.exceptions import DiagnosticException

from .composite import Composite

GROUP = "lowstream.composites"
"""
The entry points of packages that declare composites: each names a `Composite`, or several in an iterable.

    [project.entry-points."lowstream.composites"]
    my_cells = "my_package.composites:COMPOSITES"
"""

_REGISTERED: list[Composite] = []


def register(composite: Composite) -> Composite:
    """
    Makes a composite known to every later run of the pass. Raises DiagnosticException where its annotation is taken.
    """
    if any(known.annotation == composite.annotation for known in _REGISTERED):
        raise DiagnosticException(
            f"composite '{composite.annotation}' is registered already; unregister it first"
        )
    _REGISTERED.append(composite)
    return composite


def unregister(composite: Composite) -> None:
    """Takes back `register`."""
    _REGISTERED.remove(composite)


def composites() -> list[Composite]:
    """All that are known, in the order in which they are tried."""
    from . import keras, lingvo

    installed = [each for point in sorted(entry_points(group=GROUP)) for each in _loaded(point)]
    return [*_REGISTERED, *installed, *lingvo.COMPOSITES, *keras.COMPOSITES]


@cache
def _loaded(point: EntryPoint) -> tuple[Composite, ...]:
    try:
        found: object = point.load()
    except (ImportError, AttributeError) as error:
        raise DiagnosticException(
            f"entry point '{point.name}' of {GROUP} ({point.value}) does not load: {error}"
        ) from error
    listed = [found] if isinstance(found, Composite) else list(cast(Iterable[object], found))
    for each in listed:
        if not isinstance(each, Composite):
            raise DiagnosticException(
                f"entry point '{point.name}' of {GROUP} ({point.value}) gives {each!r}; it must give a "
                "Composite, or several"
            )
    return tuple(each for each in listed if isinstance(each, Composite))
