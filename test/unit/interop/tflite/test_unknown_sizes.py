"""Inputs of unknown sizes: one file gives in LiteRT what the module gives, of whatever sizes, one after the other."""

import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.exceptions import DiagnosticException

from lowstream.interop.model import Model
from lowstream.interop.tflite import tflite_bytes
from lowstream.reference.executor import Executor
from lowstream.test.unit.interop.tflite.interpreter import LiteRt
from lowstream.test.unit.interop.tflite.test_recurrent import close, noise, parsed

BATCHES = (4, 4, 1, 33, 2)
"""More and fewer than before: memory of one is never that of another."""

LSTM = """
func.func @main(%x: {x}, %w: tensor<{directions}x16x3xf32>, %r: tensor<{directions}x16x4xf32>,
    %b: tensor<{directions}x16xf32>)
    -> (tensor<?x{directions}x{steps}x4xf32>, tensor<?x{directions}x4xf32>, tensor<?x{directions}x4xf32>) {{
  {before}
  %sizes = nn.shape_of %in : tensor<?x{steps}x3xf32> -> tensor<3xi64>
  %zero = nn.constant dense<[0]> : tensor<1xi64>
  %one = nn.constant dense<[1]> : tensor<1xi64>
  %two = nn.constant dense<[2]> : tensor<1xi64>
  %batch = nn.slice %sizes, %zero, %one, %one, %zero
      : (tensor<3xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<1xi64>
  %count = nn.slice %sizes, %one, %two, %one, %zero
      : (tensor<3xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<1xi64>
  %lengths = nn.broadcast %count, %batch : (tensor<1xi64>, tensor<1xi64>) -> tensor<?xi64>
  {states}
  %y, %h, %c = rnn.lstm_sequence %in, %h0, %c0, %lengths, %w, %r, %b
      {{hidden_size = 4 : i64, direction = "{direction}"}}
      : (tensor<?x{steps}x3xf32>, tensor<?x{directions}x4xf32>, tensor<?x{directions}x4xf32>, tensor<?xi64>,
         tensor<{directions}x16x3xf32>, tensor<{directions}x16x4xf32>, tensor<{directions}x16xf32>)
      -> (tensor<?x{directions}x{steps}x4xf32>, tensor<?x{directions}x4xf32>, tensor<?x{directions}x4xf32>)
  func.return %y, %h, %c
      : tensor<?x{directions}x{steps}x4xf32>, tensor<?x{directions}x4xf32>, tensor<?x{directions}x4xf32>
}}
"""

TIME_FIRST = """
  %order = nn.constant dense<[1, 0, 2]> : tensor<3xi64>
  %in = nn.transpose %x, %order : (tensor<{steps}x?x3xf32>, tensor<3xi64>) -> tensor<?x{steps}x3xf32>"""

BATCH_FIRST = """
  %order = nn.constant dense<[0, 1, 2]> : tensor<3xi64>
  %in = nn.transpose %x, %order : (tensor<?x{steps}x3xf32>, tensor<3xi64>) -> tensor<?x{steps}x3xf32>"""

NUMBERS = """
  %numbers = nn.constant {numbers} : tensor<{directions}x4xf32>
  %rest = nn.constant dense<[{directions}, 4]> : tensor<2xi64>
  %shape = nn.concat %batch, %rest {{axis = 0 : i64}} : (tensor<1xi64>, tensor<2xi64>) -> tensor<3xi64>
  %h0 = nn.broadcast %numbers, %shape : (tensor<{directions}x4xf32>, tensor<3xi64>) -> tensor<?x{directions}x4xf32>
  %c0 = nn.negative %h0 : tensor<?x{directions}x4xf32>"""

