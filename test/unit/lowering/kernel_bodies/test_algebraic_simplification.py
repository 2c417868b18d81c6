"""A PReLU of one operation less gives the same bits, by the reference."""

from __future__ import annotations

import numpy as np
import pytest
from xdsl.parser import Parser

from lowstream.dialects import context
from lowstream.lowering.kernel_bodies.algebraic_simplification import AlgebraicSimplification
from lowstream.reference.executor import Executor

BODY = """
func.func @main(%x: tensor<16xf32>, %q: tensor<16xui8>) -> tensor<16xf32> {{
  %y = kernel.map [16] ins(%x, %q : tensor<16xf32>, tensor<16xui8>) outs()
      access [{points}, {points}, {points}] -> tensor<16xf32> {{
  ^bb0(%v: f32, %c: i32):
    %zero = arith.constant 0.0 : f32
    %slope = arith.constant {slope:e} : f32
    %positive = arith.cmpf ogt, %v, %zero : f32
    %below = arith.mulf %v, %slope : f32
    %a = arith.select %positive, %v, %below : f32
    kernel.yield %a : f32
  }}
  func.return %y : tensor<16xf32>
}}
"""

EXTREMES = [0.0, -0.0, np.inf, -np.inf, np.nan, 1e-45, -1e-45, 1.2e-38, -1.2e-38, 3.4e38, -3.4e38]


@pytest.mark.parametrize("slope", [-0.5, 0.0, 1e-38, 0.25, 1.0, 1.5])
def test_a_p_relu_has_the_same_bits(slope: float):
    x = np.array([*EXTREMES, 1.0, -1.0, 0.3, -0.3, 7.0], np.float32)
    codes = np.zeros(16, np.uint8)
    text = BODY.format(points="affine_map<(d0) -> (d0)>", slope=slope)
    module = Parser(context(), text).parse_module()
    with np.errstate(invalid="ignore", under="ignore"):
        (expected,) = Executor(module).run([x, codes])
        AlgebraicSimplification().apply(context(), module)
        module.verify()
        (found,) = Executor(module).run([x, codes])
    assert ("arith.constant 0.0" not in str(module)) == (0 < slope <= 1)
    np.testing.assert_array_equal(np.isnan(found), np.isnan(expected))
    number = ~np.isnan(expected)
    assert found[number].tobytes() == expected[number].tobytes()
