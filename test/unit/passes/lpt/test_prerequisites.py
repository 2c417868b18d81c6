"""What comes before LPT's markup changes no value, and what keeps models small leaves LPT its weights."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import openvino as ov
import openvino.opset15 as opset
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from xdsl.dialects.builtin import (
    DenseArrayBase,
    IntegerAttr,
    IntegerType,
    StringAttr,
    f32,
    i64,
)

from lowstream import Model, read_model, run_passes
from lowstream.dialects.elements import i4, limits_of, ui4
from lowstream.dialects.inferred import shape_of, tensor
from lowstream.dialects.nn import (
    AddOp,
    ConcatOp,
    ConstantOp,
    ConvertOp,
    ConvolutionOp,
    MatMulOp,
    MultiplyOp,
    PadOp,
    ReluOp,
    SubtractOp,
)
from lowstream.dialects.qnn import DequantizeOp, FakeQuantizeOp
from lowstream.reference.arrays import blob_of, dtype_of
from lowstream.reference.executor import Executor
from lowstream.test.unit.passes.lpt.small_models import (
    UNSIGNED,
    Layers,
    after_lpt,
    apart,
    is_low,
    row_of,
)
from lowstream.test.unit.passes.lpt.test_numerics import SEEDS, Graph


@settings(max_examples=40)
@given(st.lists(st.booleans(), min_size=1, max_size=6), SEEDS)
def test_arithmetic_is_fused(kinds: Sequence[bool], seed: int):
    random = np.random.default_rng(seed)
    graph = Graph((2, 3))
    value, largest = graph.inputs[0], 1.0
    for adds in kinds:
        shape = [(), (3,), (2, 1), (1, 1, 3)][random.integers(3)]
        number = random.uniform(0.25, 4, shape)
        constant = graph.constant(number)
        operands = (value, constant) if random.integers(2) else (constant, value)
        value = graph.add((AddOp if adds else MultiplyOp).of(*operands))
        largest = largest + 4 if adds else largest * 4
    module = graph.module(value)
    x = random.uniform(-1, 1, (2, 3)).astype(np.float32)
    (before,) = Executor(module).run([x])
    run_passes(module, "lpt-prerequisites")
    (after,) = Executor(module).run([x])
    np.testing.assert_allclose(after, before, rtol=0, atol=1e-6 * largest)


@settings(max_examples=40)
@given(
    st.lists(st.integers(1, 3), min_size=1, max_size=3),
    st.integers(-3, 2),
    st.lists(st.booleans(), min_size=4, max_size=4),
    st.booleans(),
    SEEDS,
)
def test_fake_quantize_is_the_same_before_concat(
    parts: Sequence[int], axis: int, varies: Sequence[bool], has_relu: bool, seed: int
):
    random = np.random.default_rng(seed)
    shapes = [tuple(part if i == axis % 3 else 2 for i in range(3)) for part in parts]
    whole = [sum(parts) if i == axis % 3 else 1 for i in range(3)]
    graph = Graph(*shapes)
    value = graph.add(ConcatOp.of(*graph.inputs, axis=IntegerAttr(axis, i64)))
    value = graph.add(ReluOp.of(value)) if has_relu else value
    limits = [
        graph.constant(side * random.uniform(0.5, 1, whole if each else ()))
        for side, each in zip((-1, 1, -1, 1), varies, strict=True)
    ]
    module = graph.module(graph.add(FakeQuantizeOp.of(value, *limits, levels=IntegerAttr(16, i64))))
    inputs = [random.uniform(-1, 1, shape).astype(np.float32) for shape in shapes]
    (before,) = Executor(module).run(inputs)
    run_passes(module, "lpt-prerequisites")
    np.testing.assert_array_equal(Executor(module).run(inputs)[0], before)
    quantizes = [op for op in module.walk() if isinstance(op, FakeQuantizeOp)]
    assert len(quantizes) == len(parts)


@settings(max_examples=30)
@given(
    st.lists(st.tuples(*[st.integers(0, 2)] * 4, st.integers(1, 2)), min_size=1, max_size=2),
    st.sampled_from(("explicit", "valid")),
    st.booleans(),
    SEEDS,
)
def test_padding_becomes_part_of_the_convolution(
    sizes: Sequence[tuple[int, ...]], auto_pad: str, has_value: bool, seed: int
):
    random = np.random.default_rng(seed)
    begin, end, inner_begin, inner_end, stride = zip(*sizes, strict=True)
    graph = Graph((2, 3, *(4 for _ in sizes)))
    zero = [graph.constant(0.0)] if has_value else []
    pads = [graph.constant((0, 0, *each), np.int64) for each in (begin, end)]
    value = graph.add(PadOp.of(graph.inputs[0], *pads, *zero, pad_mode=StringAttr("constant")))
    filters = graph.constant(random.normal(size=(2, 3, *(2 for _ in sizes))))
    window = {
        name: DenseArrayBase.from_list(i64, each)
        for name, each in (
            ("strides", stride),
            ("pads_begin", inner_begin),
            ("pads_end", inner_end),
            ("dilations", [1] * len(sizes)),
        )
    }
    convolution = ConvolutionOp.of(value, filters, **window, auto_pad=StringAttr(auto_pad))
    module = graph.module(graph.add(convolution))
    x = random.normal(size=shape_of(graph.inputs[0])).astype(np.float32)
    (before,) = Executor(module).run([x])
    run_passes(module, "lpt-prerequisites")
    np.testing.assert_allclose(Executor(module).run([x])[0], before, atol=1e-5)
    assert not any(isinstance(op, PadOp) for op in module.walk())


@settings(max_examples=30)
@given(st.sampled_from((np.uint8, np.int8)), st.booleans(), st.integers(1, 160), SEEDS)
def test_weights_are_shifted_where_i8_holds_them(code: Any, varies: bool, distance: int, seed: int):
    random = np.random.default_rng(seed)
    middle = 128 if code == np.uint8 else 0
    points = random.integers(middle - 10, middle + 10, (3, 1) if varies else ())
    limits = np.iinfo(code)
    weights = np.clip(
        points + random.integers(-distance, distance + 1, (3, 4)), limits.min, limits.max
    )
    graph = Graph()
    properties = {"scale": blob_of(np.float32(0.5)), "zero_point": blob_of(points.astype(code))}
    codes = graph.constant(weights, code)
    module = graph.module(graph.add(DequantizeOp.of(codes, **properties)))
    (before,) = Executor(module).run([])
    run_passes(module, "lpt-prerequisites")
    np.testing.assert_array_equal(Executor(module).run([])[0], before)
    (found,) = (op for op in module.walk() if isinstance(op, DequantizeOp))
    fits = (weights - points).min() >= -128 and (weights - points).max() <= 127
    assert (found.zero_point is None) == (fits or not points.any())


@pytest.mark.parametrize("element", [i4, ui4], ids=str)
@pytest.mark.parametrize("zero_point", [0.0, 3.0, 8.0])
def test_weights_of_four_bits_are_multiplied_as_codes(element: IntegerType, zero_point: float):
    layers = Layers((4, 6))
    lowest, highest = limits_of(element)
    every = np.resize(np.arange(lowest, highest + 1), (6, 4)).astype(dtype_of(element))
    codes = layers.add(ConstantOp(blob_of(every, element)))
    values = layers.add(ConvertOp.of(codes, destination_type=f32))
    centred = layers.add(SubtractOp.of(values, layers.constant(zero_point)))
    weights = layers.add(MultiplyOp.of(centred, layers.constant(0.5)))
    data = layers.quantized(layers.inputs[0], UNSIGNED)
    module = layers.module(layers.mat_mul(data, weights))
    before = module.clone()
    assert is_low(row_of(after_lpt(module), "fc"))
    assert apart(before, module, np.linspace(-1, 3, 24, dtype=np.float32).reshape(4, 6)) < 1e-6


WEIGHTS = """
func.func @main(%x: tensor<1x2x4x4xf32>) -> tensor<1x2x4x3xf32> {
  %low = nn.constant dense<0.0> : tensor<f32>
  %high = nn.constant dense<2.55> : tensor<f32>
  %q = qnn.fake_quantize %x, %low, %high, %low, %high {levels = 256 : i64}
      : (tensor<1x2x4x4xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x2x4x4xf32>
  %w = nn.constant dense<[[1, 2], [3, -4]]> : tensor<2x2xi8>
  %wf = nn.convert %w to f32 : tensor<2x2xi8> -> tensor<2x2xf32>
  %z = nn.constant dense<0> : tensor<i8>
  %zf = nn.convert %z to f32 : tensor<i8> -> tensor<f32>
  %ws = nn.subtract %wf, %zf : (tensor<2x2xf32>, tensor<f32>) -> tensor<2x2xf32>
  %half = nn.constant dense<0.5> : tensor<f32>
  %channels = nn.constant dense<[[0.02], [0.04]]> : tensor<2x1xf32>
  %scale = nn.multiply %channels, %half : (tensor<2x1xf32>, tensor<f32>) -> tensor<2x1xf32>
  %wq = nn.multiply %ws, %scale : (tensor<2x2xf32>, tensor<2x1xf32>) -> tensor<2x2xf32>
  %shape = nn.constant dense<[2, 2, 1, 1]> : tensor<4xi64>
  %filters = nn.reshape %wq, %shape : (tensor<2x2xf32>, tensor<4xi64>) -> tensor<2x2x1x1xf32>
  %c = nn.convolution %q, %filters {strides = array<i64: 1, 1>, pads_begin = array<i64: 0, 0>,
      pads_end = array<i64: 0, 0>, dilations = array<i64: 1, 1>, auto_pad = "explicit"}
      : (tensor<1x2x4x4xf32>, tensor<2x2x1x1xf32>) -> tensor<1x2x4x4xf32>
  %p = qnn.fake_quantize %c, %low, %high, %low, %high {levels = 256 : i64}
      : (tensor<1x2x4x4xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x2x4x4xf32>
  %v = nn.constant dense<[[1, 2, 3, 4], [5, 6, 7, 8], [-1, 0, 1, 2]]> : tensor<3x4xi8>
  %vf = nn.convert %v to f32 : tensor<3x4xi8> -> tensor<3x4xf32>
  %vq = nn.multiply %vf, %half : (tensor<3x4xf32>, tensor<f32>) -> tensor<3x4xf32>
  %order = nn.constant dense<[1, 0]> : tensor<2xi64>
  %vt = nn.transpose %vq, %order : (tensor<3x4xf32>, tensor<2xi64>) -> tensor<4x3xf32>
  %y = nn.mat_mul %p, %vt : (tensor<1x2x4x4xf32>, tensor<4x3xf32>) -> tensor<1x2x4x3xf32>
  func.return %y : tensor<1x2x4x3xf32>
}
"""
"""A convolution and a product whose weights are dequantized, computed with and reshaped."""


def described(folder: Path) -> Model:
    (folder / "model.mlir").write_text(WEIGHTS)
    return read_model(folder / "model.mlir")


def from_openvino(folder: Path) -> Model:
    """The same weights, as OpenVINO keeps them in files that it compresses to f16."""
    x = opset.parameter([1, 2, 4, 4], np.float32)
    limits = [np.float32(limit) for limit in (0, 2.55, 0, 2.55)]
    value = opset.fake_quantize(x, *limits, 256)
    codes = opset.convert(opset.constant(np.array([[1, 2], [3, -4]], np.int8)), "f32")
    scale = opset.constant(np.array([[0.02], [0.04]], np.float32))
    filters = opset.reshape(opset.multiply(codes, scale), [2, 2, 1, 1], False)
    value = opset.convolution(value, filters, [1, 1], [0, 0], [0, 0], [1, 1])
    value = opset.fake_quantize(value, *limits, 256)
    codes = opset.convert(opset.constant(np.arange(12, dtype=np.int8).reshape(3, 4)), "f32")
    weights = opset.transpose(opset.multiply(codes, np.float32(0.5)), [1, 0])
    build: Any = ov.Model
    model = build([opset.matmul(value, weights, False, False)], [x], "model")
    ov.save_model(model, folder / "model.xml", compress_to_fp16=True)
    return read_model(folder / "model.xml")


@pytest.mark.parametrize("imported", [described, from_openvino])
@pytest.mark.parametrize(
    "ahead",
    [
        "",
        "fold-constants,",
        "canonicalize,cse,fold-constants,canonicalize,dce,",
        "fold-constants,infer-shapes,cse,canonicalize,fold-constants,",
    ],
)
def test_weights_stay_quantized_until_lpt_has_seen_them(imported, ahead, tmp_path):
    model = imported(tmp_path)
    x = np.random.default_rng(0).uniform(0, 3, (1, 2, 4, 4)).astype(np.float32)
    (before,) = Executor(model.module).run([x])
    run_passes(model, f"{ahead}lpt")
    products = [op for op in model.module.walk() if isinstance(op, ConvolutionOp | MatMulOp)]
    given = [str(tensor(value).element_type) for op in products for value in op.operands]
    assert given == ["ui8", "i8", "ui8", "i8"]
    np.testing.assert_allclose(Executor(model.module).run([x])[0], before, atol=1e-4)
