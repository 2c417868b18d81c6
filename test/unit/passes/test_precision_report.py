"""The report takes a module or a model, and names types as OpenVINO does."""

from dataclasses import dataclass

import pytest
from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser

from lowstream.dialects import context
from lowstream.passes.precision_report import precision_report

CELL = """
func.func @main(%x: tensor<1x2xbf16>, %w: tensor<2x2xbf16>, %b: tensor<2xbf16>) -> tensor<1x2xi1> {
  %h = rnn.rnn_cell %x, %x, %w, %w, %b {hidden_size = 2 : i64, nn.name = "cell"}
      : (tensor<1x2xbf16>, tensor<1x2xbf16>, tensor<2x2xbf16>, tensor<2x2xbf16>, tensor<2xbf16>) -> tensor<1x2xbf16>
  %y = nn.convert %h to i1 {nn.name = "truth"} : tensor<1x2xbf16> -> tensor<1x2xi1>
  func.return %y : tensor<1x2xi1>
}
"""


@dataclass
class Model:
    module: ModuleOp


@pytest.mark.parametrize("wrap", [lambda module: module, Model])
def test_rows(wrap):
    module = Parser(context(), CELL).parse_module()
    cell, convert = precision_report(wrap(module))
    assert cell == {
        "name": "cell",
        "type": "RNNCell",
        "inputs": ["bf16"] * 5,
        "outputs": ["bf16"],
        "reason": "its inputs are not quantized",
    }
    assert (convert["type"], convert["outputs"]) == ("Convert", ["boolean"])
