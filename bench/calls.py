"""
What a call costs beside its native code: a model that adds two arrays of three numbers, and OpenVINO's of it.

    .venv/bin/python bench/calls.py
"""

from __future__ import annotations

import gc
from collections.abc import Callable
from statistics import median
from time import process_time_ns
from typing import Any

import numpy as np
import openvino
from openvino import opset13

import lowstream

CALLS, ROUNDS = 2_000, 30

ONE: Any = np.ones((1, 3), np.float32)


def network() -> Any:
    make: Any = openvino.Model
    a = opset13.parameter([1, 3], np.float32, name="a")
    b = opset13.parameter([1, 3], np.float32, name="b")
    for port in (a, b):
        port.output(0).set_names({port.friendly_name})
    return make([opset13.add(a, b)], [a, b], "sum")


def nanoseconds(call: Callable[[], object]) -> float:
    """What one call took, of many."""
    begin = process_time_ns()
    for _ in range(CALLS):
        call()
    return (process_time_ns() - begin) / CALLS


def ways(request: Any) -> dict[str, Callable[[], object]]:
    both = {"a": ONE, "b": ONE}
    request.infer(both)

    def asynchronous() -> None:
        request.start_async()
        request.wait()

    return {
        "infer(), inputs set once": request.infer,
        "infer({name: array, …})": lambda: request.infer(both),
        "infer([array, …])": lambda: request.infer([ONE, ONE]),
        "start_async(), wait()": asynchronous,
    }


def main() -> None:
    model = network()
    config = {"INFERENCE_NUM_THREADS": 1}
    requests: dict[str, Any] = {
        "lowstream": lowstream.compile_model(model, num_threads=1).create_infer_request(),
        "OpenVINO": openvino.compile_model(model, "CPU", config).create_infer_request(),
    }
    calls = {
        (name, way): call for name, each in requests.items() for way, call in ways(each).items()
    }
    gc.disable()
    took: dict[tuple[str, str], list[float]] = {key: [] for key in calls}
    for _ in range(ROUNDS):
        for key, call in calls.items():
            took[key].append(nanoseconds(call))
    for (name, way), each in took.items():
        print(f"{name:10} {way:26} {median(each) / 1000:7.2f} µs")


if __name__ == "__main__":
    main()