# As TensorFlow has zeros of a computed shape: sizes in 32 bits, put together one by one.
ZEROS = """
  %short = nn.convert %batch to i32 : tensor<1xi64> -> tensor<1xi32>
  %axis = nn.constant dense<[0]> : tensor<1xi64>
  %number = nn.squeeze %short, %axis : (tensor<1xi32>, tensor<1xi64>) -> tensor<i32>
  %again = nn.unsqueeze %number, %axis : (tensor<i32>, tensor<1xi64>) -> tensor<1xi32>
  %cells = nn.constant dense<[4]> : tensor<1xi32>
  %both = nn.concat %again, %cells {{axis = 0 : i64}} : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %long = nn.convert %both to i64 : tensor<2xi32> -> tensor<2xi64>
  %nothing = nn.constant dense<0.0> : tensor<f32>
  %flat = nn.broadcast %nothing, %long : (tensor<f32>, tensor<2xi64>) -> tensor<?x?xf32>
  %way = nn.constant dense<[1]> : tensor<1xi64>
  %grown = nn.unsqueeze %flat, %way : (tensor<?x?xf32>, tensor<1xi64>) -> tensor<?x1x?xf32>
  %h0 = nn.broadcast %grown, %wide : (tensor<?x1x?xf32>, tensor<3xi64>) -> tensor<?x{directions}x4xf32>
  %c0 = nn.negative %h0 : tensor<?x{directions}x4xf32>"""

WIDE = """
  %rest = nn.constant dense<[{directions}, 4]> : tensor<2xi64>
  %wide = nn.concat %batch, %rest {{axis = 0 : i64}} : (tensor<1xi64>, tensor<2xi64>) -> tensor<3xi64>"""


def lstm(direction: str, time_first: bool, steps: str, states: str) -> str:
    directions = 2 if direction == "bidirectional" else 1
    numbers = noise(directions, 4, seed=8)
    return LSTM.format(
        x=f"tensor<{steps}x?x3xf32>" if time_first else f"tensor<?x{steps}x3xf32>",
        directions=directions,
        steps=steps,
        direction=direction,
        before=(TIME_FIRST if time_first else BATCH_FIRST).format(steps=steps),
        states=states.format(
            directions=directions, numbers=f'dense<"0x{numbers.tobytes().hex().upper()}">'
        ),
    )


@pytest.mark.parametrize("states", ["numbers", "zeros"])
@pytest.mark.parametrize("steps", ["5", "?"])
@pytest.mark.parametrize("time_first", [False, True])
@pytest.mark.parametrize("direction", ["forward", "reverse", "bidirectional"])
def test_states_of_an_lstm_follow_the_batch(
    direction: str, time_first: bool, steps: str, states: str
):
    """Their memory is made before the call, so that of another size it was another's."""
    given = NUMBERS if states == "numbers" else WIDE + ZEROS
    module = parsed(lstm(direction, time_first, steps, given))
    directions = 2 if direction == "bidirectional" else 1
    weights = [
        noise(directions, 16, 3, seed=3),
        noise(directions, 16, 4, seed=4),
        noise(directions, 16, seed=5),
    ]
    reference = Executor(module)
    for delegated in (True, False):
        model = LiteRt(module, delegated)
        assert model.operators.count("UNIDIRECTIONAL_SEQUENCE_LSTM") == directions
        for call, batch in enumerate(BATCHES):
            count = 5 if steps == "5" else 3 + call
            x = noise(count, batch, 3) if time_first else noise(batch, count, 3)
            expected = reference.run([x, *weights])
            for _ in range(2):
                close(model.run([x, *weights]), expected)


