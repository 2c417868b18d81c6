"""Results that are views of a request's memory stay as they are, however they, or parts of them, are given back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import lowstream
from lowstream.runtime.buckets import SMALLEST
from lowstream.runtime.native import NativeProgram
from lowstream.test.unit.runtime.requests.test_appended_inputs import (
    DECODER,
    WIDTH,
    Stepped,
    expected,
    numbers,
)
from lowstream.test.unit.runtime.runtime_models import module

Array = Any


@pytest.fixture(scope="module")
def compiled() -> lowstream.CompiledModel:
    return lowstream.compile_model(module(DECODER))


def test_a_part_that_was_given_stays(compiled: lowstream.CompiledModel) -> None:
    stepped = Stepped(compiled)
    stepped.step(stepped.caches)
    stepped.kept.clear()
    parts = stepped.caches[0][:, :-1], stepped.caches[1][:, :-1]
    stepped.caches = stepped.given = copies = parts[0].copy(), parts[1].copy()
    x = numbers(1, 1, WIDTH)
    stepped.request.infer({"x": x, "keys": parts[0], "values": parts[1]})
    stepped.step((numbers(1, 5, WIDTH) + 9, numbers(1, 5, WIDTH) + 9))
    for part, copy in zip(parts, copies, strict=True):
        assert_array_equal(part, copy)


@pytest.mark.parametrize("shown", [np.from_dlpack, lambda array: array.view(lowstream.Tensor)])
def test_a_result_stays_when_what_another_library_shows_of_it_is_given(
    compiled: lowstream.CompiledModel, shown: Callable[[Array], Array]
) -> None:
    stepped = Stepped(compiled)
    stepped.step(stepped.caches)
    keys, values = stepped.caches
    wanted = keys.copy(), values.copy()
    stepped.kept.clear()
    stepped.step((shown(keys)[:, :-1], shown(values)[:, :-1]))
    assert_array_equal(keys, wanted[0])
    assert_array_equal(values, wanted[1])


@pytest.mark.parametrize("share_outputs", [False, True])
def test_a_part_of_a_result_is_another_input(
    compiled: lowstream.CompiledModel, share_outputs: bool
) -> None:
    stepped = Stepped(compiled)
    stepped.step(stepped.caches, share_outputs=share_outputs)
    keys, values = stepped.caches
    x = keys[:, -1:]
    wanted = expected(x.copy(), keys.copy(), values.copy())
    given = {"x": x, "keys": keys, "values": values}
    for result, each in zip(stepped.request.infer(given, share_inputs=True), wanted, strict=True):
        assert_allclose(result, each, rtol=1e-5, atol=1e-5)


def test_a_batch_of_parts_of_shared_memory(compiled: lowstream.CompiledModel) -> None:
    stepped = Stepped(compiled, batch=2, begun=False)
    for _ in range(5):
        stepped.step(stepped.caches, share_outputs=True)
    keys, values = stepped.caches
    stepped.given = values[::-1].copy(), keys[::-1].copy()
    stepped.request.set_batch("keys", [values[1:], values[:1]])
    stepped.request.set_batch("values", [keys[1:], keys[:1]])
    stepped.step(None)


@pytest.mark.parametrize("name", ["keys", "values"])
def test_values_that_are_too_large_are_refused(
    compiled: lowstream.CompiledModel, name: str
) -> None:
    """Arrays of another type that are shared are converted in each call."""
    stepped = Stepped(compiled)
    given = {each: numbers(1, 6, WIDTH).astype(np.float64) for each in ("keys", "values")}
    stepped.request.infer({"x": numbers(1, 1, WIDTH)} | given, share_inputs=True)
    given[name][0, 5, 3] = 1e300
    with pytest.raises(RuntimeError, match=f"'{name}' takes float32.*1e\\+300 is too large"):
        stepped.request.infer({"x": numbers(1, 1, WIDTH)})
    stepped.step(stepped.caches)
    stepped.check_kept()


def test_integers_that_are_too_large_are_refused(loaded: list[NativeProgram]) -> None:
    request = lowstream.compile_model(module(INTEGERS)).create_infer_request()
    integers = np.full((1, 4), 3)
    for size in range(1, 5):
        request.infer([integers[:, :size]], share_inputs=True)
    assert loaded[-1].executable.inputs[0].shape == (1, SMALLEST)
    integers[0, 1] = 300
    with pytest.raises(RuntimeError, match="300 is outside -128 … 127"):
        request.infer()


INTEGERS = """
func.func @main(%x: tensor<1x?xi8>) -> (tensor<1x?xi8>) {
  %twice = nn.add %x, %x : (tensor<1x?xi8>, tensor<1x?xi8>) -> tensor<1x?xi8>
  func.return %twice : tensor<1x?xi8>
}
"""


SUMMED = """
func.func @main(%x: tensor<1x1x4xf32>, %keys: tensor<1x?x4xf32>, %cross: tensor<3x2xf32>)
    -> (tensor<1x1x4xf32>, tensor<3x2xf32>) {
  %scores = nn.mat_mul %x, %keys {transpose_b = true} : (tensor<1x1x4xf32>, tensor<1x?x4xf32>) -> tensor<1x1x?xf32>
  %y = nn.mat_mul %scores, %keys : (tensor<1x1x?xf32>, tensor<1x?x4xf32>) -> tensor<1x1x4xf32>
  func.return %y, %cross : tensor<1x1x4xf32>, tensor<3x2xf32>
}
"""
"""It gives results of known sizes."""


def test_what_is_passed_through_in_a_sequence(loaded: list[NativeProgram]) -> None:
    request = lowstream.compile_model(module(SUMMED)).create_infer_request()
    x, cross = numbers(6, 1, 1, WIDTH), numbers(6, 3, 2)
    keys = numbers(1, 5, WIDTH)
    for size in range(1, 6):
        request.infer([x[0], keys[:, :size], cross[0]])
    assert loaded[-1].executable.aliases == ((1, 2),)
    calls: list[tuple[dict[int, Array], Array]] = [
        ({0: x}, cross[[0] * 6]),
        ({0: x, 2: cross}, cross),
        ({0: x}, cross[[-1] * 6]),
    ]
    for given, wanted in calls:
        y, passed = request.infer_sequence(given)
        assert_allclose(y, x @ keys[0].T @ keys, rtol=1e-5, atol=1e-5)
        assert_array_equal(passed, wanted)
