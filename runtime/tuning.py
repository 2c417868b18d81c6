"""
Tuning: measures schedules where they run, in whole models that count the time of each kernel.

A program is built for each candidate, the n-th with the n-th candidate of every kernel, and programs take turns. So a
kernel finds its weights and inputs in the same caches as always, with its threads, beside its neighbours. A kernel that
several threads divide counts as long as the thread with the largest share takes.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.exceptions import DiagnosticException

from ..dialects import kernel
from ..lowering.lower_to_kernels import Fused
from ..lowering.machine import Isa, choose_isa
from ..lowering.pack_weights import anchors, candidates
from ..lowering.tuning_configuration import TuningConfiguration, TuningConfigurations, description
from .build import Interface, executable_of
from .collector import collector_paused
from .executable import Executable
from .native import NativeProgram
from .requests.binding import Binding
from .specialize import has_unknown_states

if TYPE_CHECKING:
    from .aligned_buffers import Array

MOST_CANDIDATES = 8
"""The number of candidates of each kernel that are measured; the cost model's choice is among them."""

MOST_ALIKE = 3
"""The number of those with tiles of one width: the cost model is better at telling rows apart than widths."""

LEAST_TURNS = 5
"""Every candidate has at least so many turns, however little time there is."""

CALLS = 4
"""Calls in a turn; the first one finds caches that others have filled."""

NOISE = 0.02
"""A smaller difference is taken to be noise."""

Progress = Callable[[float], None]
"""A function that is told how much is done, as a part of all."""


@dataclass(frozen=True)
class Measured:
    """
    A kernel that occurs `count` times: its configuration before and the fastest one, with their times in nanoseconds
    per call.
    """

    kernel: str
    count: int
    before: TuningConfiguration
    best: TuningConfiguration
    nanoseconds_before: int
    nanoseconds: int

    @property
    def is_better(self) -> bool:
        """Whether a configuration wins by more than noise."""
        return self.nanoseconds < (1 - NOISE) * self.nanoseconds_before


@dataclass(frozen=True)
class TuningTask:
    """A model whose schedules are measured, for so many threads; `module` is the module that is lowered."""

    interface: Interface
    fused: Fused
    threads: int

    @classmethod
    def of(cls, module: ModuleOp, threads: int) -> TuningTask:
        """
        The task for a module as `build.prepared` gives it. Raises DiagnosticException where it cannot be compiled,
        or takes several programs.
        """
        if has_unknown_states(module):
            raise DiagnosticException(
                "schedules are measured for one program, and states of unknown size need many; declare their sizes"
            )
        return cls(Interface.of(module), Fused.of(module, choose_isa()), threads)

    @property
    def isa(self) -> Isa:
        """The instruction set."""
        return self.fused.isa

    def executable(self, configurations: TuningConfigurations) -> Executable:
        """The model with these schedules."""
        program = self.fused.program(configurations)
        return executable_of(program, self.interface, self.isa, False, self.threads)

    def candidates(self) -> dict[str, list[TuningConfiguration]]:
        """The candidates of each kernel, by description; the cost model's choice is the first."""
        found: dict[str, list[TuningConfiguration]] = {}
        for op in anchors(self.fused.module):
            if (name := description(op)) not in found:
                found[name] = list(_unlike(candidates(op, self.isa)))[:MOST_CANDIDATES]
        return found

    def measure(
        self, inputs: Sequence[Array], seconds: float, progress: Progress
    ) -> list[Measured]:
        """
        Measures all candidates for so many seconds, without the time that compiling takes. The winners are measured
        again in a program of their own: where weights lie in memory is luck, too.
        """
        options = self.candidates()
        if not options:
            return []
        rounds = [
            {name: each[n] for name, each in options.items() if n < len(each)}
            for n in range(max(map(len, options.values())))
        ]
        first = self._run([{}, *rounds[1:]], inputs, seconds / 2, lambda done: progress(0.8 * done))
        best = {
            name: each[_fastest([program.nanoseconds(name) for program in first[: len(each)]])]
            for name, each in options.items()
        }
        winners = {
            name: configuration
            for name, configuration in best.items()
            if configuration != options[name][0]
        }
        del first
        again = self._run(
            [{}, winners], inputs, seconds / 2, lambda done: progress(0.8 + 0.2 * done)
        )
        return [_measured(name, each[0], best[name], *again) for name, each in options.items()]

    def _run(
        self,
        configurations: Sequence[TuningConfigurations],
        inputs: Sequence[Array],
        seconds: float,
        progress: Progress,
    ) -> list[_Counting]:
        """Programs with these schedules, after they took turns for so many seconds."""
        programs: list[_Counting] = []
        for chosen in configurations:
            programs.append(_Counting(self, chosen, inputs))
            progress(len(programs) / len(configurations) / 2)
        _take_turns(programs, seconds, lambda done: progress((1 + done) / 2))
        return programs


def _unlike(configurations: Sequence[TuningConfiguration]) -> Iterator[TuningConfiguration]:
    """The first configurations of each width, in their order."""
    alike = Counter[int]()
    for configuration in configurations:
        alike[configuration.nr_vectors] += 1
        if alike[configuration.nr_vectors] <= MOST_ALIKE:
            yield configuration


def _fastest(times: Sequence[int]) -> int:
    return min(range(len(times)), key=times.__getitem__)


def _measured(
    name: str,
    before: TuningConfiguration,
    best: TuningConfiguration,
    model: _Counting,
    winner: _Counting,
) -> Measured:
    then, now = model.nanoseconds(name), winner.nanoseconds(name)
    if best == before or now >= then:
        best, now = before, then
    return Measured(name, model.names.count(name), before, best, then, now)


class _Counting:
    """A program with certain schedules that counts what each kernel takes: the least of all calls."""

    def __init__(
        self, task: TuningTask, configurations: TuningConfigurations, inputs: Sequence[Array]
    ):
        program = task.fused.program(configurations)
        kernels = [op for op in program.walk() if isinstance(op, kernel.KernelOp)]
        self.names = [_name(op) for op in kernels]
        executable = executable_of(program, task.interface, task.isa, True, task.threads)
        self._binding = Binding(NativeProgram(executable))
        for index, array in enumerate(inputs):
            self._binding.set_input(index, array)
        self._least: list[int] = []

    def call(self) -> None:
        """One call."""
        binding = self._binding
        binding.run()
        counts = list(binding.counters)
        self._least = list(map(min, self._least or counts, counts))

    def nanoseconds(self, name: str) -> int:
        """What the kernels of this description take together."""
        pairs = zip(self.names, self._least, strict=True)
        return sum(least for found, least in pairs if found == name)


def _name(op: kernel.KernelOp) -> str | None:
    """The description of a kernel, if it has anything to configure."""
    is_anchor = isinstance(op, kernel.ConvolutionOp | kernel.MatMulOp)
    return description(op) if is_anchor and op.layout is not None else None


def _take_turns(programs: Sequence[_Counting], seconds: float, progress: Progress) -> None:
    """Calls the programs one after the other, a few calls each, again and again."""
    begun, turns, done = time.perf_counter(), 0, 0.0
    with collector_paused():
        while done < 1:
            for program in programs:
                for _ in range(CALLS):
                    program.call()
            turns += 1
            done = min(turns / LEAST_TURNS, (time.perf_counter() - begun) / seconds)
            progress(min(done, 1.0))
