"""Arguments by OpenVINO's names: its methods take one of several orders of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from typing import Any, TypeVar, cast

from ...passes.errors import DiagnosticError

Order = tuple[str, ...]
Method = TypeVar("Method", bound=Callable[..., Any])


def in_order(
    given: tuple[Any, ...], named: Mapping[str, Any], orders: Sequence[Order]
) -> tuple[Any, ...] | None:
    """All arguments by place; none where no order has these names behind those that are given by place."""
    if not named:
        return given
    for order in orders:
        rest = order[len(given) : len(given) + len(named)]
        if {*rest} == {*named}:
            return *given, *(named[name] for name in rest)
    return None


def by_name(*orders: Order) -> Callable[[Method], Method]:
    """
    A method that takes its arguments by these names, too.

        @by_name(("name", "tensor"), ("port", "tensor"))
        def set_tensor(self, key, array): ...

    It raises DiagnosticException for other names.
    """

    def decorate(method: Method) -> Method:
        @wraps(method)
        def called(self: Any, *given: Any, **named: Any) -> Any:
            if named:
                if (ordered := in_order(given, named, orders)) is None:
                    listed = " or ".join(f"({', '.join(order)})" for order in orders)
                    raise DiagnosticError(
                        f"{method.__name__} takes {listed}; {', '.join(named)} behind {len(given)} arguments is not so"
                    )
                given = ordered
            return method(self, *given)

        return cast(Method, called)

    return decorate
