"""Quantized models, before and after lpt, are operators on codes in LiteRT, and give the same codes but for one."""

import numpy as np
import pytest

from lowstream.interop.tflite import tflite_module
from lowstream.passes.pipeline import run_passes
from lowstream.reference.arrays import Array
from lowstream.reference.executor import Executor
from lowstream.test.unit.interop.tflite.interpreter import LiteRt
from lowstream.test.unit.interop.tflite.test_recurrent import noise, parsed

SCALE = 2 / 255
"""The step of every activation's codes here."""


def literal(array: Array) -> str:
    return f'dense<"0x{array.astype(np.float32).tobytes().hex().upper()}">'


def limits(name: str, low: float, high: float) -> str:
    return (
        f"%{name}l = nn.constant dense<{low!r}> : tensor<f32>\n"
        f"%{name}h = nn.constant dense<{high!r}> : tensor<f32>\n"
    )


def quantized(
    result: str, value: str, type: str, low: float, high: float, levels: int = 256
) -> str:
    return (
        limits(result, low, high)
        + f"%{result} = qnn.fake_quantize %{value}, %{result}l, %{result}h, %{result}l, %{result}h "
        f"{{levels = {levels} : i64}} : ({type}, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) "
        f"-> {type}\n"
    )


def weights(name: str, *shape: int, seed: int) -> str:
    """Weights with a scale for each output, symmetric."""
    whole = "x".join(map(str, shape))
    per = "x".join(map(str, (shape[0], *(1,) * (len(shape) - 1))))
    array = noise(*shape, seed=seed) * 0.2
    bound = np.abs(array).reshape(shape[0], -1).max(axis=1)
    return (
        f"%{name}f = nn.constant {literal(array)} : tensor<{whole}xf32>\n"
        f"%{name}l = nn.constant {literal(-bound)} : tensor<{per}xf32>\n"
        f"%{name}h = nn.constant {literal(bound)} : tensor<{per}xf32>\n"
        f"%{name} = qnn.fake_quantize %{name}f, %{name}l, %{name}h, %{name}l, %{name}h "
        f"{{levels = 255 : i64}} : (tensor<{whole}xf32>"
        + f", tensor<{per}xf32>" * 4
        + f") -> tensor<{whole}xf32>\n"
    )


WINDOW = (
    "{{strides = array<i64: 1, 1>, pads_begin = array<i64: {p}, {p}>, "
    "pads_end = array<i64: {p}, {p}>, dilations = array<i64: 1, 1>}}"
)
IMAGE = "tensor<1x4x6x6xf32>"
BIAS = f"%b = nn.constant {literal(noise(4, seed=9) * 0.1)} : tensor<1x4x1x1xf32>\n"

NETS = {
    "convolution": (
        quantized("q", "x", IMAGE, -128 * SCALE, 127 * SCALE)
        + weights("w", 4, 4, 3, 3, seed=1)
        + f"%y = nn.convolution %q, %w {WINDOW.format(p=1)} : ({IMAGE}, tensor<4x4x3x3xf32>) -> {IMAGE}\n"
        + BIAS
        + f"%z = nn.add %y, %b : ({IMAGE}, tensor<1x4x1x1xf32>) -> {IMAGE}\n"
        + f"%r = nn.relu %z : {IMAGE}\n"
        + quantized("f", "r", IMAGE, 0.0, 255 * SCALE),
        "CONV_2D",
    ),
    "zero_point": (
        quantized("q", "x", IMAGE, -40 * SCALE, 215 * SCALE)
        + weights("w", 4, 4, 3, 3, seed=2)
        + f"%y = nn.convolution %q, %w {WINDOW.format(p=1)} : ({IMAGE}, tensor<4x4x3x3xf32>) -> {IMAGE}\n"
        + quantized("f", "y", IMAGE, -100 * SCALE, 155 * SCALE),
        "CONV_2D",
    ),
    "depthwise": (
        quantized("q", "x", IMAGE, -128 * SCALE, 127 * SCALE)
        + weights("w", 4, 1, 1, 3, 3, seed=3)
        + f"%y = nn.group_convolution %q, %w {WINDOW.format(p=0)} "
        f": ({IMAGE}, tensor<4x1x1x3x3xf32>) -> tensor<1x4x4x4xf32>\n"
        + quantized("f", "y", "tensor<1x4x4x4xf32>", -128 * SCALE, 127 * SCALE),
        "DEPTHWISE_CONV_2D",
    ),
    "mat_mul": (
        quantized("q", "x", "tensor<3x8xf32>", -128 * SCALE, 127 * SCALE)
        + weights("w", 5, 8, seed=4)
        + "%y = nn.mat_mul %q, %w {transpose_b = true} "
        ": (tensor<3x8xf32>, tensor<5x8xf32>) -> tensor<3x5xf32>\n"
        + quantized("f", "y", "tensor<3x5xf32>", -128 * SCALE, 127 * SCALE),
        "FULLY_CONNECTED",
    ),
    "pooling": (
        quantized("q", "x", IMAGE, -128 * SCALE, 127 * SCALE)
        + weights("w", 4, 4, 3, 3, seed=5)
        + f"%y = nn.convolution %q, %w {WINDOW.format(p=1)} : ({IMAGE}, tensor<4x4x3x3xf32>) -> {IMAGE}\n"
        + "%m = nn.max_pool %y {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>, "
        "pads_begin = array<i64: 1, 0>, pads_end = array<i64: 1, 0>, dilations = array<i64: 1, 1>} "
        f": {IMAGE} -> tensor<1x4x4x3xf32>\n"
        + quantized("f", "m", "tensor<1x4x4x3xf32>", -128 * SCALE, 127 * SCALE),
        "CONV_2D",
    ),
}


