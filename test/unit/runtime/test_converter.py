"""Quantized conversions run in LiteRT on codes, and are near the model that they were made of."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pytest
from ai_edge_litert.interpreter import Interpreter
from xdsl.utils.exceptions import DiagnosticException

import lowstream
from lowstream import Converter, Model, OpsSet, Optimize, TargetSpec
from lowstream.interop.tflite import tflite_module
from lowstream.reference.arrays import Array
from lowstream.reference.executor import Executor
from lowstream.test.unit.interop.tflite.serialize import parse
from lowstream.test.unit.interop.tflite.test_quantized import literal
from lowstream.test.unit.interop.tflite.test_recurrent import noise, parsed

INT8 = OpsSet.TFLITE_BUILTINS_INT8
INT16 = OpsSet.EXPERIMENTAL_TFLITE_BUILTINS_ACTIVATIONS_INT16_WEIGHTS_INT8

WINDOW = (
    "{strides = array<i64: 1, 1>, pads_begin = array<i64: 1, 1>, pads_end = array<i64: 1, 1>, "
    "dilations = array<i64: 1, 1>}"
)
IMAGE = "tensor<1x4x6x6xf32>"

IMAGES = f"""
func.func @main(%x: {IMAGE}) -> tensor<1x10xf32> {{
  %w = nn.constant {literal(noise(4, 4, 3, 3, seed=1) * 0.3)} : tensor<4x4x3x3xf32>
  %s = nn.constant {literal(noise(4, seed=2) ** 2)} : tensor<4x1x1xf32>
  %b = nn.constant {literal(noise(4, seed=3))} : tensor<4x1x1xf32>
  %y = nn.convolution %x, %w {WINDOW} : ({IMAGE}, tensor<4x4x3x3xf32>) -> {IMAGE}
  %n = nn.multiply %y, %s : ({IMAGE}, tensor<4x1x1xf32>) -> {IMAGE}
  %a = nn.add %n, %b : ({IMAGE}, tensor<4x1x1xf32>) -> {IMAGE}
  %r = nn.relu %a : {IMAGE}
  %t = nn.tanh %a : {IMAGE}
  %two = nn.concat %r, %t {{axis = 1 : i64}} : ({IMAGE}, {IMAGE}) -> tensor<1x8x6x6xf32>
  %k = nn.max_pool %two {{kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>,
    pads_begin = array<i64: 0, 0>, pads_end = array<i64: 0, 0>, dilations = array<i64: 1, 1>}}
    : tensor<1x8x6x6xf32> -> tensor<1x8x3x3xf32>
  %half = nn.constant dense<0.5> : tensor<f32>
  %m = nn.multiply %k, %half : (tensor<1x8x3x3xf32>, tensor<f32>) -> tensor<1x8x3x3xf32>
  %axes = nn.constant dense<[2, 3]> : tensor<2xi64>
  %e = nn.reduce_mean %m, %axes {{keep_dims = false}} : (tensor<1x8x3x3xf32>, tensor<2xi64>) -> tensor<1x8xf32>
  %d = nn.constant {literal(noise(8, 10, seed=4))} : tensor<8x10xf32>
  %f = nn.mat_mul %e, %d : (tensor<1x8xf32>, tensor<8x10xf32>) -> tensor<1x10xf32>
  %p = nn.softmax %f {{axis = 1 : i64}} : tensor<1x10xf32>
  func.return %p : tensor<1x10xf32>
}}
"""

SEQUENCES = f"""
func.func @main(%x: tensor<1x5x3xf32>) -> (tensor<1x5x4xf32>, tensor<1x4xf32>) {{
  %zero = nn.constant dense<0.0> : tensor<1x1x4xf32>
  %lengths = nn.constant dense<5> : tensor<1xi32>
  %w = nn.constant {literal(noise(1, 16, 3, seed=1))} : tensor<1x16x3xf32>
  %r = nn.constant {literal(noise(1, 16, 4, seed=2) * 0.5)} : tensor<1x16x4xf32>
  %b = nn.constant {literal(noise(1, 16, seed=3))} : tensor<1x16xf32>
  %y, %h, %c = rnn.lstm_sequence %x, %zero, %zero, %lengths, %w, %r, %b
      {{hidden_size = 4 : i64, direction = "forward"}}
      : (tensor<1x5x3xf32>, tensor<1x1x4xf32>, tensor<1x1x4xf32>, tensor<1xi32>,
         tensor<1x16x3xf32>, tensor<1x16x4xf32>, tensor<1x16xf32>)
      -> (tensor<1x1x5x4xf32>, tensor<1x1x4xf32>, tensor<1x1x4xf32>)
  %one = nn.constant dense<1> : tensor<1xi64>
  %all = nn.squeeze %y, %one : (tensor<1x1x5x4xf32>, tensor<1xi64>) -> tensor<1x5x4xf32>
  %last = nn.squeeze %h, %one : (tensor<1x1x4xf32>, tensor<1xi64>) -> tensor<1x4xf32>
  func.return %all, %last : tensor<1x5x4xf32>, tensor<1x4xf32>
}}
"""

SHAPES = {IMAGES: (1, 4, 6, 6), SEQUENCES: (1, 5, 3)}


def samples(shape: Sequence[int]) -> Iterator[list[Array]]:
    for seed in range(10):
        yield [noise(*shape, seed=seed)]


def converter(text: str, *operators: OpsSet) -> Converter:
    made = Converter(Model(parsed(text)), [Optimize.DEFAULT])
    if operators:
        made.representative_dataset = lambda: samples(SHAPES[text])
        made.target_spec = TargetSpec(operators)
    return made


def run(data: bytes, x: Array) -> list[Array]:
    """What LiteRT makes of numbers, in numbers."""
    interpreter: Any = Interpreter(model_content=data)
    interpreter.allocate_tensors()
    (given,) = interpreter.get_input_details()
    if given["dtype"] != np.float32:
        scale, point = given["quantization"]
        x = np.rint(x / scale + point).clip(*_ends(given["dtype"])).astype(given["dtype"])
    interpreter.set_tensor(given["index"], x)
    interpreter.invoke()
    found: list[Array] = []
    for taken in interpreter.get_output_details():
        y = interpreter.get_tensor(taken["index"])
        scale, point = taken["quantization"]
        found.append((y.astype(np.float32) - point) * scale if scale else y)
    return found


def _ends(codes: Any) -> tuple[int, int]:
    return np.iinfo(codes).min, np.iinfo(codes).max


def builtins(data: bytes) -> list[str]:
    return [op.builtin for op in parse(data).subgraphs[0].operators]


NETS = {
    IMAGES: [
        *("CONV_2D", "RELU", "TANH", "QUANTIZE", "CONCATENATION", "MAX_POOL_2D", "MUL"),
        *("MEAN", "FULLY_CONNECTED", "SOFTMAX"),
    ],
    SEQUENCES: ["MINIMUM", "MINIMUM", "UNIDIRECTIONAL_SEQUENCE_LSTM", "STRIDED_SLICE"],
}


@pytest.mark.parametrize(
    ("text", "codes"),
    [(IMAGES, "int8"), (IMAGES, "uint8"), (IMAGES, "float32"), (SEQUENCES, "int8")],
    ids=["images", "images_ui8", "images_f32", "sequences"],
)
def test_activations_of_8_bits(text: str, codes: str):
    made = converter(text, INT8)
    made.inference_input_type = made.inference_output_type = codes
    data, x = made.convert(), noise(*SHAPES[text], seed=3)
    ours = run(data, x)
    for found, expected in zip(ours, Executor(parsed(text)).run([x]), strict=True):
        assert np.abs(found - expected).max() < 0.03
    if codes == "int8":
        moved = ("TRANSPOSE", "RESHAPE")
        assert [name for name in builtins(data) if name not in moved] == NETS[text]
        assert np.abs(read_again(data, x) - ours[0]).max() < 0.03


def read_again(data: bytes, x: Array) -> Array:
    """What a file on codes is here, compiled, in numbers."""
    graph = parse(data).subgraphs[0]
    ports = graph.inputs[0], graph.outputs[0]
    given, taken = (port.quantization for port in ports)
    assert given is not None and taken is not None
    codes = (
        np.rint(x / given.scales[0] + given.zero_point)
        .clip(*_ends(ports[0].element))
        .astype(ports[0].element)
    )
    request = lowstream.compile_model(Model(tflite_module(data))).create_infer_request()
    return (request.infer([codes])[0].astype(np.float32) - taken.zero_point) * taken.scales[0]


@pytest.mark.parametrize("type", ["int8", "float16"])
def test_weights_alone(type: str):
    """Small weights stay; those of 1024 elements and more become smaller, and the products nearly as exact."""
    text = f"""
    func.func @main(%x: tensor<2x32xf32>) -> tensor<2x4xf32> {{
      %w = nn.constant {literal(noise(32, 64, seed=1) * 0.1)} : tensor<32x64xf32>
      %v = nn.constant {literal(noise(64, 4, seed=2) * 0.1)} : tensor<64x4xf32>
      %y = nn.mat_mul %x, %w : (tensor<2x32xf32>, tensor<32x64xf32>) -> tensor<2x64xf32>
      %z = nn.mat_mul %y, %v : (tensor<2x64xf32>, tensor<64x4xf32>) -> tensor<2x4xf32>
      func.return %z : tensor<2x4xf32>
    }}"""
    made, x = converter(text), noise(2, 32)
    if type == "float16":
        made.target_spec.supported_types = [np.float16]
    data = made.convert()
    constants = [
        each.element for each in parse(data).subgraphs[0].tensors() if each.data is not None
    ]
    assert sorted(constants) == sorted([type, "float32"])
    (expected,) = Executor(parsed(text)).run([x])
    error = np.abs(run(data, x)[0] - expected).max()
    assert 0 < error < (1e-3 if type == "float16" else 0.03)
    (here,) = Executor(tflite_module(data)).run([x])
    assert np.abs(here - expected).max() < 0.03


def test_what_no_model_is_made_of_is_refused_at_once():
    with pytest.raises(DiagnosticException, match="cannot be read; give a path"):
        Converter(7)  # pyright: ignore[reportArgumentType]
    model: Any = parsed(IMAGES)
    assert Converter(model).model.inputs[0].shape == (1, 4, 6, 6)


def test_options_that_do_not_fit_are_named():
    plain = Converter(Model(parsed(IMAGES)))
    plain.inference_input_type = np.int8
    with pytest.raises(DiagnosticException, match="codes need optimizations"):
        plain.convert()
    empty = converter(IMAGES, INT8)
    empty.representative_dataset = []
    with pytest.raises(DiagnosticException, match="no samples to calibrate with"):
        empty.convert()
    mixed = converter(IMAGES, INT8)
    mixed.inference_output_type = np.int16
    with pytest.raises(DiagnosticException, match="16 bits beside activations of 8"):
        mixed.convert()
    with pytest.raises(DiagnosticException, match="none of TFLITE_BUILTINS, TFLITE_BUILTINS_INT8"):
        converter(IMAGES, "SELECT_TF_OPS").convert()  # pyright: ignore[reportArgumentType]


def test_activations_of_16_bits():
    """Activations of 16 bits are far nearer; what has no kernel on such codes stays f32."""
    made = converter(IMAGES, INT16)
    made.inference_input_type = made.inference_output_type = np.int16
    data, x = made.convert(), noise(*SHAPES[IMAGES], seed=3)
    (ours,) = run(data, x)
    (expected,) = Executor(parsed(IMAGES)).run([x])
    assert np.abs(ours - expected).max() < 0.003
    names = builtins(data)
    assert {"CONV_2D", "TANH", "MEAN", "FULLY_CONNECTED", "SOFTMAX"} < {*names}
    assert "DEQUANTIZE" not in names
    assert np.abs(read_again(data, x) - ours).max() < 0.001