COMPUTED = """
func.func @main(%x: tensor<?x10x3xf32>, %w: tensor<1x16x3xf32>, %r: tensor<1x16x4xf32>, %b: tensor<1x16xf32>)
    -> tensor<?x1x5x4xf32> {
  %sizes = nn.shape_of %x : tensor<?x10x3xf32> -> tensor<3xi64>
  %zero = nn.constant dense<[0]> : tensor<1xi64>
  %one = nn.constant dense<[1]> : tensor<1xi64>
  %two = nn.constant dense<[2]> : tensor<1xi64>
  %batch = nn.slice %sizes, %zero, %one, %one, %zero
      : (tensor<3xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<1xi64>
  %n = nn.multiply %batch, %two : (tensor<1xi64>, tensor<1xi64>) -> tensor<1xi64>
  %rest = nn.constant dense<[5, 3]> : tensor<2xi64>
  %shape = nn.concat %n, %rest {axis = 0 : i64} : (tensor<1xi64>, tensor<2xi64>) -> tensor<3xi64>
  %in = nn.reshape %x, %shape : (tensor<?x10x3xf32>, tensor<3xi64>) -> tensor<?x5x3xf32>
  %states = nn.constant dense<[1, 4]> : tensor<2xi64>
  %wide = nn.concat %n, %states {axis = 0 : i64} : (tensor<1xi64>, tensor<2xi64>) -> tensor<3xi64>
  %nothing = nn.constant dense<0.0> : tensor<f32>
  %h0 = nn.broadcast %nothing, %wide : (tensor<f32>, tensor<3xi64>) -> tensor<?x1x4xf32>
  %insizes = nn.shape_of %in : tensor<?x5x3xf32> -> tensor<3xi64>
  %count = nn.slice %insizes, %one, %two, %one, %zero
      : (tensor<3xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<1xi64>
  %lengths = nn.broadcast %count, %n : (tensor<1xi64>, tensor<1xi64>) -> tensor<?xi64>
  %y, %h, %c = rnn.lstm_sequence %in, %h0, %h0, %lengths, %w, %r, %b {hidden_size = 4 : i64, nn.name = "deep"}
      : (tensor<?x5x3xf32>, tensor<?x1x4xf32>, tensor<?x1x4xf32>, tensor<?xi64>, tensor<1x16x3xf32>,
         tensor<1x16x4xf32>, tensor<1x16xf32>)
      -> (tensor<?x1x5x4xf32>, tensor<?x1x4xf32>, tensor<?x1x4xf32>)
  func.return %y : tensor<?x1x5x4xf32>
}
"""


def check_refused_until_known(module: ModuleOp, sequence: str, steps: int) -> None:
    """The message says what to reshape to; with such a size LiteRT gives what the model says."""
    with pytest.raises(
        DiagnosticException, match=rf"{sequence}.*reshape\(\{{0: \[1, {steps}, 3\]\}}\)$"
    ):
        tflite_bytes(module)
    Model(module).reshape({0: [3, steps, 3]})
    inputs = [noise(3, steps, 3), noise(1, 16, 3, seed=1), noise(1, 16, 4, seed=2), noise(1, 16)]
    close(LiteRt(module).run(inputs), Executor(module).run(inputs))


def test_states_of_a_computed_size_are_refused_until_it_is_known():
    check_refused_until_known(parsed(COMPUTED), "rnn.lstm_sequence 'deep': ", 10)


CHOSEN = """
  %axes = nn.constant dense<[0, 1, 2]> : tensor<3xi64>
  %top = nn.reduce_max %x, %axes : (tensor<?x5x3xf32>, tensor<3xi64>) -> tensor<f32>
  %limit = nn.constant dense<0.0> : tensor<f32>
  %on = nn.greater %top, %limit : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %in = infra.if %on, %x : (tensor<i1>, tensor<?x5x3xf32>) -> tensor<?x5x3xf32> {
  ^bb0(%a: tensor<?x5x3xf32>):
    infra.yield %a : tensor<?x5x3xf32>
  } else {
  ^bb0(%a: tensor<?x5x3xf32>):
    %t = nn.tanh %a : tensor<?x5x3xf32>
    infra.yield %t : tensor<?x5x3xf32>
  }"""


