"""`--mlir-timing`: the time that reading, each pass and writing take, as MLIR's report has it."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from ...passes.instrumentation import PassInstrumentation

RULE = f"==={'-' * 73}==="
DISPLAYS = ("tree", "list")


def headed(title: str) -> str:
    """A title as MLIR's reports begin."""
    return f"{RULE}\n{f'... {title} ...':^79}".rstrip() + f"\n{RULE}"


@dataclass
class Timer:
    """A name, the seconds that it took in all, and what these are made of."""

    name: str
    seconds: float = 0.0
    children: dict[tuple[str, int], Timer] = field(default_factory=dict[tuple[str, int], "Timer"])
    _begun: Counter[str] = field(default_factory=Counter[str])
    """How often a child of a name has begun since this did: the parts of a file that is split share timers."""

    def begin(self) -> None:
        """What runs in it from now on is its first child of that name again."""
        self._begun.clear()

    def child(self, name: str) -> Timer:
        """The timer of what begins within it."""
        key = name, self._begun[name]
        self._begun[name] += 1
        timer = self.children.setdefault(key, Timer(name))
        timer.begin()
        return timer

    def walk(self, depth: int = 0) -> Iterator[tuple[int, Timer]]:
        """All timers below it, with how deep they are."""
        for child in self.children.values():
            yield depth, child
            yield from child.walk(depth + 1)


class Timing(PassInstrumentation):
    """Measures scopes, and passes as scopes."""

    def __init__(self) -> None:
        self.total = Timer("Total")
        self._running = [(self.total, time.perf_counter())]

    def before_pass(self, item: ModulePass, module: ModuleOp) -> None:
        self._begin(item.name)

    def after_pass(self, item: ModulePass, module: ModuleOp) -> None:
        self._end()

    def after_pass_failed(self, item: ModulePass, module: ModuleOp, error: Exception) -> None:
        self._end()

    @contextmanager
    def scope(self, name: str) -> Generator[None]:
        """Measures what runs within it."""
        self._begin(name)
        try:
            yield
        finally:
            self._end()

    def _begin(self, name: str) -> None:
        self._running.append((self._running[-1][0].child(name), time.perf_counter()))

    def _end(self) -> None:
        timer, begun = self._running.pop()
        timer.seconds += time.perf_counter() - begun

    def report(self, display: str) -> str:
        """What was measured until now: a tree, or a list of all that took time, the longest first."""
        total = self.total
        total.seconds = time.perf_counter() - self._running[0][1]
        rest = total.seconds - sum(child.seconds for child in total.children.values())
        if display == "tree":
            rows = [(depth, timer.name, timer.seconds) for depth, timer in total.walk()]
        else:
            sums: Counter[str] = Counter()
            for _, timer in total.walk():
                own = timer.seconds - sum(child.seconds for child in timer.children.values())
                sums[timer.name] += own  # pyright: ignore[reportArgumentType] - seconds
            rows = [(0, name, seconds) for name, seconds in sums.most_common()]
        rows += [(0, "Rest", max(rest, 0.0)), (0, total.name, total.seconds)]
        lines = [
            f"  {seconds:8.4f} ({seconds / total.seconds:6.1%})  {'  ' * depth}{name}"
            for depth, name, seconds in rows
        ]
        return "\n".join(
            [
                headed("Execution time report"),
                f"  Total Execution Time: {total.seconds:.4f} seconds",
                "",
                "  ----Wall Time----  ----Name----",
                *lines,
            ]
        )
