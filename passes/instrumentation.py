"""
Instrumentation of passes, nested ones included: for timing, for printing the IR between them, and for statistics. It is
MLIR's PassInstrumentation, and costs nothing where nobody uses it.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.passes import ModulePass

from ..dialects.mapped import drop_mapped_pages

T = TypeVar("T")


class PassInstrumentation:
    """Is called around passes. Each method does nothing until a subclass overrides it."""

    def before_pass(self, item: ModulePass, module: ModuleOp) -> None:
        """A pass is about to run."""

    def after_pass(self, item: ModulePass, module: ModuleOp) -> None:
        """A pass has run."""

    def after_pass_failed(self, item: ModulePass, module: ModuleOp, error: Exception) -> None:
        """A pass has raised an error, or left a module that is not valid."""

    def remarked(self, op: Operation, what: str) -> None:
        """The running pass says why it left this operation unchanged."""

    def advanced(self, what: str, done: float) -> None:
        """This part of a long computation that is no pass is done, from 0 to 1."""

    def rewritten(self, pattern: str) -> None:
        """A pattern of this name in the running pass has rewritten something."""


_ACTIVE = ContextVar[tuple[PassInstrumentation, ...]]("_ACTIVE", default=())


@contextmanager
def instrumented(*instrumentations: PassInstrumentation) -> Generator[None]:
    """Inside, these instrumentations are called. The last ones are nearest to the pass."""
    token = _ACTIVE.set((*_ACTIVE.get(), *instrumentations))
    try:
        yield
    finally:
        _ACTIVE.reset(token)


def apply_pass(
    item: ModulePass,
    ctx: Context,
    module: ModuleOp,
    check: Callable[[], None] | None = None,
) -> None:
    """
    Runs a pass, and then a check of the module. The pass fails if either raises an error. Pages of files that it read
    constants from are dropped afterwards.
    """
    active = _ACTIVE.get()
    for each in active:
        each.before_pass(item, module)
    try:
        item.apply(ctx, module)
        if check is not None:
            check()
    except Exception as error:
        for each in reversed(active):
            each.after_pass_failed(item, module, error)
        raise
    drop_mapped_pages()
    for each in reversed(active):
        each.after_pass(item, module)


def tracked(items: Iterable[T], what: str) -> Iterator[T]:
    """The items one after the other; reports what is done, and how much."""
    every = list(items)
    for number, item in enumerate(every):
        for each in _ACTIVE.get():
            each.advanced(what, number / len(every))
        yield item


def note_remark(op: Operation, what: str) -> None:
    """Says why the pass that runs left an operation as it was."""
    for each in _ACTIVE.get():
        each.remarked(op, what)


def note_rewrite(pattern: str) -> None:
    """Says that a pattern of this name has rewritten something."""
    for each in _ACTIVE.get():
        each.rewritten(pattern)
