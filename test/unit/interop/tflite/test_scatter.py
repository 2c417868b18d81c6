"""Updates at indices that are computed: named twice, counted from the end, and outside."""

import numpy as np
import pytest
from xdsl.utils.exceptions import DiagnosticException

from lowstream.dialects import context
from lowstream.interop.mlir import parse_module
from lowstream.interop.tflite import tflite_module
from lowstream.reference.arrays import Array
from lowstream.reference.executor import Executor
from lowstream.test.unit.interop.tflite.interpreter import LiteRt

X = np.arange(12, dtype=np.float32).reshape(3, 4)
UPDATES = np.arange(100, 110, dtype=np.float32).reshape(5, 2)
INDICES = np.array([[1], [-1], [7], [1], [0]], np.int32)

ALONG = """
func.func @main(%x: tensor<3x4xf32>, %i: tensor<5x1xi32>, %u: tensor<5x2xf32>) -> tensor<3x4xf32> {
  %a = nn.constant dense<0> : tensor<i64>
  %j = nn.constant dense<[5]> : tensor<1xi64>
  %v = nn.concat %u, %u {axis = 1 : i64} : (tensor<5x2xf32>, tensor<5x2xf32>) -> tensor<5x4xf32>
  %s = nn.reshape %i, %j : (tensor<5x1xi32>, tensor<1xi64>) -> tensor<5xi32>
  %y = nn.scatter_update %x, %s, %v, %a
      : (tensor<3x4xf32>, tensor<5xi32>, tensor<5x4xf32>, tensor<i64>) -> tensor<3x4xf32>
  func.return %y : tensor<3x4xf32>
}"""


def nd(reduction: str) -> str:
    """Updates of rows."""
    return f"""
func.func @main(%x: tensor<3x4xf32>, %i: tensor<5x1xi32>, %u: tensor<5x2xf32>) -> tensor<3x4xf32> {{
  %v = nn.concat %u, %u {{axis = 1 : i64}} : (tensor<5x2xf32>, tensor<5x2xf32>) -> tensor<5x4xf32>
  %y = nn.scatter_nd_update %x, %i, %v {{reduction = "{reduction}"}}
      : (tensor<3x4xf32>, tensor<5x1xi32>, tensor<5x4xf32>) -> tensor<3x4xf32>
  func.return %y : tensor<3x4xf32>
}}"""


@pytest.mark.parametrize("text", [ALONG, nd("none"), nd("sum"), nd("sub")])
def test_computed_indices(text: str):
    module = parse_module(text, "test", context())
    expected = Executor(module).run([X, INDICES, UPDATES])
    model = LiteRt(module)
    for found in (model.run([X, INDICES, UPDATES]), _read(model)):
        np.testing.assert_array_equal(found[0], expected[0])


def _read(model: LiteRt) -> list[Array]:
    return Executor(tflite_module(model.data)).run([X, INDICES, UPDATES])


def test_products_at_computed_places_are_refused():
    module = parse_module(nd("prod"), "test", context())
    with pytest.raises(DiagnosticException, match=r"nn\.scatter_nd_update.*'prod'.*constant"):
        LiteRt(module)
