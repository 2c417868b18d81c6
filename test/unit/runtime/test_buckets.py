"""Inputs that grow from call to call: one program for many sizes, as right as one for each."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import lowstream
from lowstream.runtime.buckets import MOST_SIZES, SMALLEST, Bucket, Call
from lowstream.runtime.native import NativeProgram
from lowstream.test.unit.runtime.runtime_models import module

WIDTH = 8

DECODER = """
func.func @main(%x: tensor<?x1x8xf32> {nn.names = ["x"]}, %mask: tensor<?x?xf32> {nn.names = ["mask"]},
    %keys: tensor<?x?x8xf32> {nn.names = ["keys"]})
    -> (tensor<?x1x8xf32> {nn.names = ["y"]}, tensor<?x?x8xf32> {nn.names = ["present"]}) {
  %present = nn.concat %keys, %x {axis = 1 : i64} : (tensor<?x?x8xf32>, tensor<?x1x8xf32>) -> tensor<?x?x8xf32>
  %scores = nn.mat_mul %x, %present {transpose_b = true} : (tensor<?x1x8xf32>, tensor<?x?x8xf32>) -> tensor<?x1x?xf32>
  %one = nn.constant dense<[1]> : tensor<1xi64>
  %added = nn.unsqueeze %mask, %one : (tensor<?x?xf32>, tensor<1xi64>) -> tensor<?x1x?xf32>
  %masked = nn.add %scores, %added : (tensor<?x1x?xf32>, tensor<?x1x?xf32>) -> tensor<?x1x?xf32>
  %weights = nn.softmax %masked {axis = 2 : i64} : tensor<?x1x?xf32>
  %y = nn.mat_mul %weights, %present : (tensor<?x1x?xf32>, tensor<?x?x8xf32>) -> tensor<?x1x8xf32>
  func.return %y, %present : tensor<?x1x8xf32>, tensor<?x?x8xf32>
}
"""

SUMS = """
func.func @main(%x: tensor<?xf32> {nn.names = ["x"]}) -> (tensor<?xf32> {nn.names = ["y"]}) {
  %axis = nn.constant dense<0> : tensor<i64>
  %y = nn.cum_sum %x, %axis {reverse = true} : tensor<?xf32>, tensor<i64>
  func.return %y : tensor<?xf32>
}
"""

ROLLED = """
func.func @main(%x: tensor<?xf32> {nn.names = ["x"]}) -> (tensor<?xf32> {nn.names = ["y"]}) {
  %shift = nn.constant dense<1> : tensor<1xi64>
  %axis = nn.constant dense<0> : tensor<1xi64>
  %y = nn.roll %x, %shift, %axis : (tensor<?xf32>, tensor<1xi64>, tensor<1xi64>) -> tensor<?xf32>
  func.return %y : tensor<?xf32>
}
"""

Array = Any


@pytest.fixture
def compiled() -> lowstream.CompiledModel:
    return lowstream.compile_model(module(DECODER))


def call_of(size: int, batch: int = 1) -> dict[str, Array]:
    """What a step after so many others is given."""
    random = np.random.default_rng(size)
    shapes = {"x": (batch, 1, WIDTH), "mask": (batch, size + 1), "keys": (batch, size, WIDTH)}
    return {name: random.standard_normal(shape, np.float32) for name, shape in shapes.items()}


def expected(x: Array, mask: Array, keys: Array) -> tuple[Array, Array]:
    present = np.concatenate([keys, x], 1).astype(np.float64)
    scores = x @ present.transpose(0, 2, 1) + mask[:, None]
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    return weights / weights.sum(-1, keepdims=True) @ present, present


def check(results: lowstream.Results, call: dict[str, Array]) -> None:
    for result, wanted in zip(results, expected(**call), strict=True):
        assert result.shape == wanted.shape
        np.testing.assert_allclose(result, wanted, rtol=1e-5, atol=1e-5)


def test_a_cache_that_grows_needs_few_programs(
    compiled: lowstream.CompiledModel, loaded: list[NativeProgram]
) -> None:
    request = compiled.create_infer_request()
    for size in range(SMALLEST + 1):
        call = call_of(size)
        check(request.infer(call), call)
    assert len(loaded) == 3  # sizes 0 and 1, and all up to 16


def test_what_results_gave_is_fed_back(compiled: lowstream.CompiledModel) -> None:
    request = compiled.create_infer_request()
    call = call_of(0)
    for size in range(9):
        results = request.infer(call, share_inputs=True)
        check(results, call)
        call = call_of(size + 1) | {"keys": results["present"]}


@pytest.mark.parametrize("share", [False, True])
def test_results_of_before_stay(compiled: lowstream.CompiledModel, share: bool) -> None:
    request = compiled.create_infer_request()
    calls = [call_of(size) for size in range(8)]
    for each, results in zip(calls, [request.infer(call, share) for call in calls], strict=True):
        check(results, each)


def test_sizes_come_in_any_order(
    compiled: lowstream.CompiledModel, loaded: list[NativeProgram]
) -> None:
    request = compiled.create_infer_request()
    for size in (10, 7, 15, 2, 16, 11, 16, 0, 15, 17, 1, 40, 16, 1030):
        call = call_of(size)
        check(request.infer(call), call)
    assert len(loaded) == MOST_SIZES + 4  # up to 16, 32, 64 and 2048


def test_batches_have_buckets_of_their_own(compiled: lowstream.CompiledModel) -> None:
    request = compiled.create_infer_request()
    for size in range(6):
        for batch in (1, 3):
            call = call_of(size, batch)
            check(request.infer(call), call)


def test_inputs_set_once(compiled: lowstream.CompiledModel) -> None:
    """A second call without arguments reads what the first one read."""
    request = compiled.create_infer_request()
    for size in range(5):
        call = call_of(size)
        for name, array in call.items():
            request.set_tensor(name, lowstream.Tensor(array, shared_memory=True))
        request.infer()
        assert {name: request.get_tensor(name).shape for name in call} == {
            name: array.shape for name, array in call.items()
        }
        check(request.infer(), call)
        for array in call.values():
            array += 1
        check(request.infer(), call)


def test_an_output_of_the_callers(compiled: lowstream.CompiledModel) -> None:
    request = compiled.create_infer_request()
    for size in range(6):
        call = call_of(size)
        target = np.empty((1, size + 1, WIDTH), np.float32)
        request.set_tensor("present", lowstream.Tensor(target, shared_memory=True))
        check(request.infer(call), call)
        np.testing.assert_array_equal(target[:, -1:], call["x"])


def test_parts_of_a_batch(compiled: lowstream.CompiledModel) -> None:
    request = compiled.create_infer_request()
    for size in range(5):
        call = call_of(size, batch=2)
        for number, array in enumerate(call.values()):
            request.set_input_tensors(
                number, [lowstream.Tensor(array[:1]), lowstream.Tensor(array[1:])]
            )
        check(request.infer(), call)


def test_shapes_that_do_not_fit_are_refused(compiled: lowstream.CompiledModel) -> None:
    request = compiled.create_infer_request()
    for size in range(5):
        request.infer(call_of(size))
    with pytest.raises(RuntimeError, match=r"input 'mask' \[1, 9\]"):
        request.infer(call_of(5) | {"mask": np.zeros((1, 9), np.float32)})
    check(request.infer(call := call_of(6)), call)


def test_a_model_without_laws_keeps_its_programs(loaded: list[NativeProgram]) -> None:
    request = lowstream.compile_model(module(ROLLED)).create_infer_request()
    for size in range(1, 7):
        x = np.arange(size, dtype=np.float32)
        np.testing.assert_array_equal(request.infer([x])["y"], np.roll(x, 1))
    assert len(loaded) == 6


@pytest.mark.parametrize("order", [1, -1])
def test_sums_of_what_is_there(loaded: list[NativeProgram], order: int) -> None:
    text = SUMS if order < 0 else SUMS.replace("{reverse = true} ", "")
    request = lowstream.compile_model(module(text)).create_infer_request()
    for size in range(1, 7):
        x = np.arange(size, dtype=np.float32)
        np.testing.assert_array_equal(request.infer([x])["y"], np.cumsum(x[::order])[::order])
    assert len(loaded) == 3


def shapes() -> st.SearchStrategy[tuple[tuple[int, ...], ...]]:
    shape = st.lists(st.integers(1, 99), min_size=1, max_size=3).map(tuple)
    return st.lists(shape, min_size=1, max_size=3).map(tuple)


@given(shapes(), st.integers(1, 200), st.data())
def test_a_bucket_has_all_sizes_of_two_calls(
    first: tuple[tuple[int, ...], ...], step: int, data: st.DataObject
) -> None:
    places = [(n, d) for n, shape in enumerate(first) for d in range(len(shape))]
    differing = data.draw(st.sets(st.sampled_from(places), min_size=1))
    is_batch = any(d == 0 and len(first[n]) > 1 for n, d in differing)
    states = tuple(str(n) for n in range(data.draw(st.integers(0, len(first)))))
    grown = tuple(
        tuple(size + step * ((n, d) in differing) for d, size in enumerate(shape))
        for n, shape in enumerate(first)
    )
    before, call = Call(first, states), Call(grown, states)
    bucket = Bucket.of(call, before)
    if is_batch:
        assert bucket is None
        return
    assert bucket is not None
    assert set(bucket.differing) == differing
    size = bucket.size_of(before)
    assert size is not None
    assert bucket.size_of(call) == size + step <= bucket.most
    assert [bucket.at(each) for each in (size, size + step)] == [first, grown]
    assert Bucket.of(before, before) is None
    assert Bucket.of(Call(grown, (*states, "more")), before) is None
