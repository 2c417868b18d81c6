"""
What compiling a model takes, in a process that does nothing else: seconds of CPU time and the peak of memory, as JSON.

    python bench/compiling.py lowstream|openvino|onnxruntime MODEL

Importing the runtime counts for both. lowstream's cache is where LOWSTREAM_CACHE_DIR says.
"""

from __future__ import annotations

import argparse
import json
import time
from importlib import import_module
from typing import Any


def lowstream(path: str) -> Any:
    from lowstream import compile_model

    return compile_model(path, num_threads=1)


def openvino(path: str) -> Any:
    from openvino import Core

    config = {
        "PERFORMANCE_HINT": "LATENCY",
        "INFERENCE_PRECISION_HINT": "f32",
        "INFERENCE_NUM_THREADS": "1",
    }
    return Core().compile_model(path, "CPU", config)


def onnxruntime(path: str) -> Any:
    runtime = import_module("onnxruntime")
    options = runtime.SessionOptions()
    options.intra_op_num_threads = 1
    return runtime.InferenceSession(path, options, providers=["CPUExecutionProvider"])


RUNTIMES = {each.__name__: each for each in (lowstream, openvino, onnxruntime)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("runtime", choices=RUNTIMES)
    parser.add_argument("model", help="a file that the runtime reads")
    options = parser.parse_args()
    kept = RUNTIMES[options.runtime](options.model)
    seconds = time.process_time()  # of all threads
    del kept
    print(json.dumps({"seconds": round(seconds, 2), "MiB": round(peak_bytes() / 2**20)}))


def peak_bytes() -> int:
    """The most memory that this process had; `getrusage` would count what its parent had when it was started."""
    with open("/proc/self/status", encoding="utf-8") as file:
        (peak,) = (line.split()[1] for line in file if line.startswith("VmHWM:"))
    return int(peak) << 10


if __name__ == "__main__":
    main()
