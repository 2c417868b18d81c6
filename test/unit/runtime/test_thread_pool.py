"""The pool: it comes with the first call that wants it, goes with the last model, and serves whoever asks."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import threading
import warnings
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp

import lowstream
from lowstream.reference.arrays import Array
from lowstream.runtime.thread_pool import pool
from lowstream.test.unit.runtime import runtime_models

BIG = """
func.func @main(%x: tensor<64x512xf32> {nn.names = ["x"]}) -> (tensor<64x512xf32> {nn.names = ["y"]}) {
  %w = nn.constant dense<0.0625> : tensor<512x512xf32>
  %a = nn.mat_mul %x, %w : (tensor<64x512xf32>, tensor<512x512xf32>) -> tensor<64x512xf32>
  %b = nn.relu %a : tensor<64x512xf32>
  %y = nn.mat_mul %b, %w : (tensor<64x512xf32>, tensor<512x512xf32>) -> tensor<64x512xf32>
  func.return %y : tensor<64x512xf32>
}
"""
"""Worth several threads."""


def module() -> ModuleOp:
    return runtime_models.module(BIG)


def inputs(seed: int) -> Array:
    return np.random.default_rng(seed).normal(size=(64, 512)).astype(np.float32)


def results(compiled: lowstream.CompiledModel, seeds: range) -> list[Array]:
    request = compiled.create_infer_request()
    return [request.infer([inputs(seed)])[0].copy() for seed in seeds]


def workers() -> list[str]:
    return [t.name for t in threading.enumerate() if t.name.startswith("lowstream-")]


@pytest.fixture(scope="module")
def wanted() -> list[Array]:
    """What one thread computes."""
    return results(lowstream.compile_model(module(), num_threads=1), range(8))


@pytest.fixture(autouse=True)
def _nothing_before() -> None:
    gc.collect()
    assert not workers()


@pytest.mark.parametrize("threads", [2, 3, 7])
def test_results_are_the_same(threads: int, wanted: list[Array]):
    compiled = lowstream.compile_model(module(), num_threads=threads)
    np.testing.assert_array_equal(results(compiled, range(8)), wanted)
    assert len(workers()) == threads - 1


def test_helpers_start_with_the_first_call():
    compiled = lowstream.compile_model(module(), num_threads=2)
    request = compiled.create_infer_request()
    assert not workers()
    request.infer([inputs(0)])
    assert workers() == ["lowstream-1"]


def test_nothing_is_left():
    """Workers stay while some model may want them."""
    first, second = (lowstream.compile_model(module(), num_threads=n) for n in (3, 2))
    results(first, range(1))
    del first
    gc.collect()
    assert len(workers()) == 2
    results(second, range(1))
    del second
    gc.collect()
    assert not workers()
    assert not pool.count.value


def test_the_pool_comes_back(wanted: list[Array]):
    for _ in range(3):
        compiled = lowstream.compile_model(module(), num_threads=2)
        np.testing.assert_array_equal(results(compiled, range(2)), wanted[:2])
        del compiled
        gc.collect()
        assert not workers()


def test_crowds(wanted: list[Array]):
    """Requests of several threads share the workers, and run alone where there are none left."""
    models = [lowstream.compile_model(module(), num_threads=n) for n in (2, 3)]
    with ThreadPoolExecutor(4) as crowd:
        found = crowd.map(lambda n: results(models[n % 2], range(8)), range(12))
        for each in found:
            np.testing.assert_array_equal(each, wanted)


def test_forks(wanted: list[Array]):
    """A child begins without workers and starts its own; the parent's stay."""
    compiled = lowstream.compile_model(module(), num_threads=2)
    results(compiled, range(1))
    read, write = os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # that this process has threads
        child = os.fork()
    if child == 0:
        status = 1
        try:
            alone = pool.count.value == 0
            same = np.array_equal(results(compiled, range(4)), wanted[:4])
            status = 0 if alone and same and pool.count.value == 1 else 2
        finally:
            os.write(write, b"x")
            os._exit(status)
    os.read(read, 1)
    _, status = os.waitpid(child, 0)
    os.close(read)
    os.close(write)
    assert os.waitstatus_to_exitcode(status) == 0
    np.testing.assert_array_equal(results(compiled, range(4)), wanted[:4])


ENDS = f"""
import threading
import numpy as np, lowstream
from lowstream.test.unit.runtime import runtime_models
assert threading.active_count() == 1
compiled = lowstream.compile_model(runtime_models.module({BIG!r}), num_threads=3)
assert threading.active_count() == 1
compiled([np.ones((64, 512), np.float32)])
assert threading.active_count() == 3
"""


CALLS = """
square = "tensor<256x256xf32>"
products = [f"%{i + 1} = nn.mat_mul %{i}, %0 : ({square}, {square}) -> {square}" for i in range(200)]
body = " ".join([*products, f"func.return %200 : {square}"])
text = f"func.func @main(%0: {square}) -> {square} {{ {body} }}"
chain = lowstream.compile_model(runtime_models.module(text), num_threads=2)
begun = threading.Barrier(5)

def call():
    request, x = chain.create_infer_request(), np.eye(256, dtype=np.float32)
    request.infer([x])
    begun.wait()
    while True:
        request.infer([x])

for _ in range(4):
    threading.Thread(target=call, daemon=True).start()
begun.wait()
"""
"""Calls that go on while the interpreter ends."""


@pytest.mark.parametrize("rest", ["", CALLS])
def test_a_process_ends_with_its_helpers(rest: str):
    """Nothing starts at import, and nothing keeps a process from ending."""
    command = [sys.executable, "-c", ENDS + rest]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_profiling_counts_once():
    compiled = lowstream.compile_model(module(), num_threads=2, profiling=True)
    request = compiled.create_infer_request()
    request.infer([inputs(0)])
    assert all(
        0 < info.nanoseconds < 10**10
        for info in request.profiling_info
        if info.status == "EXECUTED"
    )
