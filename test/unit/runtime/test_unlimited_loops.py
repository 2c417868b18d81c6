"""Loops whose number of iterations only the run tells: there is room for all that they put together."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from xdsl.utils.exceptions import DiagnosticException

import lowstream
from lowstream.interop.model import Model
from lowstream.reference.executor import Executor
from lowstream.runtime import compiled as compiling
from lowstream.test.unit.runtime.runtime_models import module

STEPS = """
infra.variable @calls : tensor<i64>
func.func @main(%n: tensor<i64> {nn.names = ["N"]}, %limit: tensor<i64> {nn.names = ["L"]})
    -> (tensor<?x2xi64> {nn.names = ["Y"]}, tensor<2xi64>, tensor<i64>, tensor<?x1xf32>) {
  %zero = nn.constant dense<0> : tensor<i64>
  %one = nn.constant dense<1> : tensor<i64>
  %calls = infra.read_value @calls, %zero : tensor<i64> -> tensor<i64>
  %more = nn.add %calls, %one : (tensor<i64>, tensor<i64>) -> tensor<i64>
  infra.assign @calls, %more : tensor<i64>
  %true = nn.constant dense<true> : tensor<i1>
  %all = infra.loop %n, %true, %limit inputs [#infra.invariant]
      outputs [#infra.concatenated<result = 0, axis = 0, start = 0, end = -1, stride = 1, part_size = 1>]
      body_names ["L"] {body_condition = 1 : i64, current_iteration}
      : (tensor<i64>, tensor<i1>, tensor<i64>) -> tensor<?x2xi64> {
  ^bb0(%l: tensor<i64>, %i: tensor<i64>):
    %row = nn.constant dense<[[1, 2]]> : tensor<1x2xi64>
    %part = nn.multiply %row, %i : (tensor<1x2xi64>, tensor<i64>) -> tensor<1x2xi64>
    %go = nn.less %i, %l : (tensor<i64>, tensor<i64>) -> tensor<i1>
    infra.yield %part, %go : tensor<1x2xi64>, tensor<i1>
  }
  %axis = nn.constant dense<0> : tensor<1xi64>
  %sum = nn.reduce_sum %all, %axis {keep_dims = false} : (tensor<?x2xi64>, tensor<1xi64>) -> tensor<2xi64>
  %numbers = infra.loop %n, %true, %limit inputs [#infra.invariant]
      outputs [#infra.concatenated<result = 0, axis = 0, start = 0, end = -1, stride = 1, part_size = 1>]
      body_names ["L"] {body_condition = 1 : i64, current_iteration}
      : (tensor<i64>, tensor<i1>, tensor<i64>) -> tensor<?x1xf32> {
  ^bb0(%l: tensor<i64>, %i: tensor<i64>):
    %shape = nn.constant dense<1> : tensor<2xi64>
    %number = nn.convert %i to f32 : tensor<i64> -> tensor<f32>
    %part = nn.reshape %number, %shape : (tensor<f32>, tensor<2xi64>) -> tensor<1x1xf32>
    %go = nn.less %i, %l : (tensor<i64>, tensor<i64>) -> tensor<i1>
    infra.yield %part, %go : tensor<1x1xf32>, tensor<i1>
  }
  %roots = nn.sqrt %numbers : tensor<?x1xf32>
  func.return %all, %sum, %more, %roots : tensor<?x2xi64>, tensor<2xi64>, tensor<i64>, tensor<?x1xf32>
}
"""
"""At most N rows, until the number of one reaches L; the number of calls, and roots of such numbers, too."""


FIRST = """
func.func @main(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %trip = nn.constant dense<TRIP> : tensor<i64>
  %true = nn.constant dense<true> : tensor<i1>
  %carried, %given = infra.loop %trip, %true, %x inputs [#infra.merged<result = 0>]
      outputs [#infra.iteration<result = 0, iteration = -1>, #infra.iteration<result = 1, iteration = -1>]
      body_names ["H"] {body_condition = 2 : i64}
      : (tensor<i64>, tensor<i1>, tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  ^bb0(%h: tensor<2xf32>):
    %next = nn.add %h, %h : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %y = nn.negative %next : tensor<2xf32>
    %axis = nn.constant dense<0> : tensor<1xi64>
    %largest = nn.reduce_max %next, %axis {keep_dims = false} : (tensor<2xf32>, tensor<1xi64>) -> tensor<f32>
    %limit = nn.constant dense<9.0> : tensor<f32>
    %go = nn.less %largest, %limit : (tensor<f32>, tensor<f32>) -> tensor<i1>
    infra.yield %next, %y, %go : tensor<2xf32>, tensor<2xf32>, tensor<i1>
  }
  func.return %carried, %given : tensor<2xf32>, tensor<2xf32>
}
"""
"""A loop that has a first iteration, and a second one if values allow."""


@pytest.mark.parametrize("trip", [-1, 1, 3])
def test_a_loop_that_runs_gives_what_its_last_iteration_does(trip: int):
    text = FIRST.replace("TRIP", str(trip))
    request = lowstream.compile_model(Model(module(text))).create_infer_request()
    for largest in (1, 8, 20):
        x = np.array([1, largest], np.float32)
        for ours, wanted in zip(request.infer([x]), Executor(module(text)).run([x]), strict=True):
            assert_array_equal(ours, wanted)


@pytest.mark.parametrize("threads", [1, 2])
def test_there_is_room_for_all_iterations(threads: int):
    compiled = lowstream.compile_model(Model(module(STEPS)), num_threads=threads)
    assert compiled.outputs[0].shape == (-1, 2)
    reference, request = Executor(module(STEPS)), compiled.create_infer_request()
    for n, limit in ((3, 99), (0, 99), (-1, 4), (64, 99), (65, 99), (999, 600), (2, 99)):
        inputs = [np.array(n), np.array(limit)]
        wanted, results = reference.run(inputs), request.infer(inputs)
        for number, want in enumerate(wanted):
            assert_array_equal(results[number], want)
    request.start_async([np.array(2000), np.array(2000)])
    request.wait()
    assert request.results["Y"].shape == (2000, 2)
    assert_array_equal(request.query_state()[0].state, 8)


def test_a_loop_without_an_end_says_so(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(compiling, "MOST_ROOM", 256)
    request = lowstream.compile_model(Model(module(STEPS))).create_infer_request()
    with pytest.raises(DiagnosticException, match="has run 256 iterations and wants more"):
        request.infer([np.array(-1), np.array(1 << 60)])
    assert_array_equal(request.query_state()[0].state, 0)
    assert request.infer([np.array(1), np.array(9)])["Y"].shape == (1, 2)


@pytest.mark.parametrize("never", [2**31 - 1, 2**63 - 1])
def test_the_largest_trip_count_is_no_limit(never: int):
    """TorchScript has it in a `while`. The condition ends the loop, after more iterations than there is room for."""
    text = STEPS.replace("infra.loop %n,", "infra.loop %never,").replace(
        "  %zero =", f"  %never = nn.constant dense<{never}> : tensor<i64>\n  %zero =", 1
    )
    inputs = [np.array(0), np.array(70)]
    results = lowstream.compile_model(Model(module(text))).create_infer_request().infer(inputs)
    for number, want in enumerate(Executor(module(text)).run(inputs)):
        assert_array_equal(results[number], want)
