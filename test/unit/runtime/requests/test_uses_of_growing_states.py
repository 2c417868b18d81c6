"""States that grow: in other requests, in frames in a row, in cancelled calls; pools of streams refuse them."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from xdsl.utils.exceptions import DiagnosticException

import lowstream
from lowstream.interop.model import Model
from lowstream.test.unit.runtime.runtime_models import module

ALL = """
infra.variable @rows : tensor<1x?x4xf32>
func.func @main(%x: tensor<1x3x4xf32> {nn.names = ["X"]}) -> (tensor<1x4xf32> {nn.names = ["Y"]}) {
  %none = nn.constant dense<> : tensor<1x0x4xf32>
  %old = infra.read_value @rows, %none : tensor<1x0x4xf32> -> tensor<1x?x4xf32>
  %zero = nn.constant dense<0.0> : tensor<1x1x4xf32>
  %sum = infra.tensor_iterator %x, %zero
      inputs [#infra.sliced<axis = 1, start = 0, end = -1, stride = 1, part_size = 1>, #infra.merged<result = 0>]
      outputs [#infra.iteration<result = 0, iteration = -1>]
      body_names ["X_t", "T_t"] : (tensor<1x3x4xf32>, tensor<1x1x4xf32>) -> tensor<1x1x4xf32> {
  ^bb0(%xt: tensor<1x1x4xf32>, %tt: tensor<1x1x4xf32>):
    %next = nn.add %xt, %tt : (tensor<1x1x4xf32>, tensor<1x1x4xf32>) -> tensor<1x1x4xf32>
    infra.yield %next : tensor<1x1x4xf32>
  }
  %all = nn.concat %old, %sum {axis = 1 : i64} : (tensor<1x?x4xf32>, tensor<1x1x4xf32>) -> tensor<1x?x4xf32>
  infra.assign @rows, %all : tensor<1x?x4xf32>
  %axis = nn.constant dense<[1]> : tensor<1xi64>
  %y = nn.reduce_sum %all, %axis {keep_dims = false} : (tensor<1x?x4xf32>, tensor<1xi64>) -> tensor<1x4xf32>
  func.return %y : tensor<1x4xf32>
}
"""
"""The state has a row more after each call, the sum of the three given, in a loop; `Y` is the sum of all."""

CALLS = 6
"""So many calls go through the programs of exact sizes and that of a bucket."""

Array = Any


@pytest.fixture(scope="module")
def compiled() -> lowstream.CompiledModel:
    return lowstream.compile_model(module(ALL))


def rows(number: int) -> Array:
    return np.full((1, 3, 4), number + 1, np.float32)


def after(calls: int) -> Array:
    """The state after so many calls with `rows(0)`, `rows(1)` …"""
    return np.broadcast_to(3 * np.arange(1, calls + 1, dtype=np.float32)[:, None], (1, calls, 4))


def state_of(request: lowstream.InferRequest) -> Array:
    return request.query_state()[0].state


def test_a_new_request_disturbs_no_other(compiled: lowstream.CompiledModel):
    request = compiled.create_infer_request()
    for number in range(CALLS):
        assert_array_equal(request.infer([rows(number)])["Y"], after(number + 1).sum(1))
        assert_array_equal(compiled.infer_new_request([rows(8)])["Y"], [[27] * 4])
        assert_array_equal(state_of(request), after(number + 1))


@pytest.mark.parametrize("before", range(CALLS))
def test_frames_in_a_row(compiled: lowstream.CompiledModel, before: int):
    request = compiled.create_infer_request()
    for number in range(before):
        request.infer([rows(number)])
    frames = np.stack([rows(number) for number in range(before, before + CALLS)])
    results = request.infer_sequence([frames])["Y"]
    assert_array_equal(results, [after(before + n).sum(1) for n in range(1, CALLS + 1)])
    assert_array_equal(state_of(request), after(before + CALLS))


def test_a_cancelled_call_appends_nothing(
    compiled: lowstream.CompiledModel, monkeypatch: pytest.MonkeyPatch
):
    request = compiled.create_infer_request()
    request.infer([rows(0)])
    for number in range(1, CALLS):
        specialize = request._specialize

        def specialize_and_stop(specialize: Any = specialize) -> None:
            specialize()
            request.cancel()

        with monkeypatch.context() as patch:
            patch.setattr(request, "_specialize", specialize_and_stop)
            with pytest.raises(DiagnosticException, match="the inference was cancelled"):
                request.infer([rows(99)])
        assert_array_equal(state_of(request), after(number))
        request.infer([rows(number)])
        assert_array_equal(state_of(request), after(number + 1))


def test_a_state_goes_on_in_another_process_or_model(compiled: lowstream.CompiledModel):
    request = compiled.create_infer_request()
    for number in range(CALLS):
        request.infer([rows(number)])
        other = lowstream.compile_model(module(ALL)).create_infer_request()
        other.query_state()[0].state = pickle.loads(pickle.dumps(state_of(request)))
        assert_array_equal(other.infer([rows(number + 1)])["Y"], after(number + 2).sum(1))
        assert_array_equal(state_of(request), after(number + 1))


def test_pools_need_states_of_one_size():
    with pytest.raises(DiagnosticException, match="changes its size from call to call"):
        lowstream.StreamPool(Model(module(ALL)), 4)
