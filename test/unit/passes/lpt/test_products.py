"""What 32 bits hold of products of codes."""

import pytest
from xdsl.dialects.builtin import DYNAMIC_INDEX

from lowstream.dialects import qnn
from lowstream.passes.lpt.dequantization import Dequantization
from lowstream.passes.lpt.products import sums_fit
from lowstream.test.unit.runtime.runtime_models import module

WEIGHTS = """
func.func @main() -> tensor<1x1xf32> {
  %codes = nn.constant dense<7> : tensor<1x1xui8>
  %w = qnn.dequantize %codes scale <dense<0.1> : tensor<f32>> zero_point <dense<255> : tensor<ui8>>
      : tensor<1x1xui8> -> tensor<1x1xf32>
  func.return %w : tensor<1x1xf32>
}
"""

EACH = 255 * (255 + 255) + 255 * 255
"""A product of codes of u8, the zero point of the weights times a code, and of the other operand times a weight."""


@pytest.mark.parametrize(
    ("length", "fits"),
    [(0, True), (2**31 // EACH, True), (2**31 // EACH + 1, False), (DYNAMIC_INDEX, False)],
)
def test_sums_with_zero_points(length: int, fits: bool):
    (op,) = (op for op in module(WEIGHTS).walk() if isinstance(op, qnn.DequantizeOp))
    weights = Dequantization.on(op.result)
    assert weights is not None
    assert sums_fit(length, None, weights) == fits
