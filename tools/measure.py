"""Measures calls against each other: in turns, in one process, so that a busy machine slows all of them."""

from __future__ import annotations

import time
from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Self

from ..runtime.collector import collector_paused

TURNS = 40
"""How often each contender has its turn."""

WARM_UP = 0.1
"""Seconds that each contender runs before anything counts."""

SETTLING = 0.02
"""
Seconds that each contender runs in its turn before anything counts. A core slows down for wide multiplications and
for waiting, and takes some 15 ms to be as fast as the calls of one runtime alone leave it; and what the contender
before left in the caches is gone then.
"""

PERCENTILES = (50.0, 90.0, 99.0, 99.9)


@dataclass
class Contender:
    """A call under a name, and the nanoseconds that each of its calls took."""

    name: str
    call: Callable[[], object]
    samples: array[int] = field(default_factory=lambda: array("q"))
    first: float = 0.0
    """Microseconds of the first call, which no other is like: memory is touched, threads start."""

    @classmethod
    def started(cls, name: str, call: Callable[[], object]) -> Self:
        """A call after its first one."""
        began = time.perf_counter_ns()
        call()
        return cls(name, call, first=(time.perf_counter_ns() - began) / 1000)

    def settle(self) -> None:
        """Calls until the processor is as these calls leave it, and keeps nothing."""
        kept = len(self.samples)
        self.run(SETTLING)
        del self.samples[kept:]

    def run(self, seconds: float) -> None:
        """Calls for so long, at least once, and keeps what each call took."""
        call, now, keep = self.call, time.perf_counter_ns, self.samples.append
        end = now() + int(seconds * 1e9)
        while True:
            started = now()
            call()
            finished = now()
            keep(finished - started)
            if finished > end:
                return

    @property
    def percentiles(self) -> list[float]:
        """Microseconds at PERCENTILES; the first is the median."""
        ordered = sorted(self.samples)
        last = len(ordered) - 1
        return [ordered[round(last * percent / 100)] / 1000 for percent in PERCENTILES]


REST = 0.1
"""Seconds before a turn of several threads: those of ONNX Runtime go on spinning for about so long after a call, and
take the cores from whoever comes next."""


def take_turns(contenders: Sequence[Contender], seconds: float, rest: float = 0.0) -> None:
    """
    Runs all contenders, `seconds` in total, a little at a time. Each turn begins with calls that do not count, after a
    `rest` if there is one.
    """
    for contender in contenders:
        contender.run(WARM_UP)
        del contender.samples[:]
    with collector_paused():
        for _ in range(TURNS):
            for contender in contenders:
                if rest:
                    time.sleep(rest)
                contender.settle()
                contender.run(seconds / TURNS / len(contenders))
