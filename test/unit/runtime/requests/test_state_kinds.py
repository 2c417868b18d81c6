"""States of every element type, rank and use behave as the reference executor says."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal
from xdsl.utils.exceptions import DiagnosticException

import lowstream
from lowstream.reference.arrays import Array
from lowstream.reference.executor import Executor
from lowstream.test.unit.runtime.runtime_models import module

TYPES = {
    "i64": "int64",
    "i32": "int32",
    "i16": "int16",
    "i8": "int8",
    "ui64": "uint64",
    "ui32": "uint32",
    "ui16": "uint16",
    "ui8": "uint8",
    "f64": "float64",
    "f32": "float32",
    "f16": "float16",
    "i1": "bool",
}
"""MLIR's element types and NumPy's."""

MODEL = """
infra.variable @s : T
func.func @main(%x: T, %z: T) -> (T, T, T) {
INIT
  %r = infra.read_value @s, %init : T -> T
  %y = OPERATION %r, %x : (T, T) -> T
  infra.assign @s, %y : T
  %again = infra.read_value @s, %init : T -> T
  func.return %r, %y, %again : T, T, T
}
"""
"""Gives a state, what becomes of it, and the state again."""


def model(element: str, shape: Sequence[int], init: str) -> Any:
    operation = "nn.logical_xor" if element == "i1" else "nn.add"
    number = {"i": "1", "u": "1", "f": "1.5"}[element[0]] if element != "i1" else "true"
    inits = {
        "constant": f"  %init = nn.constant dense<{number}> : T",
        "input": "",
        "computed": f"  %init = {operation} %x, %z : (T, T) -> T",
    }
    type = f"tensor<{''.join(f'{size}x' for size in shape)}{element}>"
    text = MODEL.replace("INIT", inits[init]).replace("OPERATION", operation)
    if init == "input":
        text = text.replace("%init", "%z")
    return module(text.replace("T", type))


def values(random: np.random.Generator, element: str, shape: Sequence[int]) -> Array:
    return random.integers(0, 2 if element == "i1" else 6, shape).astype(TYPES[element])


@settings(max_examples=40, deadline=None)
@given(
    st.sampled_from(sorted(TYPES)),
    st.lists(st.integers(0, 3), max_size=4),
    st.sampled_from(["constant", "input", "computed"]),
    st.lists(st.tuples(st.sampled_from(["infer", "set", "reset"]), st.integers(0, 1)), max_size=8),
    st.integers(0, 1000),
)
def test_every_type_and_rank(
    element: str, shape: list[int], init: str, actions: list[tuple[str, int]], seed: int
):
    """Two requests do as two executors, whatever is done to them in whatever order."""
    random, source = np.random.default_rng(seed), model(element, shape, init)
    compiled = lowstream.compile_model(source)
    users = [(compiled.create_infer_request(), Executor(source)) for _ in range(2)]
    for action, number in [*actions, ("infer", 0), ("infer", 1)]:
        request, executor = users[number]
        (state,) = request.query_state()
        assert (state.shape, state.state.dtype) == (tuple(shape), np.dtype(TYPES[element]))
        match action:
            case "set":
                state.state = executor.states["s"] = values(random, element, shape)
            case "reset":
                state.reset()
                executor.reset()
            case _:
                inputs = [values(random, element, shape) for _ in range(2)]
                for got, wanted in zip(request.infer(inputs), executor.run(inputs), strict=True):
                    assert_array_equal(got, wanted)
        if "s" in executor.states:
            assert_array_equal(state.state, executor.states["s"])


@pytest.mark.parametrize("element", TYPES)
def test_what_does_not_fit_is_refused_by_name(element: str):
    name = TYPES[element]
    (state,) = (
        lowstream.compile_model(model(element, [2], "constant"))
        .create_infer_request()
        .query_state()
    )
    with pytest.raises(
        DiagnosticException, match=rf"^state 's' takes {name}\[2\], was given {name}\[3\]: "
    ):
        state.state = np.zeros(3, name)
    with pytest.raises(
        DiagnosticException, match=rf"^state 's' takes {name}\[2\], was given complex128\[2\]: "
    ):
        state.state = np.zeros(2, complex)
    assert_array_equal(state.state, model_start(element))


def model_start(element: str) -> Array:
    return np.full(2, 1.5 if element[0] == "f" else 1, TYPES[element])


def test_floats_are_no_integers():
    (state,) = (
        lowstream.compile_model(model("i8", [1], "constant")).create_infer_request().query_state()
    )
    with pytest.raises(
        DiagnosticException, match=r"state 's' takes int8\[1\], was given float64\[1\]"
    ):
        state.state = [0.5]
    with pytest.raises(DiagnosticException, match=r"state 's' .* 200 is outside -128 … 127"):
        state.state = [200]


BF16 = """
infra.variable @s : tensor<Sbf16>
func.func @main(%x: tensor<Sf32> {nn.names = ["X"]}) -> tensor<Sf32> {
  %init = nn.constant dense<1.5> : tensor<Sbf16>
  %r = infra.read_value @s, %init : tensor<Sbf16> -> tensor<Sbf16>
  %wide = nn.convert %r to f32 : tensor<Sbf16> -> tensor<Sf32>
  %y = nn.add %wide, %x : (tensor<Sf32>, tensor<Sf32>) -> tensor<Sf32>
  %next = nn.convert %y to bf16 : tensor<Sf32> -> tensor<Sbf16>
  infra.assign @s, %next : tensor<Sbf16>
  func.return %y : tensor<Sf32>
}
"""


@pytest.mark.parametrize("size", ["", "3x", "0x"])
def test_bf16(size: str):
    """What is set is rounded."""
    source = module(BF16.replace("S", size))
    executor, request = Executor(source), lowstream.compile_model(source).create_infer_request()
    (state,) = request.query_state()
    assert_array_equal(state.state, np.full(state.shape, 1.5, np.float32))
    x = np.full(state.shape, 0.3, np.float32)
    for _ in range(3):
        assert_array_equal(request.infer([x])[0], executor.run([x])[0])
        assert state.state.dtype == ml_dtypes.bfloat16
        assert_array_equal(state.state, executor.states["s"])
    state.state = x
    assert_array_equal(state.state, np.full(state.shape, 0.30078125))
    assert_array_equal(request.infer([x])[0], np.float32(0.30078125) + x)
    state.reset()
    assert_array_equal(state.state, np.full(state.shape, 1.5))


# --- uses -----------------------------------------------------------------------------------


def agree(text: str, calls: Sequence[Sequence[Array]]) -> lowstream.InferRequest:
    """Runs a model's calls compiled and in the reference; returns the request."""
    source = module(text)
    executor, request = Executor(source), lowstream.compile_model(source).create_infer_request()
    for inputs in calls:
        for got, wanted in zip(request.infer(list(inputs)), executor.run(inputs), strict=True):
            assert_array_equal(got, wanted)
    return request


