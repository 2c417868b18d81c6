"""`convolution-multiply-fusion` against the reference."""

from __future__ import annotations

import numpy as np
import pytest
from xdsl.parser import Parser

from lowstream.dialects import context, nn
from lowstream.dialects.origins import origin_of
from lowstream.lowering.convolutions.convolution_multiply_fusion import ConvolutionMultiplyFusion
from lowstream.reference.executor import Executor

FILTERS = {
    "convolution": "4x4x3",
    "group_convolution": "2x2x2x3",
    "convolution_backprop_data": "4x4x3",
    "group_convolution_backprop_data": "2x2x2x3",
}
X = "tensor<2x4x7xf32>"


def model(kind: str, scale: str) -> str:
    def constant(shape: str, seed: int) -> str:
        count = np.prod([int(size) for size in shape.split("x")])
        numbers = np.random.default_rng(seed).normal(size=count).astype(np.float32)
        return f'nn.constant dense<"0x{numbers.tobytes().hex()}"> : tensor<{shape}xf32>'

    more = ", output_padding = array<i64: 0>" if kind.endswith("data") else ""
    w, s, b = (f"tensor<{shape}xf32>" for shape in (FILTERS[kind], scale, "4x1"))
    return f"""func.func @main(%x: {X}) -> {X} {{
  %w = {constant(FILTERS[kind], 0)}
  %s = {constant(scale, 1)}
  %b = {constant("4x1", 2)}
  %0 = nn.{kind} %x, %w {{nn.name = "c", strides = array<i64: 1>, dilations = array<i64: 1>,
    pads_begin = array<i64: 1>, pads_end = array<i64: 1>{more}}} : ({X}, {w}) -> {X}
  %1 = nn.multiply %s, %0 {{nn.name = "m"}} : ({s}, {X}) -> {X}
  %2 = nn.add %1, %b {{nn.name = "a"}} : ({X}, {b}) -> {X}
  %3 = nn.multiply %2, %s {{nn.name = "n"}} : ({X}, {s}) -> {X}
  %4 = nn.add %s, %3 {{nn.name = "o"}} : ({s}, {X}) -> {X}
  func.return %4 : {X}
}}"""


@pytest.mark.parametrize("scale", ["4x1", "1x4x1", "1"])
@pytest.mark.parametrize("kind", FILTERS)
def test_a_bias_is_left(kind: str, scale: str):
    """For every way to order filters, and each shape of what scales; the sum is called after all of them."""
    module = Parser(context(), model(kind, scale)).parse_module()
    x = np.random.default_rng(3).normal(size=(2, 4, 7)).astype(np.float32)
    (wanted,) = Executor(module).run([x])
    ConvolutionMultiplyFusion().apply(context(), module)
    module.verify()
    kinds = [op.name for op in module.walk() if not isinstance(op, nn.ConstantOp)]
    assert kinds[2:-1] == [f"nn.{kind}", "nn.add"]
    (found,) = Executor(module).run([x])
    np.testing.assert_allclose(found, wanted, rtol=1e-5, atol=1e-5)
    (bias,) = (op for op in module.walk() if isinstance(op, nn.AddOp))
    assert {origin.name for origin in origin_of(bias)} >= {"a", "n", "o"}
