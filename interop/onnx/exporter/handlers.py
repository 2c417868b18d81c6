"""The table of what ONNX says otherwise: for each kind of operation, the function that writes it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from xdsl.ir import Operation

from ....dialects.tables import registered

if TYPE_CHECKING:
    from .graph import Graph

Written = str | Sequence[str]
"""The names of results: as many as the operation has, or the only one."""

Handler = Callable[["Graph", Any], Written]

HandlerT = TypeVar("HandlerT", bound=Handler)

HANDLERS: dict[type[Operation], Handler] = {}
"""Kind of operation to handler; that of a base is for all of its kind."""


class DeclinedError(Exception):
    """What a handler raises, before it has written anything, where an operation is to be decomposed."""


def writes(*kinds: type[Operation]) -> Callable[[HandlerT], HandlerT]:
    """Registers the decorated function `(graph, op) -> names` for operations of these kinds."""
    return registered(HANDLERS, kinds)


def handler_of(op: Operation) -> Handler | None:
    """The handler of the nearest class."""
    return next((HANDLERS[kind] for kind in type(op).__mro__ if kind in HANDLERS), None)
