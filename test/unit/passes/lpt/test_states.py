"""States of 8 bits: they keep the codes of the values that the model keeps, in whichever order passes run."""

import pickle
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser
from xdsl.utils.exceptions import DiagnosticException

from lowstream import compile_model, read_model, save_model
from lowstream.dialects import context, infra, nn
from lowstream.dialects.inferred import tensor
from lowstream.interop.model import Model
from lowstream.passes.pipeline import run_passes
from lowstream.reference.arrays import Array, blob_of
from lowstream.reference.executor import Executor
from lowstream.test.unit.pairwise import each_pair

CALLS = 12

ITERATOR = """
func.func @main(%x: tensor<1x1x3xf32>) -> tensor<1x1x4xf32> {{
  %start = nn.constant dense<0.0> : tensor<1x4xf32>
  %y = infra.tensor_iterator %x, %start
      inputs [#infra.sliced<axis = 1, start = 0, end = -1, stride = 1, part_size = 1>, #infra.merged<result = 0>]
      outputs [#infra.concatenated<result = 1, axis = 1, start = 0, end = -1, stride = 1, part_size = 1>]
      body_names ["X", "H"] {{nn.name = "TI"}} : (tensor<1x1x3xf32>, tensor<1x4xf32>) -> tensor<1x1x4xf32> {{
  ^bb0(%xt: tensor<1x1x3xf32>, %h: tensor<1x4xf32>):
    %axis = nn.constant dense<1> : tensor<1xi64>
    %frame = nn.squeeze %xt, %axis : (tensor<1x1x3xf32>, tensor<1xi64>) -> tensor<1x3xf32>
    %one = nn.constant dense<-1.28> : tensor<f32>
    %other = nn.constant dense<1.27> : tensor<f32>
    %xq = qnn.fake_quantize %frame, %one, %other, %one, %other {{levels = 256 : i64}}
        : (tensor<1x3xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x3xf32>
    %wc = nn.constant dense<1> : tensor<4x3xi8>
    %wf = nn.convert %wc to f32 : tensor<4x3xi8> -> tensor<4x3xf32>
    %scale = nn.constant dense<0.01> : tensor<f32>
    %w = nn.multiply %wf, %scale : (tensor<4x3xf32>, tensor<f32>) -> tensor<4x3xf32>
    %rc = nn.constant dense<1> : tensor<4x4xi8>
    %rf = nn.convert %rc to f32 : tensor<4x4xi8> -> tensor<4x4xf32>
    %r = nn.multiply %rf, %scale : (tensor<4x4xf32>, tensor<f32>) -> tensor<4x4xf32>
    %entered = nn.mat_mul %xq, %w {{transpose_b = true}} : (tensor<1x3xf32>, tensor<4x3xf32>) -> tensor<1x4xf32>
    %carried = nn.mat_mul %h, %r {{transpose_b = true}} : (tensor<1x4xf32>, tensor<4x4xf32>) -> tensor<1x4xf32>
    %sum = nn.add %entered, %carried : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<1x4xf32>
    %gate = nn.tanh %sum : tensor<1x4xf32>
    %low = nn.constant dense<{low}> : tensor<f32>
    %high = nn.constant dense<{high}> : tensor<f32>
    %next = qnn.fake_quantize %gate, %low, %high, %low, %high {{levels = {levels} : i64}}
        : (tensor<1x4xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x4xf32>
    %part = nn.unsqueeze %next, %axis : (tensor<1x4xf32>, tensor<1xi64>) -> tensor<1x1x4xf32>
    infra.yield %next, %part : tensor<1x4xf32>, tensor<1x1x4xf32>
  }}
  func.return %y : tensor<1x1x4xf32>
}}
"""
STATE = "TI/H/variable_1"


@dataclass(frozen=True)
class Loop:
    """A recurrent layer whose hidden state is quantized before it is carried on."""

    step: float
    zero: int  # the code of 0, counted from the lowest
    levels: int
    seed: int

    @property
    def low(self) -> float:
        return -self.zero * self.step

    def module(self) -> ModuleOp:
        high = self.low + (self.levels - 1) * self.step
        text = ITERATOR.format(low=self.low, high=high, levels=self.levels)
        module = Parser(context(), text).parse_module()
        random = np.random.default_rng(self.seed)
        for op in list(module.walk()):
            if isinstance(op, nn.ConvertOp):
                constant = op.input.owner
                assert isinstance(constant, nn.ConstantOp)
                shape = constant.value.type.get_shape()
                codes = random.integers(-127, 128, shape).astype(np.int8)
                constant.properties["value"] = blob_of(codes)
        return module

    def frames(self) -> list[Array]:
        random = np.random.default_rng(self.seed + 1)
        return list(random.uniform(-1.4, 1.4, (CALLS, 1, 1, 3)).astype(np.float32))


