"""Recurrent layers, states, loops and branches, written and run in LiteRT."""

import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.exceptions import DiagnosticException

from lowstream.dialects import context, infra
from lowstream.interop.mlir import parse_module, verify
from lowstream.interop.tflite import tflite_bytes, tflite_module
from lowstream.reference.arrays import Array
from lowstream.reference.executor import Executor
from lowstream.test.unit.interop.tflite.interpreter import LiteRt
from lowstream.test.unit.pairwise import each_pair

SEQUENCE = """
func.func @main(%x: {x}, %h0: tensor<2x{directions}x4xf32>, %c0: tensor<2x{directions}x4xf32>,
    %w: tensor<{directions}x16x3xf32>, %r: tensor<{directions}x16x4xf32>, %b: tensor<{directions}x16xf32>)
    -> (tensor<2x{directions}x5x4xf32>, tensor<2x{directions}x4xf32>, tensor<2x{directions}x4xf32>) {{
  %lengths = nn.constant dense<5> : tensor<2xi32>
  {before}
  %y, %h, %c = rnn.lstm_sequence %in, %h0, %c0, %lengths, %w, %r, %b
      {{hidden_size = 4 : i64, direction = "{direction}"}}
      : (tensor<2x5x3xf32>, tensor<2x{directions}x4xf32>, tensor<2x{directions}x4xf32>, tensor<2xi32>,
         tensor<{directions}x16x3xf32>, tensor<{directions}x16x4xf32>, tensor<{directions}x16xf32>)
      -> (tensor<2x{directions}x5x4xf32>, tensor<2x{directions}x4xf32>, tensor<2x{directions}x4xf32>)
  func.return %y, %h, %c
      : tensor<2x{directions}x5x4xf32>, tensor<2x{directions}x4xf32>, tensor<2x{directions}x4xf32>
}}
"""

BATCH_FIRST = """
  %order = nn.constant dense<[0, 1, 2]> : tensor<3xi64>
  %in = nn.transpose %x, %order : (tensor<2x5x3xf32>, tensor<3xi64>) -> tensor<2x5x3xf32>"""

TIME_FIRST = """
  %order = nn.constant dense<[1, 0, 2]> : tensor<3xi64>
  %in = nn.transpose %x, %order : (tensor<5x2x3xf32>, tensor<3xi64>) -> tensor<2x5x3xf32>"""


def parsed(text: str) -> ModuleOp:
    module = parse_module(text, "text", context())
    verify(module)
    return module


def noise(*shape: int, seed: int = 0) -> Array:
    return np.random.default_rng(seed).normal(size=shape).astype(np.float32)


def close(ours: list[Array], expected: list[Array]) -> None:
    for mine, reference in zip(ours, expected, strict=True):
        assert mine.shape == reference.shape and mine.dtype == reference.dtype
        np.testing.assert_allclose(mine, reference, rtol=1e-5, atol=1e-5)


def written_and_read(module: ModuleOp, inputs: list[Array]) -> ModuleOp:
    """Runs what is written in LiteRT, and here what is read of that again, which is returned."""
    model, expected = LiteRt(module), Executor(module).run(inputs)
    close(model.run(inputs), expected)
    again = tflite_module(model.data)
    close(Executor(again).run(inputs), expected)
    return again


@pytest.mark.parametrize("direction", ["forward", "reverse", "bidirectional"])
@pytest.mark.parametrize("time_first", [False, True])
def test_an_lstm_is_one_operator_for_each_direction(direction: str, time_first: bool):
    directions = 2 if direction == "bidirectional" else 1
    x = "tensor<5x2x3xf32>" if time_first else "tensor<2x5x3xf32>"
    before = TIME_FIRST if time_first else BATCH_FIRST
    module = parsed(SEQUENCE.format(x=x, directions=directions, direction=direction, before=before))
    inputs = [
        noise(5, 2, 3) if time_first else noise(2, 5, 3),
        noise(2, directions, 4, seed=1),
        noise(2, directions, 4, seed=2) * 20,  # saturates
        noise(directions, 16, 3, seed=3),
        noise(directions, 16, 4, seed=4),
        noise(directions, 16, seed=5),
    ]
    expected = Executor(module).run(inputs)
    for delegated in (True, False):
        model = LiteRt(module, delegated)
        assert model.operators.count("UNIDIRECTIONAL_SEQUENCE_LSTM") == directions
        for _ in range(2):  # every call begins with the states that it is given
            close(model.run(inputs), expected)
        close(Executor(tflite_module(model.data)).run(inputs), expected)


