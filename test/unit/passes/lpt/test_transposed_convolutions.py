"""Transposed convolutions of codes around a zero point give what those of values give."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp

from lowstream.dialects import context
from lowstream.dialects.nn.convolution import BackwardConvolution
from lowstream.interop.mlir import parse_module
from lowstream.passes.lpt import Lpt
from lowstream.passes.lpt.config import LptConfig, preset
from lowstream.passes.pipeline import run_passes
from lowstream.reference.executor import Executor
from lowstream.test.unit.interop.tflite.interpreter import LiteRt

MODEL = """
func.func @main(%x: tensor<1x2x4x3xf32>) -> tensor<1x3x9x6xf32> {
  %low = nn.constant dense<-0.5> : tensor<f32>
  %high = nn.constant dense<2.0> : tensor<f32>
  %q = qnn.fake_quantize %x, %low, %high, %low, %high {levels = 256 : i64}
      : (tensor<1x2x4x3xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x2x4x3xf32>
  %c = nn.constant dense<[[[[1, -2], [3, 4], [5, -6]], [[7, 100], [-127, 9], [8, 7]], [[-6, 5], [4, 1], [2, 3]]],
      [[[9, 8], [-7, 6], [5, 4]], [[3, -2], [1, 0], [-1, 2]], [[50, 60], [70, 80], [90, -100]]]]> : tensor<2x3x3x2xi8>
  %w = qnn.dequantize %c scale <dense<0.03125> : tensor<f32>> : tensor<2x3x3x2xi8> -> tensor<2x3x3x2xf32>
  %y = nn.convolution_backprop_data %q, %w {strides = array<i64: 2, 2>, pads_begin = array<i64: 0, 1>,
      pads_end = array<i64: 0, 0>, dilations = array<i64: 1, 1>, output_padding = array<i64: 0, 1>}
      : (tensor<1x2x4x3xf32>, tensor<2x3x3x2xf32>) -> tensor<1x3x9x6xf32>
  func.return %y : tensor<1x3x9x6xf32>
}
"""


def after(module: ModuleOp, config: LptConfig) -> BackwardConvolution:
    """The convolution of the module, on which `lpt` has run."""
    run_passes(module, Lpt(config=config))
    (found,) = (op for op in module.walk() if isinstance(op, BackwardConvolution))
    return found


@pytest.mark.parametrize("in_codes", [True, False])
def test_values_stay(in_codes: bool):
    module = parse_module(MODEL, "model", context())
    x = np.random.default_rng(0).uniform(-1, 3, (1, 2, 4, 3)).astype(np.float32)
    (before,) = Executor(module).run([x])
    product = after(module, replace(preset("cpu-x86"), update_precisions=in_codes))
    assert product.code_of_zero == (51 if in_codes else 0)
    np.testing.assert_allclose(Executor(module).run([x])[0], before, rtol=1e-5, atol=1e-5)


def test_litert_is_given_values():
    """It has no transposed convolution of codes that gives numbers."""
    module = parse_module(MODEL, "model", context())
    x = np.random.default_rng(0).uniform(-1, 3, (1, 2, 4, 3)).astype(np.float32)
    (before,) = Executor(module).run([x])
    after(module, preset("cpu-x86"))
    np.testing.assert_allclose(LiteRt(module).run([x])[0], before, rtol=1e-5, atol=1e-5)