LOOPS = st.one_of(
    st.builds(Loop, st.floats(0.004, 0.02), st.just(0), st.just(256), st.integers(0, 999)),
    st.builds(Loop, st.floats(0.004, 0.02), st.just(128), st.just(256), st.integers(0, 999)),
    st.builds(Loop, st.floats(0.004, 0.02), st.just(127), st.just(255), st.integers(0, 999)),
    st.builds(Loop, st.floats(0.004, 0.02), st.integers(1, 200), st.just(256), st.integers(0, 999)),
)
"""Unsigned, symmetric and asymmetric grids."""


def state_type(module: ModuleOp) -> str:
    (variable,) = (op for op in module.ops if isinstance(op, infra.VariableOp))
    assert variable.sym_name.data == STATE
    return str(variable.type).removeprefix("tensor<1x4x").removesuffix(">")


def of_codes(codes: Array, loop: Loop) -> Array:
    """The values that a state of this loop has."""
    zero = loop.zero if codes.dtype == np.uint8 else 0
    return ((codes.astype(np.int64) - zero) * loop.step).astype(np.float32)


def codes_of(values: Array, loop: Loop, dtype: Any) -> Array:
    zero = loop.zero if dtype == np.uint8 else 0
    return np.rint(values / loop.step + zero).astype(dtype)


@settings(max_examples=30)
@given(LOOPS)
def test_a_state_of_codes_is_the_state_of_their_values(loop: Loop):
    judge, low = loop.module(), loop.module()
    run_passes(judge, "low-latency2")
    run_passes(low, "low-latency2,lpt")
    element = state_type(low)
    assert element == ("i8" if loop.zero in (127, 128) and loop.low else "ui8")
    dtype = np.int8 if element == "i8" else np.uint8
    reference, machine = Executor(judge), compile_model(low).create_infer_request()
    executor = Executor(low)
    for frame in loop.frames():
        (wanted,) = reference.run([frame])
        for found in (executor.run([frame])[0], np.array(machine.infer([frame])[0])):
            assert np.max(abs(found - wanted)) < 1.01 * loop.step
        (state,) = machine.query_state()
        codes = executor.states[STATE]
        assert (codes.dtype, state.state.dtype) == (dtype, np.float32)
        for found in (of_codes(codes, loop), state.state):
            assert np.max(abs(found - reference.states[STATE])) < 1.01 * loop.step
        executor.states[STATE] = codes_of(reference.states[STATE], loop, dtype)
        state.state = reference.states[STATE]
        np.testing.assert_allclose(state.state, reference.states[STATE], rtol=0, atol=1e-5)
    products = [op for op in low.walk() if isinstance(op, nn.MatMulOp)]
    assert all(str(tensor(op.a).element_type) in ("i8", "ui8") for op in products)


@pytest.mark.parametrize("zero", [0, 128, 77])
def test_both_orders_say_the_same(zero: int):
    loop = Loop(0.01, zero, 256, 5)
    found: list[Array] = []
    for order in ("low-latency2,lpt", "lpt,low-latency2"):
        module = loop.module()
        run_passes(module, order)
        request = compile_model(module).create_infer_request()
        assert [state.name for state in request.query_state()] == [STATE]
        found.append(np.array([np.array(request.infer([x])[0]) for x in loop.frames()]))
    np.testing.assert_allclose(*found, rtol=0, atol=1.01 * loop.step)


def test_zero_is_where_a_state_begins():
    """The first order knows that zeros are meant; the second keeps values where code 0 means something else."""
    loop = Loop(0.01, 77, 256, 5)
    first, second = loop.module(), loop.module()
    run_passes(first, "low-latency2,lpt")
    run_passes(second, "lpt,low-latency2")
    assert (state_type(first), state_type(second)) == ("ui8", "f32")
    request = compile_model(first).create_infer_request()
    (state,) = request.query_state()
    assert state.zero_point == 77
    assert not state.state.any()
    request.infer([loop.frames()[0]])
    assert state.state.any()
    request.reset_state()
    assert not state.state.any()


