"""States that grow from call to call: one program for many sizes, which appends in place."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from xdsl.utils.exceptions import DiagnosticException

import lowstream
from lowstream.runtime.buckets import SMALLEST
from lowstream.runtime.native import NativeProgram
from lowstream.test.unit.runtime.runtime_models import module

WIDTH = 8

DECODER = """
infra.variable @cache : tensor<?x?x8xf32>
func.func @main(%x: tensor<?x?x8xf32> {nn.names = ["x"]}, %mask: tensor<?x?xf32> {nn.names = ["mask"]}BEAM)
    -> (tensor<?x?x8xf32> {nn.names = ["y"]}) {
  %zero = nn.constant dense<[0]> : tensor<1xi64>
  %one = nn.constant dense<[1]> : tensor<1xi64>
  %rest = nn.constant dense<[0, 8]> : tensor<2xi64>
  %shape = nn.shape_of %x : tensor<?x?x8xf32> -> tensor<3xi64>
  %batch = nn.slice %shape, %zero, %one, %one, %zero
    : (tensor<3xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<1xi64>
  %start = nn.concat %batch, %rest {axis = 0 : i64} : (tensor<1xi64>, tensor<2xi64>) -> tensor<3xi64>
  %number = nn.constant dense<0.0> : tensor<f32>
  %none = nn.broadcast %number, %start {mode = "numpy"} : (tensor<f32>, tensor<3xi64>) -> tensor<?x0x8xf32>
  %old = infra.read_value @cache, %none : tensor<?x0x8xf32> -> tensor<?x?x8xf32>
  GATHER
  %all = nn.concat %past, %x {axis = 1 : i64} : (tensor<?x?x8xf32>, tensor<?x?x8xf32>) -> tensor<?x?x8xf32>
  infra.assign @cache, %all : tensor<?x?x8xf32>
  %scores = nn.mat_mul %x, %all {transpose_b = true} : (tensor<?x?x8xf32>, tensor<?x?x8xf32>) -> tensor<?x?x?xf32>
  %added = nn.unsqueeze %mask, %one : (tensor<?x?xf32>, tensor<1xi64>) -> tensor<?x1x?xf32>
  %masked = nn.add %scores, %added : (tensor<?x?x?xf32>, tensor<?x1x?xf32>) -> tensor<?x?x?xf32>
  %weights = nn.softmax %masked {axis = 2 : i64} : tensor<?x?x?xf32>
  %y = nn.mat_mul %weights, %all : (tensor<?x?x?xf32>, tensor<?x?x8xf32>) -> tensor<?x?x8xf32>
  func.return %y : tensor<?x?x8xf32>
}
"""

PLAIN = DECODER.replace("BEAM", "").replace("GATHER", "").replace("%past", "%old")

BEAMS = DECODER.replace("BEAM", ', %beam: tensor<?xi32> {nn.names = ["beam"]}').replace(
    "GATHER",
    "%axis = nn.constant dense<0> : tensor<i64>\n"
    "  %past = nn.gather %old, %beam, %axis {batch_dims = 0 : i64} "
    ": (tensor<?x?x8xf32>, tensor<?xi32>, tensor<i64>) -> tensor<?x?x8xf32>",
)
"""The cache's rows in the order of the beams that go on."""

POSITIVE = """
infra.variable @found : tensor<?xf32>
func.func @main(%x: tensor<4xf32> {nn.names = ["x"]}) -> (tensor<?xf32> {nn.names = ["y"]}) {
  %zero = nn.constant dense<0.0> : tensor<f32>
  %axis = nn.constant dense<0> : tensor<i64>
  %none = nn.constant dense<> : tensor<0xf32>
  %old = infra.read_value @found, %none : tensor<0xf32> -> tensor<?xf32>
  %is = nn.greater %x, %zero : (tensor<4xf32>, tensor<f32>) -> tensor<4xi1>
  %where = nn.non_zero %is {output_type = i64} : tensor<4xi1> -> tensor<1x?xi64>
  %places = nn.squeeze %where, %axis : (tensor<1x?xi64>, tensor<i64>) -> tensor<?xi64>
  %new = nn.gather %x, %places, %axis {batch_dims = 0 : i64}
    : (tensor<4xf32>, tensor<?xi64>, tensor<i64>) -> tensor<?xf32>
  %all = nn.concat %old, %new {axis = 0 : i64} : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  infra.assign @found, %all : tensor<?xf32>
  func.return %all : tensor<?xf32>
}
"""
"""All positive numbers that came."""

Array = Any


class Stepped:
    """A request beside the same in NumPy, whose cache it is to have after each call."""

    def __init__(self, compiled: lowstream.CompiledModel, batch: int = 1):
        self.request, self.batch = compiled.create_infer_request(), batch
        self.cache: Array = np.zeros((batch, 0, WIDTH), np.float32)
        self.random = np.random.default_rng(batch)

    def step(
        self, count: int = 1, beam: list[int] | None = None, given_beam: list[int] | None = None
    ) -> None:
        """A call with so many tokens, of these beams. Others may be given that mean the same."""
        x = self.random.standard_normal((self.batch, count, WIDTH), np.float32)
        mask = self.random.standard_normal((self.batch, self.cache.shape[1] + count), np.float32)
        past = self.cache if beam is None else self.cache[beam]
        self.cache = np.concatenate([past, x], 1)
        given: dict[str, Array] = {"x": x, "mask": mask}
        if beam is not None:
            given["beam"] = np.array(given_beam or beam, np.int32)
        (y,) = self.request.infer(given)
        scores = x.astype(np.float64) @ self.cache.transpose(0, 2, 1) + mask[:, None]
        weights = np.exp(scores - scores.max(-1, keepdims=True))
        wanted = weights / weights.sum(-1, keepdims=True) @ self.cache
        assert y.shape == wanted.shape
        assert_allclose(y, wanted, rtol=1e-5, atol=1e-5)
        self.check()

    @property
    def state(self) -> lowstream.VariableState:
        return self.request.query_state()[0]

    def check(self) -> None:
        """The state is the cache, and nothing else."""
        assert self.state.shape == self.cache.shape
        assert_array_equal(self.state.state, self.cache)

    def reset(self) -> None:
        self.request.reset_state()
        self.cache = self.cache[:, :0]


@pytest.fixture(scope="module")
def plain() -> lowstream.CompiledModel:
    return lowstream.compile_model(module(PLAIN))


def test_a_state_that_grows_needs_few_programs(loaded: list[NativeProgram]) -> None:
    stepped = Stepped(lowstream.compile_model(module(PLAIN)))
    for _ in range(SMALLEST + 3):
        stepped.step()
    assert len(loaded) == 4  # nothing before, 1, all up to 16, and up to 32
    states = [program.executable.states[0] for program in loaded]
    assert [state.in_place for state in states] == [False, False, True, True]
    assert states[2].current == (1, SMALLEST + 1, WIDTH)


def test_prompts_and_tokens(plain: lowstream.CompiledModel) -> None:
    stepped = Stepped(plain)
    for prompt in (3, 20, 5, 4, 9, 11, 40):
        stepped.step(prompt)
        for _ in range(4):
            stepped.step()
        stepped.step(3)
        stepped.reset()


def test_requests_have_caches_of_their_own(plain: lowstream.CompiledModel) -> None:
    both = [Stepped(plain), Stepped(plain, batch=2)]
    for number in range(20):
        both[number % 2].step(1 + number // 2 % 2)


def test_states_are_set_and_go_on(plain: lowstream.CompiledModel) -> None:
    """At any size, in a request that has another one, or none."""
    source, target = Stepped(plain), Stepped(plain)
    for size in (5, 4, 7, 30, 2):
        target.state.state = np.ones((1, 99, WIDTH), np.float32)
        source.reset()
        source.step(size)
        target.state.state = source.state.state
        target.cache = source.cache
        target.check()
        for _ in range(3):
            target.step()


def test_what_was_there_before_does_not_count(plain: lowstream.CompiledModel) -> None:
    """Not even where it is no number."""
    stepped = Stepped(plain)
    stepped.step(9)
    for _ in range(3):
        stepped.step()
    stepped.state.state = np.full((1, 14, WIDTH), np.nan)
    stepped.cache = np.ones((1, 4, WIDTH), np.float32)
    stepped.state.state = stepped.cache
    for _ in range(4):
        stepped.step()


@pytest.mark.parametrize("batch", [1, 3])
def test_beams_change_places(batch: int) -> None:
    stepped = Stepped(lowstream.compile_model(module(BEAMS)), batch)
    for count in (4, *[1] * 16):
        stepped.step(count, list(stepped.random.integers(0, batch, batch)))


def test_the_only_row_stays_in_place(loaded: list[NativeProgram]) -> None:
    """An index that names another one gives zeros, as in a program of the exact size."""
    stepped = Stepped(lowstream.compile_model(module(BEAMS)))
    for beam in (0, 0, 0, 0, -1):
        stepped.step(1, [beam])
    assert loaded[-1].executable.states[0].in_place
    stepped.cache = np.zeros_like(stepped.cache)
    stepped.step(1, [0], [1])
    assert not loaded[-1].executable.states[0].in_place
    for _ in range(3):
        stepped.step(1, [0])


def test_sizes_that_values_decide() -> None:
    request = lowstream.compile_model(module(POSITIVE)).create_infer_request()
    wanted, random = np.zeros(0, np.float32), np.random.default_rng(0)
    for _ in range(12):
        x = random.standard_normal(4, np.float32)
        wanted = np.concatenate([wanted, x[x > 0]])
        assert_array_equal(request.infer([x])["y"], wanted)
        assert_array_equal(request.query_state()[0].state, wanted)


def test_calls_stage_by_stage(plain: lowstream.CompiledModel) -> None:
    request = plain.create_infer_request()
    for size in range(5):
        stages = request.stages
        stages.preprocess({"x": np.ones((1, 1, WIDTH)), "mask": np.zeros((1, size + 1))})
        stages.start()
        stages.wait()
        stages.postprocess()
        assert request.query_state()[0].shape == (1, size + 1, WIDTH)


def test_what_does_not_share_calls_says_so(plain: lowstream.CompiledModel) -> None:
    with pytest.raises(TypeError, match="unknown dimensions"):
        pickle.dumps(plain)
    with pytest.raises(DiagnosticException, match="unknown dimensions"):
        plain.export_model()
