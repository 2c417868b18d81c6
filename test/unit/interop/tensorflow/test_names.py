"""Operations keep the names of TensorFlow's graph, which stand in locations; no TensorFlow is needed here."""

from __future__ import annotations

import pytest
from xdsl.dialects.builtin import ModuleOp

from lowstream.dialects import context
from lowstream.dialects.inferred import friendly_name
from lowstream.interop.mlir import parse_module
from lowstream.interop.tensorflow.names import name_operations
from lowstream.passes.tensorflow import TfOp

PLAIN = """module {
  func.func @main(%arg0: tensor<2xf32>) -> tensor<2xf32> {
    %0 = "tf.Relu"(%arg0) {device = ""} : (tensor<2xf32>) -> tensor<2xf32>
    %1:2 = "tf.Split"(%0) : (tensor<2xf32>) -> (tensor<1xf32>, tensor<1xf32>)
    "tf.NoOp"() : () -> ()
    %2 = "tf.Tanh"(%0) : (tensor<2xf32>) -> tensor<2xf32>
    return %2 : tensor<2xf32>
  }
}
"""
LOCATED = """#loc = loc(unknown)
#loc1 = loc("/home/me/model.py":7:1)
#loc2 = loc("Relu:")
module {
  func.func @main(%arg0: tensor<2xf32> loc(unknown)) -> tensor<2xf32> {
    %0 = "tf.Relu"(%arg0) {device = ""} : (tensor<2xf32>) -> tensor<2xf32> loc(#loc7)
    %1:2 = "tf.Split"(%0) : (tensor<2xf32>) -> (tensor<1xf32>, tensor<1xf32>) loc(#loc8)
    "tf.NoOp"() : () -> () loc(#loc)
    %2 = "tf.Tanh"(%0) : (tensor<2xf32>) -> tensor<2xf32> loc(#loc5)
    return %2 : tensor<2xf32> loc(#loc)
  } loc(#loc)
} loc(#loc)
#loc3 = loc("model/act/Relu@main"(#loc1))
#loc4 = loc("parts"(#loc1))
#loc5 = loc("model/tanh@main")
#loc6 = loc(callsite(#loc3 at #loc4))
#loc7 = loc(fused[#loc2, #loc6])
#loc8 = loc(callsite(#loc4 at #loc8))
"""


def module() -> ModuleOp:
    return parse_module(PLAIN, "test.mlir", context())


def names_of(module: ModuleOp) -> list[str | None]:
    return [friendly_name(op) for op in module.walk() if TfOp.of(op) is not None]


def test_a_name_is_the_first_in_a_location():
    found = module()
    name_operations(found, LOCATED)
    assert names_of(found) == ["model/act/Relu", "parts", None, "model/tanh"]


@pytest.mark.parametrize("text", ["", PLAIN, LOCATED.replace("tf.Tanh", "tf.Sigmoid")])
def test_another_text_names_nothing(text: str):
    found = module()
    name_operations(found, text)
    assert names_of(found) == [None] * 4