def test_a_saved_state_keeps_its_type(tmp_path: Path):
    loop = Loop(0.01, 128, 256, 3)
    model = Model(loop.module())
    run_passes(model.module, "low-latency2,lpt")
    save_model(model, tmp_path / "model.mlir")
    loaded = read_model(tmp_path / "model.mlir")
    assert state_type(loaded.module) == state_type(model.module) == "i8"
    mine, theirs = (compile_model(each).create_infer_request() for each in (model, loaded))
    for x in loop.frames():
        np.testing.assert_array_equal(mine.infer([x])[0], theirs.infer([x])[0])
    (a,), (b,) = mine.query_state(), theirs.query_state()
    np.testing.assert_array_equal(a.state, b.state)


@pytest.mark.parametrize("zero", [0, 127, 128, 77])
def test_a_quantized_state_is_one_of_values(zero: int, tmp_path: Path):
    """Its scale and zero point are published, and survive saving, caching and pickling."""
    loop = Loop(0.01, zero, 255 if zero == 127 else 256, 3)
    model = Model(loop.module())
    run_passes(model.module, "low-latency2,lpt")
    save_model(model, tmp_path / "model.mlir")
    compiled = compile_model(read_model(tmp_path / "model.mlir"))
    for each in (compiled, pickle.loads(pickle.dumps(compiled)), compile_model(model)):
        (state,) = each.create_infer_request().query_state()
        assert state.scale is not None
        assert state.zero_point is not None
        np.testing.assert_allclose(state.scale, 0.01, rtol=1e-6)
        assert state.zero_point == (0 if zero > 77 else zero)
        values = np.array([[0.1, 0.254, 0, 0.996]])
        state.state = values
        np.testing.assert_allclose(state.state, [[0.1, 0.25, 0, 1.0]], rtol=1e-6)
        assert state.state.dtype == np.float32
        for beyond in (3.0, -3.0, np.nan, np.inf):
            with pytest.raises(
                DiagnosticException,
                match=rf"^state '{STATE}' is quantized, and {beyond} is outside -?[\d.]+ … [\d.]+; clip it yourself$",
            ):
                state.state = np.full((1, 4), beyond, np.float32)
        np.testing.assert_allclose(state.state, [[0.1, 0.25, 0, 1.0]], rtol=1e-6)


def test_auto_shows_values():
    """Compiling chooses how a state is held; what is set and read does not change with it."""
    loop, seen = Loop(0.01, 77, 256, 3), list[Array]()
    module = loop.module()
    run_passes(module, "low-latency2")
    for pipeline in ("auto", None):
        request = compile_model(module, pipeline=pipeline).create_infer_request()
        (state,) = request.query_state()
        assert (state.scale is None) == (pipeline is None)
        state.state = np.full((1, 4), 0.25, np.float32)
        for frame in loop.frames():
            request.infer([frame])
        seen.append(state.state)
    np.testing.assert_allclose(*seen, rtol=0, atol=1.01 * loop.step)


def test_a_state_that_is_declared_as_codes_takes_codes():
    text = """
    infra.variable @s : tensor<2xi8>
    func.func @main(%x: tensor<2xi8>) -> tensor<2xi8> {
      %zero = nn.constant dense<0> : tensor<2xi8>
      %old = infra.read_value @s, %zero : tensor<2xi8> -> tensor<2xi8>
      infra.assign @s, %x : tensor<2xi8>
      func.return %old : tensor<2xi8>
    }
    """
    module = Parser(context(), text).parse_module()
    (state,) = compile_model(module).create_infer_request().query_state()
    assert (state.scale, state.zero_point, state.state.dtype) == (None, None, np.int8)
    with pytest.raises(DiagnosticException, match=r"^state 's' takes int8\[2\], was given float32"):
        state.state = np.full(2, 0.5, np.float32)


