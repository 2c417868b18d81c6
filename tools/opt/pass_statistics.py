"""`--mlir-pass-statistics`: how many operations each pass was given and left, and what its patterns rewrote."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from ...passes.instrumentation import PassInstrumentation

COLUMNS = ("pass", "operations before", "after", "rewrites")


@dataclass
class _Run:
    """A pass in its place: how deep it is within others, and what was counted."""

    name: str
    depth: int
    before: int
    after: str = "failed"
    rewrites: Counter[str] = field(default_factory=Counter[str])


class PassStatistics(PassInstrumentation):
    """Counts operations and rewrites."""

    def __init__(self) -> None:
        self._runs: list[_Run] = []
        self._running: list[_Run] = []

    def before_pass(self, item: ModulePass, module: ModuleOp) -> None:
        run = _Run(item.name, len(self._running), _count(module))
        self._runs.append(run)
        self._running.append(run)

    def after_pass(self, item: ModulePass, module: ModuleOp) -> None:
        self._running.pop().after = str(_count(module))

    def after_pass_failed(self, item: ModulePass, module: ModuleOp, error: Exception) -> None:
        self._running.pop()

    def rewritten(self, pattern: str) -> None:
        if self._running:
            self._running[-1].rewrites[pattern] += 1

    def rows(self) -> list[list[str]]:
        """A row for each pass, and below it one for each of its patterns that rewrote something."""
        rows: list[list[str]] = []
        for run in self._runs:
            indent, total = "  " * run.depth, run.rewrites.total()
            rows.append([indent + run.name, str(run.before), run.after, str(total or "")])
            for pattern, count in run.rewrites.most_common():
                rows.append([f"{indent}    {pattern}", "", "", str(count)])
        return rows


def _count(module: ModuleOp) -> int:
    """The operations of a module but itself."""
    return sum(1 for _ in module.walk()) - 1
