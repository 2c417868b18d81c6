"""Chunks of frames of some streams, and what one process gives for them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from lowstream.cluster.keyed_streams import KeyedStreams
from lowstream.cluster.worker import ModelSpec, Worker

Chunk = tuple[list[int], dict[str, Any]]
STREAMS, CHUNKS, FRAMES = 6, 5, 3


def chunks() -> list[Chunk]:
    random = np.random.default_rng(0)
    keys = [*range(STREAMS)] * FRAMES
    return [
        (keys, {"X": random.normal(size=(len(keys), 1, 4)).astype(np.float32)})
        for _ in range(CHUNKS)
    ]


def run_alone(spec: ModelSpec) -> list[Any]:
    worker, snapshots = Worker(spec), {}
    results: list[Any] = []
    for keys, frames in chunks():
        outputs, snapshots = worker.step(keys, frames, snapshots)
        results.append(outputs["Y"])
    return results


def run_with_a_kill(streams: KeyedStreams, at: int, kill: Callable[[], None]) -> list[Any]:
    """The results of all chunks; while the one with this number runs, or waits to, `kill` ends a worker."""

    assert at + 1 < CHUNKS

    def given() -> Iterator[Chunk]:
        for number, chunk in enumerate(chunks()):
            if number == at + 1:
                kill()
            yield chunk

    return [results["Y"] for results in streams.run(given())]