@pytest.mark.parametrize("delegated", [True, False])
def test_constant_states_are_those_of_every_call(delegated: bool):
    text = SEQUENCE.format(
        x="tensor<2x5x3xf32>", directions=1, direction="forward", before=BATCH_FIRST
    ).replace("%h0: tensor<2x1x4xf32>, %c0: tensor<2x1x4xf32>,", "")
    text = text.replace(
        "%lengths =",
        "%h0 = nn.constant dense<0.5> : tensor<2x1x4xf32>\n"
        "%c0 = nn.constant dense<-0.75> : tensor<2x1x4xf32>\n%lengths =",
    )
    module = parsed(text)
    inputs = [noise(2, 5, 3), noise(1, 16, 3), noise(1, 16, 4), noise(1, 16)]
    model, expected = LiteRt(module, delegated), Executor(module).run(inputs)
    for _ in range(2):
        close(model.run(inputs), expected)


STATE = """
infra.variable @s : tensor<2x3xf32>
func.func @main(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {{
  %init = {init}
  %old = infra.read_value @s, %init : tensor<2x3xf32> -> tensor<2x3xf32>
  %new = nn.add %old, %x : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  infra.assign @s, %new : tensor<2x3xf32>
  %y = nn.relu %old : tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}}
"""


@pytest.mark.parametrize("delegated", [True, False])
@pytest.mark.parametrize(
    "init", ["nn.constant dense<10.0> : tensor<2x3xf32>", "nn.exp %x : tensor<2x3xf32>"]
)
def test_states_go_on_until_a_reset(init: str, delegated: bool):
    module = parsed(STATE.format(init=init))
    model, reference = LiteRt(module, delegated), Executor(module)
    again = Executor(tflite_module(model.data))
    for call in range(6):
        if call == 3:
            model.reset()
            reference.reset()
            again.reset()
        x = noise(2, 3, seed=call)
        expected = reference.run([x])
        close(model.run([x]), expected)
        close(again.run([x]), expected)


LOOP = """
func.func @main(%trip: tensor<i64>, %go: tensor<i1>, %x: tensor<4x2xf32>, %h0: tensor<1x2xf32>)
    -> (tensor<1x2xf32>{more}) {{
  {trip}
  %h{results} = infra.loop %t, %go, %x, %h0
      inputs [#infra.sliced<axis = 0, start = {start}, end = {end}, stride = {stride}, part_size = 1>,
              #infra.merged<result = 0>]
      outputs [#infra.iteration<result = 0, iteration = -1>{ports}]
      body_names ["X", "H"] {{body_condition = 1 : i64, current_iteration}}
      : (tensor<i64>, tensor<i1>, tensor<4x2xf32>, tensor<1x2xf32>) -> (tensor<1x2xf32>{more}) {{
  ^bb0(%x_t: tensor<1x2xf32>, %h: tensor<1x2xf32>, %i: tensor<i64>):
    %n = nn.convert %i to f32 : tensor<i64> -> tensor<f32>
    %a = nn.add %x_t, %n : (tensor<1x2xf32>, tensor<f32>) -> tensor<1x2xf32>
    %s = nn.add %h, %a : (tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<1x2xf32>
    {condition}
    infra.yield %s, %c : tensor<1x2xf32>, tensor<i1>
  }}
  func.return %h{values} : tensor<1x2xf32>{more}
}}
"""

