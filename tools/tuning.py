"""`benchmark-tool --tune`: which schedules are fastest here, and whether the whole model is faster with them."""

from __future__ import annotations

import sys
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from .options import read
from .progress import progress
from .table import print_table

if TYPE_CHECKING:
    from ..interop.model import Model
    from ..runtime.compiled import CompiledModel
    from ..runtime.tuning import Measured, TuningTask
    from .measure import Contender

TUNED, UNTUNED = "lowstream", "untuned"


@dataclass(frozen=True)
class Tuning:
    """What was measured of a model's kernels."""

    task: TuningTask
    measured: Sequence[Measured]

    @classmethod
    def of(
        cls, model: Path | Model, title: str, passes: str, threads: int, seconds: float
    ) -> Tuning:
        """
        Measures for so many seconds, beside the time that compiling takes, and prints what each kernel takes. Raises
        DiagnosticException where the model cannot be compiled or measured.
        """
        from ..passes.legalize import legalized
        from ..runtime.build import ports_of, prepared
        from ..runtime.cache.tuned import writable_path_of
        from ..runtime.random_input import random_input
        from ..runtime.tuning import TuningTask

        writable_path_of(threads)  # known before a long run
        with progress(title):
            module = prepared(legalized(read(model).module), passes)
        inputs = [random_input(port) for port in ports_of(module)[0]]
        task = TuningTask.of(module, threads)
        with _progress() as advance:
            measured = task.measure(inputs, seconds, advance)
        print_table(
            f"{title}: µs in a call, {task.isa.name}, threads {threads}",
            *kernel_table(measured),
        )
        return cls(task, measured)

    @property
    def wins(self) -> Mapping[str, Measured]:
        """Kernels for which something is faster than what the cost model chose."""
        return {each.kernel: each for each in self.measured if each.is_better}

    def programs(self) -> dict[str, CompiledModel]:
        """The model with what is fastest, and with what the cost model chooses where that is not the same."""
        from ..runtime.compiled import CompiledModel

        untuned = CompiledModel.of(self.task.executable({}))
        if not self.wins:
            return {TUNED: untuned}
        best = {kernel: each.best for kernel, each in self.wins.items()}
        return {TUNED: CompiledModel.of(self.task.executable(best)), UNTUNED: untuned}

    def keep(self, contenders: Sequence[Contender]) -> None:
        """Stores what is fastest if the whole model is faster with it, and says so."""
        from ..runtime.cache.tuned import store

        medians = {contender.name: contender.percentiles[0] for contender in contenders}
        is_faster = UNTUNED in medians and medians[TUNED] < medians[UNTUNED]
        wins: Mapping[str, Measured] = self.wins if is_faster else {}
        configurations = {
            each.kernel: each.best if each.kernel in wins else None for each in self.measured
        }
        path = store(self.task.threads, self.task.isa.name, configurations)
        if wins:
            print(f"{len(wins)} of {len(configurations)} schedules stored in {path}")
        elif self.wins:
            print("No schedules stored: the whole model is not faster with them")
        else:
            print("No schedules stored: none is faster than what the cost model chooses")


def kernel_table(measured: Sequence[Measured]) -> tuple[list[str], list[list[str]]]:
    """Columns and rows: what the cost model chooses for each kernel, and what is fastest where that wins."""
    columns = ["kernel", "times", "chosen", "µs", "best", "µs", "gain"]
    rows: list[list[str]] = []
    for each in measured:
        best = ["", "", ""]
        if each.is_better:
            gain = 1 - each.nanoseconds / each.nanoseconds_before
            best = [str(each.best), f"{each.nanoseconds / 1000:.2f}", f"{gain:.0%}"]
        before = [str(each.count), str(each.before), f"{each.nanoseconds_before / 1000:.2f}"]
        rows.append([each.kernel, *before, *best])
    return columns, rows


@contextmanager
def _progress() -> Generator[Callable[[float], None]]:
    """Shows on a terminal which part is done."""
    if not sys.stderr.isatty():
        yield lambda done: None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("measuring schedules", total=1.0)
        yield lambda done: bar.update(task, completed=done)
