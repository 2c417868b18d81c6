"""
A call on all cores while another process keeps one of them busy: lowstream and OpenVINO, milliseconds of the clock in
turns. Without `--idle` the last of this process's CPUs has a loop of another process, of the same priority.

    .venv/bin/python bench/busy_core.py FILE.xml … [--time 8] [--idle]

The ratio is the median of those of neighbouring turns; above 1, lowstream is faster.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from statistics import median

from rich.progress import track

import lowstream
from lowstream.runtime.host import usable_cores
from lowstream.runtime.random_input import random_input
from lowstream.tools.peers import openvino
from lowstream.tools.table import print_table

TURNS = 12


@contextmanager
def busy(cpu: int) -> Generator[None]:
    """Inside, another process keeps a CPU busy."""
    process = subprocess.Popen([sys.executable, "-c", "while True: pass"])
    os.sched_setaffinity(process.pid, [cpu])
    try:
        yield
    finally:
        process.kill()
        process.wait()


def milliseconds(call: Callable[[], object], seconds: float) -> float:
    """The median of calls for so long, behind one that is not counted."""
    call()
    samples: list[float] = []
    end = time.perf_counter() + seconds
    while (began := time.perf_counter()) < end or not samples:
        call()
        samples.append((time.perf_counter() - began) * 1e3)
    return median(samples)


def measure(path: Path, threads: int, seconds: float) -> list[str]:
    """The name of a network, the milliseconds of both, and their ratio."""
    compiled = lowstream.compile_model(path, num_threads=threads)
    inputs = [random_input(port) for port in compiled.inputs]
    request = compiled.create_infer_request()
    for number, array in enumerate(inputs):
        request.set_tensor(number, array)
    calls = request.infer, openvino(path, inputs, threads, stateful=False)
    turns = [
        [milliseconds(call, seconds / TURNS / len(calls)) for call in calls]
        for _ in track(range(TURNS), path.stem, transient=True)
    ]
    ours, theirs = (median(times) for times in zip(*turns, strict=True))
    ratio = median(their / our for our, their in turns)
    return [path.stem, f"{ours:.2f}", f"{theirs:.2f}", f"{ratio:.2f}"]


def main() -> None:
    parser = argparse.ArgumentParser(description="A call on all cores, one of which is busy.")
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE.xml")
    parser.add_argument("--time", type=float, default=8.0, help="seconds for each network (8)")
    parser.add_argument("--idle", action="store_true", help="let all cores be free")
    options = parser.parse_args()
    threads = usable_cores()
    columns = ["", "lowstream, ms", "OpenVINO, ms", "ratio"]
    if options.idle:
        rows = [measure(path, threads, options.time) for path in options.files]
    else:
        with busy(max(os.sched_getaffinity(0))):
            rows = [measure(path, threads, options.time) for path in options.files]
    state = "free" if options.idle else "one of them busy"
    print_table(f"{threads} cores, {state}", columns, rows)


if __name__ == "__main__":
    main()