ALWAYS = "%c = nn.constant dense<true> : tensor<i1>"

WHILE_SMALL = """
    %axes = nn.constant dense<[0, 1]> : tensor<2xi64>
    %sum = nn.reduce_sum %s, %axes : (tensor<1x2xf32>, tensor<2xi64>) -> tensor<f32>
    %limit = nn.constant dense<{limit}> : tensor<f32>
    %c = nn.less %sum, %limit : (tensor<f32>, tensor<f32>) -> tensor<i1>"""


@each_pair(limit=[5.0, 50.0], trip=[1, 3, 9, -1], go=[True, False])
def test_a_loop_ends_when_its_condition_or_its_parts_do(trip: int, go: bool, limit: float):
    text = LOOP.format(
        trip="%zero = nn.constant dense<0> : tensor<i64>\n"
        "%t = nn.add %trip, %zero : (tensor<i64>, tensor<i64>) -> tensor<i64>",
        condition=WHILE_SMALL.format(limit=limit),
        results="",
        ports="",
        more="",
        values="",
        start=0,
        end=-1,
        stride=1,
    )
    module = parsed(text)
    inputs = [np.array(trip), np.array(go), np.ones((4, 2), np.float32), noise(1, 2)]
    written_and_read(module, inputs)


@pytest.mark.parametrize("backward", [False, True])
def test_a_loop_puts_parts_together(backward: bool):
    start, end, stride = (-1, 0, -1) if backward else (0, -1, 1)
    port = f"axis = 0, start = {start}, end = {end}, stride = {stride}, part_size = 1"
    text = (
        LOOP.format(
            trip="%t = nn.constant dense<4> : tensor<i64>\n",
            condition=ALWAYS,
            results=", %all",
            ports=f", #infra.concatenated<result = 0, {port}>",
            more=", tensor<4x2xf32>",
            values=", %all",
            start=start,
            end=end,
            stride=stride,
        )
        .replace("%go: tensor<i1>,", "")
        .replace("%t, %go", "%t, %yes")
    )
    text = text.replace("  %h,", "  %yes = nn.constant dense<true> : tensor<i1>\n  %h,")
    text = text.replace("%trip: tensor<i64>, ", "")
    module = parsed(text)
    read = written_and_read(module, [noise(4, 2), noise(1, 2, seed=1)])
    (loop,) = (op for op in read.walk() if isinstance(op, infra.LoopOp))
    assert any(isinstance(port, infra.SlicedAttr) for port in loop.inputs)
    assert any(isinstance(port, infra.ConcatenatedAttr) for port in loop.outputs)


BRANCH = """
func.func @main(%c: tensor<1xi1>, %x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %y, %z = infra.if %c, %x : (tensor<1xi1>, tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  ^bb0(%a: tensor<2xf32>):
    %r = nn.relu %a : tensor<2xf32>
    infra.yield %a, %r : tensor<2xf32>, tensor<2xf32>
  } else {
  ^bb0(%b: tensor<2xf32>):
    %n = nn.constant dense<3.0> : tensor<2xf32>
    infra.yield %n, %n : tensor<2xf32>, tensor<2xf32>
  }
  func.return %y, %z : tensor<2xf32>, tensor<2xf32>
}
"""


@pytest.mark.parametrize("condition", [True, False])
def test_a_branch_runs_one_body(condition: bool):
    module = parsed(BRANCH)
    written_and_read(module, [np.array([condition]), noise(2)])


def test_states_in_bodies_are_refused():
    text = BRANCH.replace(
        "%r = nn.relu %a : tensor<2xf32>",
        "%r = infra.read_value @s, %a : tensor<2xf32> -> tensor<2xf32>\n"
        "infra.assign @s, %a : tensor<2xf32>",
    )
    module = parsed("infra.variable @s : tensor<2xf32>\n" + text)
    with pytest.raises(DiagnosticException, match=r"infra.read_value: .*low-latency2"):
        tflite_bytes(module)
