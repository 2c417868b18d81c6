"""What was answered, how often and how long it took: for Prometheus, and as Triton's statistics."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram
from prometheus_client.exposition import generate_latest

from .protocol import VERSION

if TYPE_CHECKING:
    from .service import Service

QUEUE, INPUT, INFER, OUTPUT = STAGES = ("queue", "compute_input", "compute_infer", "compute_output")
"""Triton's names: until somebody takes the request, reads it, computes, and writes the answer."""

SUCCESS, FAIL, FROM_CACHE = "success", "fail", "cache_hit"


@dataclass
class Total:
    """How often, and how many nanoseconds in all."""

    count: int = 0
    ns: int = 0

    def add(self, nanoseconds: int) -> None:
        self.count += 1
        self.ns += nanoseconds


@dataclass
class StopWatch:
    """When a request came, and when each of its stages was done, in nanoseconds."""

    came: int = field(default_factory=time.perf_counter_ns)
    done: list[int] = field(default_factory=list[int])

    def lap(self) -> None:
        """The next stage is done."""
        self.done.append(time.perf_counter_ns())

    @property
    def stages(self) -> list[int]:
        """The nanoseconds of each stage."""
        return [
            end - begin for begin, end in zip([self.came, *self.done[:-1]], self.done, strict=True)
        ]


class Measures:
    """Of one model. Its methods are called by one thread."""

    service: Service | None = None
    """The model, from when it is compiled."""

    def __init__(self, name: str):
        self._name = name
        self._registry = registry = CollectorRegistry()
        self._requests = Counter(
            "lowstream_requests", "Requests by their status", ["status"], registry=registry
        )
        self._seconds = Histogram(
            "lowstream_request_seconds", "Seconds of an inference", registry=registry
        )
        Gauge("lowstream_sequences", "Sequences with states", registry=registry).set_function(
            lambda: self.service.sequences if self.service else 0
        )
        self._answered = self._requests.labels(200)
        self._totals = {name: Total() for name in (SUCCESS, FAIL, *STAGES, FROM_CACHE)}
        self._last = 0

    def succeeded(self, watch: StopWatch) -> None:
        """An inference was answered."""
        nanoseconds = watch.done[-1] - watch.came
        self._answered.inc()
        self._seconds.observe(nanoseconds / 1e9)
        self._totals[SUCCESS].add(nanoseconds)
        for stage, each in zip(STAGES, watch.stages, strict=True):
            self._totals[stage].add(each)
        self._last = time.time_ns() // 1_000_000

    def failed(self, watch: StopWatch) -> None:
        """An inference was refused; which status it got is counted where it is refused."""
        self._totals[FAIL].add(time.perf_counter_ns() - watch.came)

    def refused(self, status: int) -> None:
        """A request of any kind got this status."""
        self._requests.labels(status).inc()

    def text(self) -> bytes:
        """As Prometheus reads it."""
        return generate_latest(self._registry)

    def statistics(self) -> dict[str, Any]:
        """As Triton's extension `statistics` has it; a batch is what runs at once, whoever sent it."""
        count = self._totals[SUCCESS].count
        batches = self.service.batches if self.service else None
        statistics: dict[str, Any] = {
            "name": self._name,
            "version": VERSION,
            "last_inference": self._last,
            "inference_count": count,
            "execution_count": count if batches is None else batches,
            "inference_stats": {name: vars(total) for name, total in self._totals.items()},
            "batch_stats": [],
        }
        return {"model_stats": [statistics]}
