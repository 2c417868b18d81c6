"""Tables that modules fill when they are imported: operations of a dialect, rules, meanings and emitters."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, MutableMapping
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import Any, TypeVar

from xdsl.ir import Operation
from xdsl.irdl import IRDLOperation

KeyT = TypeVar("KeyT")
FunctionT = TypeVar("FunctionT", bound=Callable[..., Any])


def registered(
    table: MutableMapping[KeyT, Any], keys: Iterable[KeyT]
) -> Callable[[FunctionT], FunctionT]:
    """A decorator that enters a function into a table under some keys, and leaves it as it is."""

    def register(function: FunctionT) -> FunctionT:
        table.update(dict.fromkeys(keys, function))
        return function

    return register


@cache
def import_modules(package: str) -> None:
    """Imports every module of a package once, for what it registers."""
    for module in iter_modules(import_module(package).__path__):
        import_module(f"{package}.{module.name}")


def operations_of(dialect: str, namespace: Mapping[str, object]) -> list[type[Operation]]:
    """The operations of a dialect that a module defines or imports, in that order; abstract bases have no name."""
    return [
        value
        for value in namespace.values()
        if isinstance(value, type)
        and IRDLOperation in value.__mro__  # `issubclass` would ask all classes of operations
        and getattr(value, "name", "").startswith(f"{dialect}.")
    ]