@pytest.mark.parametrize("name", NETS)
@pytest.mark.parametrize("after_lpt", [False, True])
def test_products_are_of_codes(name: str, after_lpt: bool):
    body, builtin = NETS[name]
    x = "tensor<3x8xf32>" if name == "mat_mul" else IMAGE
    result = {"mat_mul": "tensor<3x5xf32>", "depthwise": "tensor<1x4x4x4xf32>"}.get(name, IMAGE)
    result = "tensor<1x4x4x3xf32>" if name == "pooling" else result
    text = f"func.func @main(%x: {x}) -> {result} {{\n{body}func.return %f : {result}\n}}"
    module = parsed(text)
    inputs = [noise(3, 8) if name == "mat_mul" else noise(1, 4, 6, 6)]
    (expected,) = Executor(module).run(inputs)
    if after_lpt:
        run_passes(module, "lpt")
    model = LiteRt(module)
    (operator,) = (op for op in model.graph.subgraphs[0].operators if op.builtin == builtin)
    kinds = [tensor.element for tensor in operator.inputs if tensor is not None]
    bias = [] if name == "mat_mul" else ["int32"]  # a convolution has one, zeros if need be
    assert kinds == ["int8", "int8", *bias] and operator.outputs[0].element == "int8"
    (ours,) = model.run(inputs)
    assert len(np.unique(expected)) > 10
    assert np.abs(ours - expected).max() <= SCALE * 1.001
    if not after_lpt:  # read again, it is quantized as before
        (again,) = Executor(tflite_module(model.data)).run(inputs)
        np.testing.assert_allclose(again, expected, atol=SCALE * 1.001)


def test_a_sum_of_codes():
    text = (
        f"func.func @main(%x: {IMAGE}, %y: {IMAGE}) -> {IMAGE} {{\n"
        + quantized("q", "x", IMAGE, -128 * SCALE, 127 * SCALE)
        + quantized("p", "y", IMAGE, -64 * SCALE, 63.5 * SCALE)
        + f"%s = nn.add %q, %p : ({IMAGE}, {IMAGE}) -> {IMAGE}\n"
        + f"%r = nn.relu %s : {IMAGE}\n"
        + quantized("f", "r", IMAGE, -128 * SCALE, 127 * SCALE)  # which lets less than 0 through
        + f"func.return %f : {IMAGE}\n}}"
    )
    module = parsed(text)
    inputs = [noise(1, 4, 6, 6), noise(1, 4, 6, 6, seed=1) * 0.3]
    (expected,) = Executor(module).run(inputs)
    model = LiteRt(module)
    assert model.operators == ["QUANTIZE", "QUANTIZE", "ADD", "DEQUANTIZE"]
    assert np.abs(model.run(inputs)[0] - expected).max() <= SCALE * 1.001


def test_an_interval_without_zero_among_its_codes_stays_in_floating_point():
    """LiteRT's zero points are integers; this one is 127.5."""
    text = (
        f"func.func @main(%x: {IMAGE}) -> {IMAGE} {{\n"
        + quantized("q", "x", IMAGE, -1.0, 1.0)
        + f"func.return %q : {IMAGE}\n}}"
    )
    module = parsed(text)
    x = noise(1, 4, 6, 6)
    (expected,) = Executor(module).run([x])
    np.testing.assert_allclose(LiteRt(module).run([x])[0], expected, atol=1e-5)
    assert "QUANTIZE" not in LiteRt(module).operators


def test_a_step_at_one_point_is_written_as_a_choice():
    text = f"""
func.func @main(%x: {IMAGE}) -> {IMAGE} {{
  %point = nn.constant dense<0.125> : tensor<f32>
  %low = nn.constant dense<-1.0> : tensor<f32>
  %high = nn.constant dense<1.0> : tensor<f32>
  %q = qnn.fake_quantize %x, %point, %point, %low, %high {{levels = 2 : i64}}
      : ({IMAGE}, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> {IMAGE}
  func.return %q : {IMAGE}
}}"""
    module = parsed(text)
    x = noise(1, 4, 6, 6)
    x.flat[0] = 0.125
    (expected,) = Executor(module).run([x])
    np.testing.assert_array_equal(LiteRt(module).run([x])[0], expected)


