"""
Faster imports of the compiler. Python compiles the methods of dataclasses when it makes a class, which would be a fifth
of the import time, and most are never called. Here, they are compiled when first looked up.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Generator
from contextlib import contextmanager
from functools import partial
from typing import Any

_COMPILE = "_create_fn"
"""
The function that compiles a method in the `dataclasses` of Python 3.11 and 3.12; newer versions compile all methods of
a class at once.
"""


@contextmanager
def methods_compiled_later() -> Generator[None]:
    """Inside, dataclasses compile their methods when these are first looked up."""
    at_once = getattr(dataclasses, _COMPILE, None)
    if at_once is None or isinstance(at_once, partial):  # ours, where another thread imports, too
        yield
        return
    setattr(dataclasses, _COMPILE, partial(_Later, at_once))
    try:
        yield
    finally:
        setattr(dataclasses, _COMPILE, at_once)


class _Later:
    """A method of a class that is not compiled yet, by `compile(name, …)`. Whoever looks it up finds the method."""

    __slots__ = ("__name__", "_method")

    def __init__(self, compile: Callable[..., Any], name: str, *given: Any, **more: Any):
        self.__name__ = name
        self._method = partial(compile, name, *given, **more)

    def __get__(self, instance: object, owner: type) -> Any:
        method = self._compiled()
        for base in owner.__mro__:
            if base.__dict__.get(self.__name__) is self:
                method.__qualname__ = f"{base.__qualname__}.{self.__name__}"
                setattr(base, self.__name__, method)
        return method.__get__(instance, owner)

    def __call__(self, instance: object) -> Any:
        """`dataclasses` wraps `__repr__`, so that nobody looks this up."""
        return self._compiled()(instance)

    def _compiled(self) -> Any:
        method = self._method()
        self._method = lambda: method
        return method
