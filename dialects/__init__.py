"""The dialects: operations, types, attributes, verifiers and shape inference."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from functools import cache
from importlib import import_module

from xdsl.context import Context
from xdsl.ir import Attribute, Dialect, Operation, TypeAttribute

from .installed import installed_dialects


def _lazily(module: str, name: str) -> Callable[[], Dialect]:
    def load() -> Dialect:
        return getattr(import_module(module, __name__), name)

    return load


DIALECTS: dict[str, Callable[[], Dialect]] = {
    "nn": _lazily(".nn", "Nn"),
    "qnn": _lazily(".qnn", "Qnn"),
    "infra": _lazily(".infra", "Infra"),
    "rnn": _lazily(".rnn", "Rnn"),
    "quant": _lazily(".quant", "Quant"),
    "tfl": _lazily(".tfl", "Tfl"),
    "kernel": _lazily(".kernel", "Kernel"),
}
"""Our dialects by name; each is imported when first needed."""


FOREIGN = ("tf", "tf_executor", "tf_saved_model", "tf_type", "tfl")
"""
Dialects of other projects that models come in. Operations without a definition here are allowed, and passes read them
by name.
"""


def _is_foreign(name: str) -> bool:
    return name.split(".")[0] in FOREIGN


@cache
def _unregistered(name: str) -> type[Operation]:
    """
    The class of an unregistered operation, shared by all contexts: for each new class, Python's `isinstance` goes
    through all operations again.
    """
    from xdsl.dialects.builtin import UnregisteredOp

    return UnregisteredOp.with_name(name)


class _Context(Context):
    """A context in which operations of `FOREIGN` dialects may be unregistered, and no others."""

    def get_optional_op(
        self, name: str, *, dialect_stack: Sequence[str] = ()
    ) -> type[Operation] | None:
        known = super().get_optional_op(name, dialect_stack=dialect_stack)
        return _unregistered(name) if known is None and _is_foreign(name) else known

    def get_optional_type(self, name: str) -> type[TypeAttribute] | None:
        with self._foreign(name):
            return super().get_optional_type(name)

    def get_optional_attr(self, name: str) -> type[Attribute] | None:
        with self._foreign(name):
            return super().get_optional_attr(name)

    @contextmanager
    def _foreign(self, name: str) -> Generator[None]:
        before = self.allow_unregistered
        self.allow_unregistered = before or _is_foreign(name)
        yield
        self.allow_unregistered = before


def context() -> Context:
    """
    A context with our dialects, xDSL's, and those that installed packages declare. Operations of other models' dialects
    are allowed.
    """
    from xdsl.dialects import get_all_dialects

    ctx = _Context()
    known = {**get_all_dialects(), **DIALECTS}
    for name, factory in {**known, **installed_dialects(known)}.items():
        ctx.register_dialect(name, factory)
    return ctx
