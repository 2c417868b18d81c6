"""The kinds of composite functions that are known: users' own first, then Keras' and lingvo's."""

from __future__ import annotations

from xdsl.utils.exceptions import DiagnosticException

from ...dialects.installed import declared
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

    return [*_REGISTERED, *declared(GROUP, Composite), *lingvo.COMPOSITES, *keras.COMPOSITES]
