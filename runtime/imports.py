"""
Faster imports of the compiler. Python compiles the methods of dataclasses when it makes a class, which would be a fifth
of the import time, and most are never called. Here, they are compiled when first looked up, and the docstring that a
dataclass without one gets, its signature, is made when it is first read. xDSL parses the formats of
its operations when it makes their classes, a tenth. Here, they are parsed when an operation is first parsed or printed.
The threads of NumPy's OpenBLAS begin with a long wait. Here, they sleep soon.
"""

from __future__ import annotations

import dataclasses
import inspect
import os
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from functools import cache, partial
from operator import attrgetter
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from xdsl.irdl.declarative_assembly_format import FormatProgram

_COMPILE = "_create_fn"
"""
The function that compiles a method in the `dataclasses` of Python 3.11 and 3.12; newer versions compile all methods of
a class at once.
"""

_PROCESS = "_process_class"
"""The function of `dataclasses` that makes a class a dataclass."""

_WAIT = "OPENBLAS_THREAD_TIMEOUT"
"""The environment variable that says for how many cycles, as a power of two, a thread of OpenBLAS spins while idle."""

_SHORT = "20"
"""A third of a millisecond; by default it is 26, and each process spends 20 ms on that."""


@contextmanager
def threads_sleep_soon() -> Generator[None]:
    """Inside, NumPy is loaded with threads that spin for a short time, unless the user says how long they do."""
    if "numpy" in sys.modules or _WAIT in os.environ:
        yield
        return
    os.environ[_WAIT] = _SHORT
    try:
        yield
    finally:
        del os.environ[_WAIT]


@contextmanager
def methods_compiled_later() -> Generator[None]:
    """Inside, dataclasses compile their methods, and write docstrings, when these are first looked up."""
    later = {_COMPILE: _Later, _PROCESS: _documented_later}
    at_once = {name: getattr(dataclasses, name, None) for name in later}
    if any(each is None or isinstance(each, partial) for each in at_once.values()):
        yield  # another Python; or ours, where another thread imports, too
        return
    for name, each in at_once.items():
        setattr(dataclasses, name, partial(later[name], each))
    try:
        yield
    finally:
        for name, each in at_once.items():
            setattr(dataclasses, name, each)


def _documented_later(
    process: Callable[..., type[Any]], cls: type[Any], *given: Any, **more: Any
) -> type[Any]:
    """A dataclass by `process(cls, …)`. If it has no docstring, it gets its own one, but later."""
    if cls.__doc__:
        return process(cls, *given, **more)
    cls.__doc__ = cls.__name__  # so that it gets none now, which takes as long as the rest
    made = process(cls, *given, **more)
    made.__doc__ = cast(str, _LaterDocstring())
    return made


class _LaterDocstring:
    """The docstring of a dataclass that was declared without one."""

    def __get__(self, instance: object, owner: type[Any]) -> str:
        signature = str(inspect.signature(owner)).replace(" -> None", "")
        owner.__doc__ = text = owner.__name__ + signature
        return text


class _Later:
    """A method of a class that is not compiled yet, by `compile(name, …)`. Whoever looks it up finds the method."""

    __slots__ = ("__name__", "_method")

    def __init__(self, compile: Callable[..., Any], name: str, *given: Any, **more: Any):
        self.__name__ = name
        self._method = partial(compile, name, *given, **more)

    def __get__(self, instance: object, owner: type) -> Any:
        for base in owner.__mro__:
            if vars(base).get(self.__name__) is self:
                method = _equality(base) if self.__name__ == "__eq__" else self._compiled()
                method.__qualname__ = f"{base.__qualname__}.{self.__name__}"
                setattr(base, self.__name__, method)
                return method.__get__(instance, owner)
        return self._compiled().__get__(instance, owner)  # another thread has just set it

    def __call__(self, instance: object) -> Any:
        """`dataclasses` wraps `__repr__`, so that nobody looks this up."""
        return self._compiled()(instance)

    def _compiled(self) -> Any:
        method = self._method()
        self._method = lambda: method
        return method


def _equality(cls: type[Any]) -> Callable[[Any, Any], Any]:
    """The `__eq__` of a dataclass, which `dataclasses` would compile: that takes as long as a hundred comparisons."""
    names = [each.name for each in dataclasses.fields(cls) if each.compare]

    def values_of(this: Any) -> Any:
        return tuple([getattr(this, name) for name in names])

    values = attrgetter(*names) if len(names) > 1 else values_of

    def equal(self: Any, other: Any) -> Any:
        if other is self:  # as types mostly are, of which each is made once
            return True
        return (
            values(self) == values(other) if other.__class__ is self.__class__ else NotImplemented
        )

    equal.__name__ = "__eq__"
    return equal


@contextmanager
def formats_parsed_later() -> Generator[None]:
    """Inside, operations that xDSL defines parse their `assembly_format` when this is first needed. It loads xDSL."""
    from xdsl.irdl.declarative_assembly_format import FormatProgram

    at_once = FormatProgram.from_str
    if isinstance(at_once, partial):  # ours, where another thread imports, too
        yield
        return
    setattr(FormatProgram, "from_str", staticmethod(partial(_LaterFormat, at_once)))  # noqa: B010
    try:
        yield
    finally:
        FormatProgram.from_str = staticmethod(at_once)


class _LaterFormat:
    """A format that is not parsed yet, by `parse(text, …)`. It parses and prints operations as the parsed one does."""

    def __init__(self, parse: Callable[..., FormatProgram], *given: Any):
        self._parsed = cache(partial(parse, *given))

    def parse(self, *given: Any) -> Any:
        return self._parsed().parse(*given)

    def print(self, *given: Any) -> None:
        self._parsed().print(*given)