X, Z = np.array([1, 2], np.float32), np.array([10, 20], np.float32)


def test_read_but_never_assigned():
    """Only setting changes it."""
    text = """
    infra.variable @s : tensor<2xf32>
    func.func @main(%x: tensor<2xf32>, %z: tensor<2xf32>) -> tensor<2xf32> {
      %r = infra.read_value @s, %z : tensor<2xf32> -> tensor<2xf32>
      %y = nn.add %r, %x : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
      func.return %y : tensor<2xf32>
    }
    """
    request = agree(text, [(X, Z), (X, 2 * Z), (Z, X)])
    (state,) = request.query_state()
    state.state = np.full(2, 100)
    for _ in range(3):
        assert_array_equal(request.infer([X, Z])[0], X + 100)
        assert_array_equal(state.state, [100, 100])
    state.reset()
    assert_array_equal(request.infer([X, Z])[0], X + Z)


def test_assigned_but_never_read():
    text = """
    infra.variable @s : tensor<2xf32>
    func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
      %y = nn.add %x, %x : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
      infra.assign @s, %y : tensor<2xf32>
      func.return %x : tensor<2xf32>
    }
    """
    request = agree(text, [(X,), (Z,)])
    (state,) = request.query_state()
    assert_array_equal(state.state, 2 * Z)
    state.reset()
    assert_array_equal(state.state, [0, 0])


def test_declared_but_never_used():
    text = """
    infra.variable @s : tensor<?xf32>
    func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
      func.return %x : tensor<2xf32>
    }
    """
    (state,) = agree(text, [(X,), (Z,)]).query_state()
    assert state.shape == (0,)


def test_one_state_begins_as_another_is():
    """What initializes a state may read a state."""
    text = """
    infra.variable @a : tensor<2xf32>
    infra.variable @b : tensor<2xf32>
    func.func @main(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
      %a = infra.read_value @a, %x : tensor<2xf32> -> tensor<2xf32>
      %double = nn.add %a, %a : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
      %b = infra.read_value @b, %double : tensor<2xf32> -> tensor<2xf32>
      infra.assign @a, %b : tensor<2xf32>
      infra.assign @b, %a : tensor<2xf32>
      func.return %a, %b : tensor<2xf32>, tensor<2xf32>
    }
    """
    agree(text, [(X,), (Z,), (Z,)])


def test_different_initial_values_are_refused():
    text = """
    infra.variable @s : tensor<2xf32>
    func.func @main(%x: tensor<2xf32>, %z: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
      %a = infra.read_value @s, %x : tensor<2xf32> -> tensor<2xf32>
      %b = infra.read_value @s, %z : tensor<2xf32> -> tensor<2xf32>
      func.return %a, %b : tensor<2xf32>, tensor<2xf32>
    }
    """
    with pytest.raises(
        DiagnosticException, match="variable 's' is read with two different initial values"
    ):
        lowstream.compile_model(module(text))


def test_several_reads_share_what_computes_the_initial_value():
    """It runs only while the state is unset, as with one read."""
    from lowstream.dialects import kernel
    from lowstream.lowering.lower_to_kernels import lower

    program = lower(model("f32", [2], "computed"))
    (unset,) = (op for op in program.walk() if isinstance(op, kernel.IfUnsetOp))
    assert [type(op) for op in unset.body.block.ops] == [kernel.MapOp]
