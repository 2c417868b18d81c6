"""`--remarks-filter`: why passes left operations as they were."""

from __future__ import annotations

import re
from collections.abc import Callable

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.passes import ModulePass

from ...dialects.inferred import label
from ...passes.instrumentation import PassInstrumentation


class Remarks(PassInstrumentation):
    """Passes on what passes of some names say of operations."""

    def __init__(self, names: re.Pattern[str], say: Callable[[Operation, str], None]):
        self._names, self._say = names, say
        self._running: list[str] = []

    def before_pass(self, item: ModulePass, module: ModuleOp) -> None:
        self._running.append(item.name)

    def after_pass(self, item: ModulePass, module: ModuleOp) -> None:
        self._running.pop()

    def after_pass_failed(self, item: ModulePass, module: ModuleOp, error: Exception) -> None:
        self._running.pop()

    def remarked(self, op: Operation, what: str) -> None:
        if any(map(self._names.search, self._running)):
            self._say(op, f"{self._running[-1]}: {label(op)}: {what}")