def test_fewer_levels_than_codes_have_their_ends():
    """An interval from -4 to 11 steps: 16 of 256 codes, 0 among them."""
    step = 0.125
    text = (
        f"func.func @main(%x: {IMAGE}) -> {IMAGE} {{\n"
        + quantized("q", "x", IMAGE, -4 * step, 11 * step, levels=16)
        + f"func.return %q : {IMAGE}\n}}"
    )
    module = parsed(text)
    x = noise(1, 4, 6, 6)
    (expected,) = Executor(module).run([x])
    assert x.min() < -4 * step and x.max() > 11 * step
    model = LiteRt(module)
    assert "QUANTIZE" in model.operators
    np.testing.assert_allclose(model.run([x])[0], expected, atol=1e-6)


LSTM = """
func.func @main(%x: tensor<2x5x3xf32>) -> tensor<2x5x4xf32> {{
  {x}{w}{r}%b = nn.constant {b} : tensor<1x16xf32>
  %h0 = nn.constant {h0} : tensor<2x1x4xf32>
  %c0 = nn.constant {c0} : tensor<2x1x4xf32>
  %lengths = nn.constant dense<5> : tensor<2xi32>
  %y, %h, %c = rnn.lstm_sequence %q, %h0, %c0, %lengths, %w, %r, %b {{hidden_size = 4 : i64, direction = "{way}"}}
      : (tensor<2x5x3xf32>, tensor<2x1x4xf32>, tensor<2x1x4xf32>, tensor<2xi32>, tensor<1x16x3xf32>,
         tensor<1x16x4xf32>, tensor<1x16xf32>)
      -> (tensor<2x1x5x4xf32>, tensor<2x1x4xf32>, tensor<2x1x4xf32>)
  %axis = nn.constant dense<1> : tensor<1xi64>
  %s = nn.squeeze %y, %axis : (tensor<2x1x5x4xf32>, tensor<1xi64>) -> tensor<2x5x4xf32>
  {f}func.return %f : tensor<2x5x4xf32>
}}
"""


@pytest.mark.parametrize("delegated", [True, False])
@pytest.mark.parametrize("way", ["forward", "reverse"])
def test_an_lstm_in_integers(way: str, delegated: bool):
    """8-bit input, weights and output, a 16-bit cell; against the same LSTM that nobody quantized."""
    x, h0, c0 = noise(2, 5, 3), noise(2, 1, 4, seed=1) * 0.3, noise(2, 1, 4, seed=2)
    low = float(np.abs(x).max()) / 127
    text = LSTM.format(
        x=quantized("q", "x", "tensor<2x5x3xf32>", -128 * low, 127 * low),
        w=weights("w", 1, 16, 3, seed=3),
        r=weights("r", 1, 16, 4, seed=4),
        b=literal(noise(1, 16, seed=5)),
        h0=literal(h0),
        c0=literal(c0),
        f=quantized("f", "s", "tensor<2x5x4xf32>", -96 / 128, 159 / 128),
        way=way,
    )
    module = parsed(text)
    floating = parsed(text.replace("%q, %h0", "%x, %h0").replace("%w, %r,", "%wf, %rf,"))
    model = LiteRt(module, delegated)
    (lstm,) = (o for o in model.graph.subgraphs[0].operators if "LSTM" in o.builtin)
    kinds = [lstm.inputs[i] for i in (0, 1, 5, 12, 18, 19)]
    expected_kinds = ["int8", "int8", "int8", "int32", "int8", "int16"]
    assert [None if kind is None else kind.element for kind in kinds] == expected_kinds
    assert len(lstm.intermediates) == 5
    (expected,) = Executor(floating).run([x])
    for _ in range(2):
        assert np.abs(model.run([x])[0] - expected).max() < 1e-2


PADDED = (
    "func.func @main(%x: tensor<2x3xf32>) -> tensor<2x4xf32> {\n"
    + quantized("q", "x", "tensor<2x3xf32>", -1.0, 1 - SCALE / 2)
    + """
  %code = nn.constant dense<-100> : tensor<i8>
  %fill = qnn.dequantize %code scale <dense<0.0078125> : tensor<f32>> : tensor<i8> -> tensor<f32>
  %begin = nn.constant dense<[0, 1]> : tensor<2xi64>
  %end = nn.constant dense<0> : tensor<2xi64>
  %y = nn.pad %q, %begin, %end, %fill {pad_mode = "constant"}
      : (tensor<2x3xf32>, tensor<2xi64>, tensor<2xi64>, tensor<f32>) -> tensor<2x4xf32>
  func.return %y : tensor<2x4xf32>
}
"""
)


def test_the_value_of_padding_may_be_a_code():
    """As LiteRT's files have it."""
    module, x = parsed(PADDED), noise(2, 3)
    (ours,), (expected,) = LiteRt(module).run([x]), Executor(module).run([x])
    np.testing.assert_allclose(ours, expected, rtol=0, atol=1.01 * SCALE)
    assert (ours[:, 0] == -100 / 128).all()
