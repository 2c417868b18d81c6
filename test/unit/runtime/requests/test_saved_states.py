"""A model made stateful, saved, and loaded in another process has the same states and results."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import lowstream
from lowstream.dialects import nn
from lowstream.interop.model import Model
from lowstream.reference.arrays import Array, blob_of
from lowstream.reference.executor import Executor
from lowstream.test.unit.runtime.runtime_models import module

LSTM = """
func.func @main(%x: tensor<1x1x32xf32> {nn.names = ["X"]})
    -> (tensor<1x1x1x16xf32> {nn.names = ["Y"]}, tensor<1x1x16xf32> {nn.names = ["H"]}) {
  %h0 = nn.constant dense<0.0> : tensor<1x1x16xf32>
  %c0 = nn.constant dense<0.0> : tensor<1x1x16xf32>
  %lengths = nn.constant dense<1> : tensor<1xi64>
  %w = nn.constant dense<0.0> : tensor<1x64x32xf32>
  %r = nn.constant dense<0.0> : tensor<1x64x16xf32>
  %b = nn.constant dense<0.0> : tensor<1x64xf32>
  %y, %h, %c = rnn.lstm_sequence %x, %h0, %c0, %lengths, %w, %r, %b
      {hidden_size = 16 : i64, nn.name = "lstm"}
      : (tensor<1x1x32xf32>, tensor<1x1x16xf32>, tensor<1x1x16xf32>, tensor<1xi64>,
         tensor<1x64x32xf32>, tensor<1x64x16xf32>, tensor<1x64xf32>)
      -> (tensor<1x1x1x16xf32>, tensor<1x1x16xf32>, tensor<1x1x16xf32>)
  func.return %y, %h : tensor<1x1x1x16xf32>, tensor<1x1x16xf32>
}
"""

CALLS = 3

ELSEWHERE = """
import sys
import numpy as np
import lowstream

path, inputs, target = sys.argv[1:]
request = lowstream.compile_model(path).create_infer_request()
found = {}
def note(step):
    found.update({f"{step} {state.name}": state.state for state in request.query_state()})
note("begin")
for step, x in enumerate(np.load(inputs)):
    for i, result in enumerate(request.infer([x])):
        found[f"{step} {i}"] = result
    note(step)
np.savez(target, **found)
"""
"""Runs a model on each input, and keeps its results and its states after every call."""


def stateful(constant: bool) -> Model:
    """An LSTM of random weights, and of initial values that are not zero."""
    model = Model(module(LSTM))
    random = np.random.default_rng(7)
    for op in model.module.walk():
        if isinstance(op, nn.ConstantOp) and op.value.type.get_num_dims() > 1:
            values = random.normal(0, 0.5, op.value.type.get_shape()).astype(np.float32)
            op.properties["value"] = blob_of(values)
    lowstream.run_passes(model, f"low-latency2{{use-const-initializer={str(constant).lower()}}}")
    return model


@pytest.mark.parametrize("constant", [True, False], ids=["zeros", "initial values"])
def test_in_another_process(constant: bool, tmp_path: Path):
    model = stateful(constant)
    path, inputs, target = tmp_path / "model.mlir", tmp_path / "x.npy", tmp_path / "found.npz"
    lowstream.save_model(model, path)
    assert path.with_suffix(".safetensors").exists()
    calls = np.random.default_rng(1).normal(size=(CALLS, 1, 1, 32)).astype(np.float32)
    np.save(inputs, calls)
    environment = {**os.environ, "LOWSTREAM_CACHE_DIR": str(tmp_path / "cache")}
    arguments = [sys.executable, "-c", ELSEWHERE, path, inputs, target]
    subprocess.run(arguments, check=True, env=environment)

    request, executor = (
        lowstream.compile_model(model).create_infer_request(),
        Executor(model.module),
    )
    wanted: dict[str, Array] = {}

    def note(step: str) -> None:
        wanted.update({f"{step} {state.name}": state.state for state in request.query_state()})

    note("begin")
    assert any(value.any() for value in wanted.values()) is not constant
    for step, x in enumerate(calls):
        results = request.infer([x])
        wanted.update({f"{step} {i}": result for i, result in enumerate(results)})
        note(str(step))
        for result, judged in zip(results, executor.run([x]), strict=True):
            assert_allclose(result, judged, rtol=0, atol=1e-5)
    assert set(executor.states) == {"lstm/variable_0", "lstm/variable_1"}
    with np.load(target) as found:
        assert set(found) == set(wanted)
        for key, value in wanted.items():
            assert_array_equal(found[key], value, err_msg=key)