def test_states_of_what_a_branch_gives_are_refused_until_its_size_is_known():
    """LiteRT knows the size of a branch's results when it has run."""
    text = lstm("forward", False, "5", NUMBERS).replace(BATCH_FIRST.format(steps=5), CHOSEN)
    check_refused_until_known(parsed(text), "rnn.lstm_sequence", 5)


GRU = """
func.func @main(%x: tensor<?x?x3xf32>, %h: tensor<?x1x4xf32>, %n: tensor<?xi64>, %w: tensor<1x12x3xf32>,
                %r: tensor<1x12x4xf32>, %b: tensor<1x12xf32>) -> (tensor<?x1x?x4xf32>, tensor<?x1x4xf32>) {
  %y, %z = rnn.gru_sequence %x, %h, %n, %w, %r, %b {hidden_size = 4 : i64, direction = "DIRECTION"}
      : (tensor<?x?x3xf32>, tensor<?x1x4xf32>, tensor<?xi64>, tensor<1x12x3xf32>, tensor<1x12x4xf32>,
         tensor<1x12xf32>) -> (tensor<?x1x?x4xf32>, tensor<?x1x4xf32>)
  func.return %y, %z : tensor<?x1x?x4xf32>, tensor<?x1x4xf32>
}
"""


@pytest.mark.parametrize("direction", ["forward", "reverse"])
def test_a_loop_runs_as_often_as_there_are_steps(direction: str):
    """Lengths that are given are a mask of as many steps."""
    module = parsed(GRU.replace("DIRECTION", direction))
    weights = [noise(1, 12, 3, seed=1), noise(1, 12, 4, seed=2), noise(1, 12, seed=3)]
    model, reference = LiteRt(module), Executor(module)
    for batch, steps in ((2, 5), (1, 1), (3, 7), (2, 2)):
        lengths = np.arange(batch, dtype=np.int64) % steps + 1
        given = [noise(batch, steps, 3), noise(batch, 1, 4), lengths, *weights]
        close(model.run(given), reference.run(given))


LOOPED = """
func.func @main(%x: tensor<?x4x2xf32>, %h: tensor<?x2xf32>) -> (tensor<?x4x2xf32>, tensor<?x2xf32>) {
  %y, %z = infra.tensor_iterator %x, %h
      inputs [#infra.sliced<axis = 1, start = START, end = END, stride = STRIDE, part_size = 1>,
              #infra.merged<result = 1>]
      outputs [#infra.concatenated<result = 0, axis = 1, start = START, end = END, stride = STRIDE, part_size = 1>,
               #infra.iteration<result = 2, iteration = -1>]
      body_names ["a", "b"] : (tensor<?x4x2xf32>, tensor<?x2xf32>) -> (tensor<?x4x2xf32>, tensor<?x2xf32>) {
  ^bb0(%a: tensor<?x1x2xf32>, %b: tensor<?x2xf32>):
    %axis = nn.constant dense<1> : tensor<1xi64>
    %s = nn.squeeze %a, %axis : (tensor<?x1x2xf32>, tensor<1xi64>) -> tensor<?x2xf32>
    %c = nn.add %s, %b : (tensor<?x2xf32>, tensor<?x2xf32>) -> tensor<?x2xf32>
    %t = nn.tanh %c : tensor<?x2xf32>
    %d = nn.unsqueeze %t, %axis : (tensor<?x2xf32>, tensor<1xi64>) -> tensor<?x1x2xf32>
    infra.yield %d, %c, %t : tensor<?x1x2xf32>, tensor<?x2xf32>, tensor<?x2xf32>
  }
  func.return %y, %z : tensor<?x4x2xf32>, tensor<?x2xf32>
}
"""


@pytest.mark.parametrize("limits", [(0, -1, 1), (-1, 0, -1)], ids=["forward", "backward"])
def test_what_a_loop_puts_together_follows_the_batch(limits: tuple[int, int, int]):
    text = LOOPED
    for name, number in zip(("START", "END", "STRIDE"), limits, strict=True):
        text = text.replace(name, str(number))
    module = parsed(text)
    model, reference = LiteRt(module), Executor(module)
    for batch in BATCHES:
        given = [noise(batch, 4, 2), noise(batch, 2, seed=1)]
        close(model.run(given), reference.run(given))


