"""
What a signal of 1,000 frames costs beside the kernels that it runs, and for how long it keeps another thread of Python
from running: the longest time between two rounds of its loop, without that for which it waited for a CPU. Where other
processes take those, both threads need precedence: a thread that asks for the interpreter waits for the one that gives
it up, whether that has a CPU or not.

    .venv/bin/python bench/sequence.py
    sudo chrt -f 5 .venv/bin/python bench/sequence.py

Costs are medians of the thread's CPU time, of `infer_sequence` and of as many calls of the program alone, from native
code, in turns, of which every second begins with the other. Each is repeated until it has taken long enough to be
measured. Another thread notes the longest pause of its loop during a signal, and during none.
"""

from __future__ import annotations

import ctypes
import os
import statistics
import threading
import time
from collections.abc import Callable

import numpy as np
from lstm_step import saved_model
from models import FRAME

import lowstream
from lowstream.runtime.aligned_buffers import table_of
from lowstream.tools.table import print_table

SIZES = (128, 256, 512)
FRAMES, ROUNDS, PAUSES = 1000, 40, 21

LEAST = 0.03
"""Seconds that are measured at once."""


def main() -> None:
    rows = [[f"{hidden} hidden", *measure(hidden)] for hidden in SIZES]
    columns = ("", "sequence, ms", "kernels, ms", "ratio", "longest pause, ms", "of none, ms")
    print_table(f"int8 LSTM, {FRAMES} frames", columns, rows)


def measure(hidden: int) -> list[str]:
    """The costs and their ratio, and the pauses."""
    with saved_model(hidden) as path:
        model = lowstream.read_model(path)
        lowstream.run_passes(model, "low-latency2,lpt")
        request = lowstream.compile_model(model, num_threads=1).create_infer_request()
    frames = np.random.default_rng(0).uniform(-1, 1, (FRAMES, 1, 1, FRAME)).astype(np.float32)

    def signal() -> None:
        request.infer_sequence([frames])

    signal()
    alone = kernels(request)
    whole, parts, pauses, quiet = [], [], [], []
    times = max(1, round(LEAST / cpu_time(signal, 1)))
    for number in range(ROUNDS):
        turns = [(whole, signal), (parts, alone)]
        for costs, run in turns if number % 2 else turns[::-1]:
            costs.append(cpu_time(run, times))
    for _ in range(PAUSES):  # by themselves, since threads leave the caches to what comes next
        pauses.append(longest_pause(signal))
        quiet.append(longest_pause(lambda: time.sleep(whole[-1])))
    middle = [statistics.median(each) * 1e3 for each in (whole, parts, pauses, quiet)]
    ratio = statistics.median(a / b for a, b in zip(whole, parts, strict=True))
    return [
        f"{middle[0]:.3f}",
        f"{middle[1]:.3f}",
        f"{ratio:.3f}",
        *(f"{m:.2f}" for m in middle[2:]),
    ]


def kernels(request: lowstream.InferRequest) -> Callable[[], None]:
    """As many calls of the request's program, one behind the other, that move nothing."""
    binding = request._binding
    assert binding is not None
    request.infer()  # leaves an arena in the frame

    def run() -> None:
        sequence = table_of([ctypes.addressof(binding._frame), FRAMES, 0])
        assert binding.program.call_sequence(ctypes.addressof(sequence)) == 0

    return run


def cpu_time(run: Callable[[], None], times: int) -> float:
    """Seconds of this thread, of one run of several."""
    begin = time.thread_time()
    for _ in range(times):
        run()
    return (time.thread_time() - begin) / times


def longest_pause(run: Callable[[], None]) -> float:
    """The longest time that another thread's loop stood still meanwhile, in seconds, though there was a CPU for it."""
    ended, begun, longest = threading.Event(), threading.Event(), 0.0

    def loop() -> None:
        nonlocal longest
        waits = os.open("/proc/thread-self/schedstat", os.O_RDONLY)

        def now() -> float:
            return time.perf_counter() - int(os.pread(waits, 99, 0).split()[1]) / 1e9

        before = now()
        begun.set()
        while not ended.is_set():
            longest, before = max(longest, (after := now()) - before), after
        os.close(waits)

    other = threading.Thread(target=loop)
    other.start()
    begun.wait()
    run()
    ended.set()
    other.join()
    return longest


if __name__ == "__main__":
    main()
