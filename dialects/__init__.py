"""What can be said: operations, types, attributes, verifiers and shape inference."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

from xdsl.context import Context
from xdsl.ir import Dialect


def _lazily(module: str, name: str) -> Callable[[], Dialect]:
    def load() -> Dialect:
        return getattr(import_module(module, __name__), name)

    return load


DIALECTS: dict[str, Callable[[], Dialect]] = {
    "nn": _lazily(".nn", "Nn"),
    "qnn": _lazily(".qnn", "Qnn"),
    "infra": _lazily(".infra", "Infra"),
    "rnn": _lazily(".rnn", "Rnn"),
    "tfl": _lazily(".tfl", "Tfl"),
    "kernel": _lazily(".kernel", "Kernel"),
}
"""Our dialects by name; each is imported when first needed."""


def context() -> Context:
    """A context that knows our dialects and xDSL's."""
    from xdsl.dialects import get_all_dialects

    ctx = Context()
    for name, factory in {**get_all_dialects(), **DIALECTS}.items():
        ctx.register_dialect(name, factory)
    return ctx
