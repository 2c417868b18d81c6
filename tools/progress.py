"""A progress bar on a terminal for what takes longer than a moment: which pass runs, and how far it is."""

from __future__ import annotations

import sys
from collections.abc import Generator
from contextlib import contextmanager
from threading import Lock, Timer
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from ..passes.instrumentation import PassInstrumentation, instrumented

if TYPE_CHECKING:
    from rich.progress import Progress

MOMENT = 1.0
"""Seconds after which the bar appears."""


@contextmanager
def progress(title: str) -> Generator[None]:
    """Shows the bar while what runs within takes longer than a moment, and clears it then."""
    if not sys.stderr.isatty():
        yield
        return
    bar = _Bar(title)
    timer = Timer(MOMENT, bar.start)
    timer.daemon = True
    timer.start()
    try:
        with instrumented(bar):
            yield
    finally:
        timer.cancel()
        bar.stop()


class _Bar(PassInstrumentation):
    def __init__(self, title: str):
        self._title, self._what, self._done = title, "reading", 0.0
        self._bar: Progress | None = None
        self._lock = Lock()
        self._is_over = False

    def before_pass(self, item: ModulePass, module: ModuleOp) -> None:
        self.advanced(item.name, 0.0)

    def advanced(self, what: str, done: float) -> None:
        self._what, self._done = what, done
        self._show()

    def start(self) -> None:
        """Called by the timer, in a thread of its own."""
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

        with self._lock:
            if self._is_over:
                return
            columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
            self._bar = Progress(*columns, console=Console(stderr=True), transient=True)
            self._bar.add_task(self._title, total=None)
            self._bar.start()
        self._show()

    def stop(self) -> None:
        with self._lock:
            self._is_over = True
            if self._bar is not None:
                self._bar.stop()

    def _show(self) -> None:
        if self._bar is not None:
            total = 1.0 if self._done else None  # a pass does not say how far it is
            description = f"{self._title}: {self._what}"
            task = self._bar.task_ids[0]
            self._bar.update(task, description=description, total=total, completed=self._done)
