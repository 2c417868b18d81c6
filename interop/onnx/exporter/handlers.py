"""The table of operations that ONNX defines differently: the function that writes each kind of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from xdsl.ir import Operation

from ....dialects.tables import registered

if TYPE_CHECKING:
    from .graph import GraphWriter

Written = str | Sequence[str]
"""The names of results: as many as the operation has, or the only one."""

Handler = Callable[["GraphWriter", Any], Written]

HandlerT = TypeVar("HandlerT", bound=Handler)

HANDLERS: dict[type[Operation], Handler] = {}
"""By kind of operation, its handler. The handler of a base class is for all of its subclasses."""


class DeclinedError(Exception):
    """Raised by a handler, before it has written anything, to have the operation decomposed."""


def writes(*kinds: type[Operation]) -> Callable[[HandlerT], HandlerT]:
    """Registers the decorated function `(graph, op) -> names` for operations of these kinds."""
    return registered(HANDLERS, kinds)


def handler_of(op: Operation) -> Handler | None:
    """The handler of the nearest base class."""
    return next((HANDLERS[kind] for kind in type(op).__mro__ if kind in HANDLERS), None)