PICKED = """
func.func @main(%x: tensor<?x2xf32>, %i: tensor<4xi64>) -> tensor<4x2xf32> {
  %axis = nn.constant dense<0> : tensor<i64>
  %y = nn.gather %x, %i, %axis {batch_dims = 0 : i64} : (tensor<?x2xf32>, tensor<4xi64>, tensor<i64>) -> tensor<4x2xf32>
  func.return %y : tensor<4x2xf32>
}
"""


def test_indices_count_from_the_end_of_an_unknown_size():
    """Those that are out of bounds of it give 0."""
    module = parsed(PICKED)
    model, reference = LiteRt(module), Executor(module)
    for batch in BATCHES:
        given = [noise(batch, 2), np.array([-1, 0, -3, 3])]
        np.testing.assert_array_equal(model.run(given)[0], reference.run(given)[0])


SLICED = """
func.func @main(%x: tensor<1x6x3xf32>, %i: tensor<1xi64>) -> tensor<1x{0}x3xf32> {{
  %two = nn.constant dense<[2]> : tensor<1xi64>
  %one = nn.constant dense<[1]> : tensor<1xi64>
  {1}
  func.return %y : tensor<1x{0}x3xf32>
}}
"""


def test_a_slice_with_computed_limits_names_the_gather_that_is_written():
    sliced = """%end = nn.add %i, %two : (tensor<1xi64>, tensor<1xi64>) -> tensor<1xi64>
    %y = nn.slice %x, %i, %end, %one, %one
        : (tensor<1x6x3xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<1x?x3xf32>"""
    with pytest.raises(DiagnosticException, match=r"nn\.slice: .*limits are computed.*nn\.gather"):
        tflite_bytes(parsed(SLICED.format("?", sliced)))
    gathered = """%range = nn.constant dense<[0, 1]> : tensor<2xi64>
    %places = nn.add %i, %range : (tensor<1xi64>, tensor<2xi64>) -> tensor<2xi64>
    %y = nn.gather %x, %places, %one {batch_dims = 0 : i64}
        : (tensor<1x6x3xf32>, tensor<2xi64>, tensor<1xi64>) -> tensor<1x2x3xf32>"""
    feed = [noise(1, 6, 3), np.array([3])]
    (found,) = LiteRt(parsed(SLICED.format("2", gathered))).run(feed)
    np.testing.assert_array_equal(found, feed[0][:, 3:5])


RESIZED = """
func.func @main(%x: tensor<?x2x4x6xf32>) -> tensor<?x2x8x9xf32> {
  %sizes = nn.constant dense<[8, 9]> : tensor<2xi64>
  %axes = nn.constant dense<[2, 3]> : tensor<2xi64>
  %y = nn.interpolate %x, %sizes, %axes {mode = "MODE", shape_calculation_mode = "sizes",
      coordinate_transformation_mode = "half_pixel", pads_begin = array<i64>, pads_end = array<i64>}
      : (tensor<?x2x4x6xf32>, tensor<2xi64>, tensor<2xi64>) -> tensor<?x2x8x9xf32>
  func.return %y : tensor<?x2x8x9xf32>
}
"""


@pytest.mark.parametrize("mode", ["linear_onnx", "nearest", "cubic"])
def test_images_of_an_unknown_batch_are_resized(mode: str):
    """By LiteRT's kernel, by gathers, and by products."""
    module = parsed(RESIZED.replace("MODE", mode))
    model, reference = LiteRt(module), Executor(module)
    for batch in BATCHES:
        x = noise(batch, 2, 4, 6)
        close(model.run([x]), reference.run([x]))
