"""Branches that an input decides: a program for many sizes is for one value of it, and other calls find another."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

import lowstream
from lowstream.runtime.buckets import SMALLEST
from lowstream.runtime.native import NativeProgram
from lowstream.test.unit.runtime.runtime_models import module

Array = Any

MERGED = """
func.func @main(%x: tensor<?x?x4xf32> {nn.names = ["x"]}, %keys: tensor<?x?x4xf32> {nn.names = ["keys"]},
    %c: tensor<1xi1> {nn.names = ["use_cache"]})
    -> (tensor<?x?x4xf32> {nn.names = ["y"]}, tensor<?x?x4xf32> {nn.names = ["all"]}) {
  %scalar = nn.constant dense<> : tensor<0xi64>
  %given = nn.reshape %c, %scalar : (tensor<1xi1>, tensor<0xi64>) -> tensor<i1>
  %y, %all = infra.if %given, %x, %keys
      : (tensor<i1>, tensor<?x?x4xf32>, tensor<?x?x4xf32>) -> (tensor<?x?x4xf32>, tensor<?x?x4xf32>) {
  ^bb0(%a: tensor<?x?x4xf32>, %k: tensor<?x?x4xf32>):
    %joined = nn.concat %k, %a {axis = 1 : i64} : (tensor<?x?x4xf32>, tensor<?x?x4xf32>) -> tensor<?x?x4xf32>
    %scores = nn.mat_mul %a, %joined {transpose_b = true} : (tensor<?x?x4xf32>, tensor<?x?x4xf32>) -> tensor<?x?x?xf32>
    %sums = nn.mat_mul %scores, %joined : (tensor<?x?x?xf32>, tensor<?x?x4xf32>) -> tensor<?x?x4xf32>
    infra.yield %sums, %joined : tensor<?x?x4xf32>, tensor<?x?x4xf32>
  } else {
  ^bb0(%b: tensor<?x?x4xf32>, %l: tensor<?x?x4xf32>):
    %all = nn.relu %b : tensor<?x?x4xf32>
    infra.yield %all, %b : tensor<?x?x4xf32>, tensor<?x?x4xf32>
  }
  func.return %y, %all : tensor<?x?x4xf32>, tensor<?x?x4xf32>
}
"""
"""As an exporter merges a decoder without a cache and one with it."""


def numbers(*shape: int) -> Array:
    return np.random.default_rng(sum(shape)).standard_normal(shape, np.float32)


class Decoder:
    """A request whose calls are compared with NumPy."""

    def __init__(self, compiled: lowstream.CompiledModel, share_inputs: bool = False):
        self.request, self.share_inputs = compiled.create_infer_request(), share_inputs
        self.keys, self.count = np.zeros((1, 0, 4), np.float32), 0

    def expected(self, x: Array, use_cache: bool) -> tuple[Array, Array]:
        if not use_cache:
            return np.maximum(x, 0), x
        joined = np.concatenate([self.keys, x], 1)
        return x @ joined.transpose(0, 2, 1) @ joined, joined

    def step(self, use_cache: bool, tokens: int = 1) -> None:
        self.count += 1
        x = numbers(1, tokens, 4) + self.count
        wanted = self.expected(x, use_cache)
        inputs = {"x": x, "keys": self.keys, "use_cache": np.array([use_cache])}
        results = self.request.infer(inputs, share_inputs=self.share_inputs)
        self.check(results, wanted)

    def check(self, results: lowstream.Results, wanted: tuple[Array, Array]) -> None:
        for result, each in zip(results, wanted, strict=True):
            assert_allclose(result, each, rtol=1e-4, atol=1e-4)
        self.keys = results["all"]


@pytest.fixture(scope="module")
def compiled() -> lowstream.CompiledModel:
    return lowstream.compile_model(module(MERGED))


def begun(compiled: lowstream.CompiledModel, share_inputs: bool = False) -> Decoder:
    """A decoder that has a program for many sizes."""
    decoder = Decoder(compiled, share_inputs)
    decoder.step(False, tokens=3)
    for _ in range(4):
        decoder.step(True)
    return decoder


def test_the_cache_is_appended_to_in_place(loaded: list[NativeProgram]) -> None:
    begun(lowstream.compile_model(module(MERGED)))
    assert loaded[-1].executable.aliases == ((1, 1),)
    assert loaded[-1].executable.inputs[1].shape == (1, SMALLEST + 1, 4)


def test_a_call_with_another_condition_keeps_the_program(loaded: list[NativeProgram]) -> None:
    decoder = begun(lowstream.compile_model(module(MERGED)))
    decoder.request.infer({"use_cache": np.array([False])})
    count = len(loaded)
    for _ in range(3):
        decoder.step(True)
    assert len(loaded) == count


@settings(deadline=None)
@given(st.lists(st.booleans(), max_size=8), st.booleans())
def test_conditions_in_any_order(
    compiled: lowstream.CompiledModel, conditions: list[bool], share_inputs: bool
) -> None:
    decoder = begun(compiled, share_inputs)
    for use_cache in conditions:
        decoder.step(use_cache)


def test_a_condition_that_changes_where_it_lies(compiled: lowstream.CompiledModel) -> None:
    decoder = begun(compiled)
    request, x, condition = decoder.request, numbers(1, 1, 4), np.array([True])
    request.set_tensor("use_cache", lowstream.Tensor(condition, shared_memory=True))
    for use_cache in (True, False, False, True):
        condition[...] = use_cache
        wanted = decoder.expected(x, use_cache)
        decoder.check(request.infer({"x": x, "keys": decoder.keys}), wanted)


def test_stages_with_another_condition_keep_the_program(loaded: list[NativeProgram]) -> None:
    decoder = begun(lowstream.compile_model(module(MERGED)))
    stages = decoder.request.stages
    stages.preprocess({"use_cache": np.array([False])})
    stages.start()
    stages.postprocess()
    count = len(loaded)
    for _ in range(3):
        decoder.step(True)
    assert len(loaded) == count


def test_stages_of_a_call_with_another_condition(compiled: lowstream.CompiledModel) -> None:
    decoder = begun(compiled)
    stages, x = decoder.request.stages, numbers(1, 1, 4)
    for use_cache in (True, False, True):
        wanted = decoder.expected(x, use_cache)
        stages.preprocess({"x": x, "keys": decoder.keys, "use_cache": np.array([use_cache])})
        stages.start()
        decoder.check(stages.postprocess(), wanted)
