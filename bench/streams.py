"""
What a step of one of 256 streams costs: in a StreamPool, as a request for each stream, and what of it is arithmetic.

    .venv/bin/python bench/streams.py

First the memory of a process with 10,000 streams, without their states, frames and results and the weights.

Medians of the thread's CPU time, in turns, one thread. The last row is the model's products at the peak that a loop of
the same instructions reaches in registers.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

import numpy as np
from lstm_step import saved_model
from models import FRAME

import lowstream
from lowstream.lowering.machine import choose_isa
from lowstream.runtime.profiling.peak import peak_of
from lowstream.tools.table import print_table

STREAMS, HIDDEN, BATCH = 256, 256, 64
MANY = 10_000
ROUNDS, REPEATS = 21, 4
PRODUCTS = (FRAME + HIDDEN + 2 * HIDDEN) * 4 * HIDDEN
"""Multiply-accumulates of a step: two layers, four gates, inputs and states."""


def main() -> None:
    print(f"{MANY} streams: {beside_states(streaming_model()):.0f} MB beside states and weights\n")
    model = streaming_model()
    x = np.random.default_rng(0).random((STREAMS, 1, 1, FRAME), np.float32)
    pool = lowstream.StreamPool(model, STREAMS, num_threads=1)
    streams = [pool.open() for _ in range(STREAMS)]
    compiled = lowstream.compile_model(model, num_threads=1)
    requests = [compiled.create_infer_request() for _ in range(STREAMS)]
    model.reshape({0: [BATCH, 1, FRAME]})
    batch = lowstream.compile_model(model, num_threads=1).create_infer_request()
    rows = x[:BATCH, 0]

    def each() -> None:
        for request, frame in zip(requests, x, strict=True):
            request.infer([frame])

    runs: dict[str, tuple[Callable[[], object], int]] = {
        "a request for each stream": (each, STREAMS),
        "StreamPool": (lambda: pool.infer(streams, [x]), STREAMS),
        f"one request of {BATCH} rows": (lambda: batch.infer([rows]), BATCH),
    }
    costs: dict[str, list[float]] = {name: [] for name in runs}
    for _ in range(ROUNDS):
        for name, (run, steps) in runs.items():
            run()
            begin = time.thread_time()
            for _ in range(REPEATS):
                run()
            costs[name].append((time.thread_time() - begin) / REPEATS / steps * 1e6)
    costs["its products alone"] = [2 * PRODUCTS / peak_of(choose_isa(), True) / 1e3] * ROUNDS
    base = costs["a request for each stream"]
    print_table(
        f"int8 LSTM, two layers of {HIDDEN}, {STREAMS} streams",
        ("", "µs a step", "steps/s beside requests"),
        [
            [
                name,
                f"{median(cost):.2f}",
                f"{median(a / b for a, b in zip(base, cost, strict=True)):.2f}",
            ]
            for name, cost in costs.items()
        ],
    )


def streaming_model() -> lowstream.Model:
    """The model, whose states are kept."""
    with saved_model(HIDDEN) as path:
        model = lowstream.read_model(path)
    lowstream.run_passes(model, "low-latency2,lpt")
    return model


def beside_states(model: lowstream.Model) -> float:
    """Megabytes of this process while a pool has many streams, without what is counted by itself."""
    pool = lowstream.StreamPool(model, MANY, num_threads=1)
    streams = [pool.open() for _ in range(MANY)]
    x = np.ones((MANY, 1, 1, FRAME), np.float32)
    pool.infer(streams, [x])
    results = pool.infer(streams, [x])[0]
    programs = pool._batches._programs.values()
    counted = sum(array.nbytes for array in (*pool._store.arrays, x, results))
    counted += sum(memoryview(one.first.weights).nbytes for one in programs)
    (line,) = (
        line for line in Path("/proc/self/status").read_text().splitlines() if "VmRSS" in line
    )
    return (int(line.split()[1]) * 1024 - counted) / 1e6


if __name__ == "__main__":
    main()
