"""Models that are given signed codes, as full-integer ones of LiteRT, multiply codes in their first convolution."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lowstream.dialects import context
from lowstream.dialects.nn import ConvolutionOp, GroupConvolutionOp
from lowstream.interop.mlir import parse_module
from lowstream.passes.lpt import Lpt
from lowstream.passes.pipeline import run_passes
from lowstream.reference.executor import Executor
from lowstream.test.unit.passes.lpt.test_numerics import low_operations

MODEL = """
func.func @main(%q: tensor<1x4x{size}xi8> {{nn.name = "q"}}) -> ({result} {{nn.name = "y"}}) {{
  %f = nn.convert %q to f32 : tensor<1x4x{size}xi8> -> tensor<1x4x{size}xf32>
  %z = nn.constant dense<{zero_point}.0> : tensor<f32>
  %s = nn.constant dense<0.5> : tensor<f32>
  %c = nn.subtract %f, %z : (tensor<1x4x{size}xf32>, tensor<f32>) -> tensor<1x4x{size}xf32>
  %x = nn.multiply %c, %s : (tensor<1x4x{size}xf32>, tensor<f32>) -> tensor<1x4x{size}xf32>
  %k = nn.constant dense<{filters}> : tensor<{shape}xi8>
  %g = nn.convert %k to f32 : tensor<{shape}xi8> -> tensor<{shape}xf32>
  %w = nn.multiply %g, %s : (tensor<{shape}xf32>, tensor<f32>) -> tensor<{shape}xf32>
  %y = nn.{operation} %x, %w {{strides = array<i64: {stride}>, pads_begin = array<i64: {pad}>, \
    pads_end = array<i64: 0>, dilations = array<i64: 1>}} : (tensor<1x4x{size}xf32>, tensor<{shape}xf32>) -> {result}
  func.return %y : {result}
}}
"""
KINDS = {
    "convolution": (ConvolutionOp, (3, 4, 3)),
    "group_convolution": (GroupConvolutionOp, (4, 1, 1, 3)),
}
"""The operation and the shape of its filters."""


@pytest.mark.parametrize("operation", KINDS)
@given(
    zero_point=st.sampled_from([-128, -3, 0, 127]),
    size=st.integers(3, 20),
    stride=st.integers(1, 2),
    pad=st.integers(0, 2),
    seed=st.integers(0, 99),
)
def test_signed_codes_are_multiplied(operation, zero_point, size, stride, pad, seed):
    kind, shape = KINDS[operation]
    random = np.random.default_rng(seed)
    text = MODEL.format(
        size=size,
        zero_point=zero_point,
        filters=random.integers(-128, 128, shape).tolist(),
        shape="x".join(map(str, shape)),
        operation=operation,
        stride=stride,
        pad=pad,
        result=f"tensor<1x{shape[0]}x{(size + pad - 3) // stride + 1}xf32>",
    )
    module = parse_module(text, "signed.mlir", context())
    codes = random.choice([-128, -127, -1, 0, 1, 127], (1, 4, size)).astype(np.int8)
    (before,) = Executor(module).run([codes])
    run_passes(module, Lpt())
    assert low_operations(module, kind)
    np.testing.assert_allclose(Executor(module).run([codes])[0], before, rtol=1e-6, atol=1e-3)