SEQUENCE = """
func.func @main(%x: tensor<2x1x3xf32>) -> (tensor<2x1x1x4xf32>) {{
  %h = nn.constant dense<0.0> : tensor<2x1x4xf32>
  %c = nn.constant dense<0.0> : tensor<2x1x4xf32>
  %n = nn.constant dense<[1, 1]> : tensor<2xi32>
  %lo = nn.constant dense<-1.28> : tensor<f32>
  %hi = nn.constant dense<1.27> : tensor<f32>
  %xq = qnn.fake_quantize %x, %lo, %hi, %lo, %hi {{levels = 256 : i64}}
      : (tensor<2x1x3xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<2x1x3xf32>
  %hq = qnn.fake_quantize %h, %lo, %hi, %lo, %hi {{levels = 256 : i64}}
      : (tensor<2x1x4xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<2x1x4xf32>
  %s = nn.constant dense<0.01> : tensor<f32>
  %wc = nn.constant dense<3> : tensor<1x{gates}x3xi8>
  %wf = nn.convert %wc to f32 : tensor<1x{gates}x3xi8> -> tensor<1x{gates}x3xf32>
  %w = nn.multiply %wf, %s : (tensor<1x{gates}x3xf32>, tensor<f32>) -> tensor<1x{gates}x3xf32>
  %rc = nn.constant dense<5> : tensor<1x{gates}x4xi8>
  %rf = nn.convert %rc to f32 : tensor<1x{gates}x4xi8> -> tensor<1x{gates}x4xf32>
  %r = nn.multiply %rf, %s : (tensor<1x{gates}x4xf32>, tensor<f32>) -> tensor<1x{gates}x4xf32>
  %b = nn.constant dense<0.1> : tensor<1x{gates}xf32>
  %y, %rest:{states} = rnn.{kind}_sequence %xq, %hq,{cell} %n, %w, %r, %b
      {{nn.name = "S", hidden_size = 4 : i64, direction = "{direction}"}}
      : (tensor<2x1x3xf32>, {types}, tensor<2xi32>,
         tensor<1x{gates}x3xf32>, tensor<1x{gates}x4xf32>, tensor<1x{gates}xf32>)
      -> (tensor<2x1x1x4xf32>, {types})
  func.return %y : tensor<2x1x1x4xf32>
}}
"""


@each_pair(
    constant_start=["true", "false"],
    direction=["forward", "reverse"],
    layer=[("lstm", 16, 2), ("gru", 12, 1), ("rnn", 4, 1)],
)
def test_states_of_a_sequence_have_one_name_in_both_orders(
    constant_start: str, direction: str, layer: tuple[str, int, int]
):
    """LPT makes the sequence an iterator; the states are called, and look, as those of the sequence."""
    kind, gates, states = layer
    types = ", ".join(["tensor<2x1x4xf32>"] * states)
    cell = " %c," if states == 2 else ""
    text = SEQUENCE.format(
        kind=kind, gates=gates, states=states, direction=direction, types=types, cell=cell
    )
    latency = f"low-latency2{{use-const-initializer={constant_start}}}"
    found: list[Array] = []
    for order in (f"{latency},lpt", f"lpt,{latency}"):
        module = Parser(context(), text).parse_module()
        run_passes(module, order)
        request = compile_model(module).create_infer_request()
        listed = request.query_state()
        assert [state.name for state in listed] == [f"S/variable_{n}" for n in range(states)]
        assert all(state.shape == (2, 1, 4) for state in listed)
        random = np.random.default_rng(1)
        frames = random.uniform(-1, 1, (5, 2, 1, 3)).astype(np.float32)
        found.append(np.array([request.infer([frame])[0] for frame in frames]))
        found.append(np.array([state.state for state in listed]))
    np.testing.assert_allclose(found[0], found[2], rtol=0, atol=0.03)
    np.testing.assert_allclose(found[1], found[3], rtol=0, atol=0.03)


def test_a_lowered_sequence_gets_its_states_once():
    types = "tensor<2x1x4xf32>"
    text = SEQUENCE.format(
        kind="gru", gates=12, states=1, direction="forward", types=types, cell=""
    )
    text = text.replace("%x: tensor<2x1x3", "%x: tensor<2x5x3").replace(
        "tensor<2x1x3x", "tensor<2x5x3x"
    )
    module = Parser(
        context(), text.replace("[1, 1]", "[5, 5]").replace("2x1x1x4", "2x1x5x4")
    ).parse_module()
    run_passes(module, "lower-sequences,low-latency2")
    once = str(module)
    run_passes(module, "low-latency2")
    assert str(module) == once
    assert once.count("infra.variable") == 1
