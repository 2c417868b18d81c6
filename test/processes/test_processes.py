"""Processes that start from one that has used a model, however, and processes that end while models are in use."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from lowstream.test.unit.runtime.test_thread_pool import BIG

BEGIN = f"""
import multiprocessing, sys, threading
import numpy as np, lowstream
from lowstream.test.unit.runtime import runtime_models

X = np.ones((64, 512), np.float32)

def compiled():
    return lowstream.compile_model(runtime_models.module({BIG!r}), num_threads=2)
"""

CHILDREN = f"""{BEGIN}
def call(model):
    return [model([X])[0] for _ in range(3)]

if __name__ == "__main__":
    model = compiled()
    wanted = call(model)
    with multiprocessing.get_context(sys.argv[1]).Pool(1) as pool:
        assert np.array_equal(pool.apply(call, (model,)), wanted)
    assert np.array_equal(call(model), wanted)
"""

ENDS = {
    "calls": "model = compiled(); run = lambda: [model([X]) for _ in range(10**9)]",
    "requests": """
model = compiled()
def run():
    while True:
        model.create_infer_request().start_async([X])
""",
    "compiling": """
def run():
    while True:
        compiled()
""",
    "signals": """
model = compiled()
run = lambda: [model.create_infer_request().infer_sequence([np.stack([X] * 9)]) for _ in range(10**9)]
""",
}
"""What a thread does while the process ends."""

END = """
def begin():
    begun.set()
    run()

begun = threading.Event()
threading.Thread(target=begin, daemon=True).start()
begun.wait()
for _ in range(int(sys.argv[1])):
    pass
"""


def outcome(folder: Path, program: str, argument: object) -> tuple[int, str]:
    """What a process of this program returns and says."""
    path = folder / "program.py"
    path.write_text(program)
    command = [sys.executable, "-P", str(path), str(argument)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    return done.returncode, done.stderr


AT_EXIT = f"""{BEGIN}
import atexit

def end():
    other = compiled()
    assert np.array_equal(other([X])[0], wanted)
    request = model.create_infer_request()
    request.start_async([X])
    request.wait()
    assert np.array_equal(request.results[0], wanted)
    queue = lowstream.AsyncInferQueue(model, 2)
    queue.set_callback(lambda request, number: seen.append(number))
    for number in range(4):
        queue.start_async([X], number)
    queue.wait_all()
    request.set_callback(lambda number: 1 / number, 0)
    request.start_async([X])
    try:
        request.wait()
    except ZeroDivisionError:
        seen.append("raised")
    assert seen == [0, 1, 2, 3, "raised"], seen
    print(len(seen), file=sys.stderr)

lowstream.cache.dir = ""
model, seen = compiled(), []
wanted = model([X])[0]
atexit.register(end)
"""

AT_LAST = f"""{BEGIN}
import os

class Last:
    def __del__(self, request=compiled().create_infer_request(), x=X, ends=sys.is_finalizing, write=os.write):
        request.infer([x])
        request.start_async([x])
        request.wait()
        write(2, b"ends" if ends() else b"goes on")

sys.modules["last"] = Last()
"""

IMAGE, TOKENS = "tensor<1x64x56x56xf32>", "tensor<1x4x784x64xf32>"
SCRATCH = f"""
func.func @main(%x: {IMAGE}) -> ({TOKENS} {{nn.names = ["y"]}}) {{
  %f = nn.constant dense<0.001> : tensor<64x64x3x3xf32>
  %c = nn.convolution %x, %f {{strides = array<i64: 1, 1>, pads_begin = array<i64: 1, 1>,
      pads_end = array<i64: 1, 1>, dilations = array<i64: 1, 1>}}
      : ({IMAGE}, tensor<64x64x3x3xf32>) -> {IMAGE}
  %shape = nn.constant dense<[1, 4, 784, 64]> : tensor<4xi64>
  %q = nn.reshape %c, %shape : ({IMAGE}, tensor<4xi64>) -> {TOKENS}
  %y = nn.scaled_dot_product_attention %q, %q, %q : ({TOKENS}, {TOKENS}, {TOKENS}) -> {TOKENS}
  func.return %y : {TOKENS}
}}
"""
"""Kernels that need scratch memory: hundreds of kilobytes."""

SMALL_STACK = f"""
import sys, threading
import numpy as np, lowstream
from lowstream.test.unit.runtime import runtime_models

model = lowstream.compile_model(runtime_models.module({SCRATCH!r}), num_threads=int(sys.argv[1]))
x = np.random.default_rng(0).normal(size=(1, 64, 56, 56)).astype(np.float32)
wanted, found = model([x])[0], []
threading.stack_size(64 << 10)
thread = threading.Thread(target=lambda: found.append(model([x])[0]))
thread.start()
thread.join()
assert np.array_equal(found[0], wanted)
"""

IMPORTED_WHILE_FORKING = """
import os, importlib
os.register_at_fork(before=lambda: importlib.import_module("lowstream.lowering.codegen.load"))
if os.fork() == 0:
    os._exit(0)
os.wait()
"""


@pytest.mark.parametrize("method", ["fork", "forkserver", "spawn"])
def test_children_of_a_process_that_has_called(method: str, tmp_path: Path):
    """They are given the model, and have workers of their own; those of the parent stay."""
    assert outcome(
        tmp_path, "import warnings; warnings.simplefilter('ignore')" + CHILDREN, method
    ) == (0, "")


def test_a_fork_that_began_before_the_import(tmp_path: Path):
    assert outcome(tmp_path, IMPORTED_WHILE_FORKING, "") == (0, "")


@pytest.mark.parametrize("doing", ENDS)
def test_a_process_ends_whatever_its_threads_do(doing: str, tmp_path: Path):
    for moment in (0, 10**6):
        assert outcome(tmp_path, BEGIN + ENDS[doing] + END, moment) == (0, "")


def test_calls_and_compiling_while_the_process_ends(tmp_path: Path):
    """Functions of `atexit` run when there are no threads any more."""
    assert outcome(tmp_path, AT_EXIT, "") == (0, "5\n")


def test_calls_of_an_object_that_goes_last(tmp_path: Path):
    """An interpreter that ends runs no new threads: calls do not wait for workers to start."""
    assert outcome(tmp_path, AT_LAST, "") == (0, "ends")


@pytest.mark.parametrize("threads", [1, 2])
def test_calls_by_a_thread_with_a_small_stack(threads: int, tmp_path: Path):
    """Scratch memory of kernels is in the arena, which fits whoever calls."""
    assert outcome(tmp_path, SMALL_STACK, threads) == (0, "")
