"""Multiply-accumulates are counted from the shapes of results and weights, loops included."""

import pytest
from xdsl.dialects import func
from xdsl.parser import Parser

from lowstream.dialects import context
from lowstream.passes.precision_report.multiply_accumulates import (
    Summary,
    multiply_accumulates,
    summarize,
)

OPS = {
    "nn.mat_mul %a, %b {transpose_a = true} : (tensor<4x3xf32>, tensor<4x5xf32>) -> tensor<3x5xf32>": 60,
    "nn.mat_mul %a, %b : (tensor<2x?x4xf32>, tensor<4x5xf32>) -> tensor<2x?x5xf32>": None,
    "nn.mat_mul %a, %b : (tensor<4xf32>, tensor<4x5xf32>) -> tensor<5xf32>": 20,
    "nn.convolution %a, %b {strides = array<i64: 2, 2>} : (tensor<1x3x9x9xf32>, tensor<8x3x3x3xf32>)"
    " -> tensor<1x8x4x4xf32>": 8 * 4 * 4 * 27,
    "nn.group_convolution %a, %b : (tensor<1x4x9xf32>, tensor<4x1x1x3xf32>) -> tensor<1x4x7xf32>": 84,
    "nn.convolution_backprop_data %a, %b : (tensor<1x3x4xf32>, tensor<3x8x3xf32>) -> tensor<1x8x6xf32>": 3
    * 4
    * 24,
    "nn.scaled_dot_product_attention %a, %b, %b : (tensor<4x2x3x5xf32>, tensor<4x2x7x5xf32>,"
    " tensor<4x2x7x5xf32>) -> tensor<4x2x3x5xf32>": 4 * 2 * 3 * 7 * (5 + 5),
    "nn.relu %a : tensor<4xf32>": None,
}


def parse(text: str):
    """The first operation of a function of two arguments."""
    relu = "tensor<4xf32>, tensor<4xf32>"
    types = relu if "relu" in text else text.split(": (")[-1].split(") ->")[0]
    left, right, *_ = types.split(", ")
    module = Parser(
        context(), f"func.func @main(%a: {left}, %b: {right}) {{ %y = {text}\n func.return }}"
    ).parse_module()
    main = module.body.block.first_op
    assert isinstance(main, func.FuncOp)
    op = main.body.block.first_op
    assert op is not None
    return module, op


@pytest.mark.parametrize("text", OPS)
def test_one_operation(text: str):
    module, op = parse(text)
    if "relu" in text:
        assert summarize(module, lambda op: True) == Summary()
        return
    assert multiply_accumulates(op) == OPS[text]
    count = OPS[text]
    expected = Summary(1, 1, count or 0, count or 0, count is None)
    assert summarize(module, lambda op: True) == expected


def test_summary_in_words():
    assert str(Summary()) == "no matrix products, convolutions or recurrent layers"
    assert str(Summary(4, 3, 2000, 1900, 1)) == (
        "3 of 4 matrix products, convolutions and recurrent layers are in 8 bits, 95.0% of 2,000 "
        "multiply-accumulates; the size of 1 is not known"
    )


LOOP = """
func.func @main(%x: tensor<4x2xf32>, %w: tensor<2x2xf32>) -> tensor<4x2xf32> {
  %y = infra.tensor_iterator %x, %w
      inputs [#infra.sliced<axis = 0, start = 0, end = -1, stride = 1, part_size = 1>, #infra.invariant]
      outputs [#infra.concatenated<result = 0, axis = 0, start = 0, end = -1, stride = 1, part_size = 1>]
      body_names ["X", "W"] : (tensor<4x2xf32>, tensor<2x2xf32>) -> tensor<4x2xf32> {
  ^bb0(%xt: tensor<1x2xf32>, %v: tensor<2x2xf32>):
    %a = nn.mat_mul %xt, %v : (tensor<1x2xf32>, tensor<2x2xf32>) -> tensor<1x2xf32>
    infra.yield %a : tensor<1x2xf32>
  }
  func.return %y : tensor<4x2xf32>
}
"""


@pytest.mark.parametrize(("steps", "count"), [("4", 16), ("?", None)])
def test_bodies_count_for_each_iteration(steps: str, count: int | None):
    text = LOOP.replace("tensor<4x2", f"tensor<{steps}x2")
    found = summarize(Parser(context(), text).parse_module(), lambda op: True)
    assert found == Summary(1, 1, count or 0, count or 0, count is None)


def test_recurrent_layers_count_each_step():
    text = """
    func.func @main(%x: tensor<2x5x3xf32>, %h: tensor<2x1x4xf32>, %n: tensor<2xi32>, %w: tensor<1x16x3xf32>,
        %r: tensor<1x16x4xf32>, %b: tensor<1x16xf32>) {
      %y, %ho, %co = rnn.lstm_sequence %x, %h, %h, %n, %w, %r, %b {hidden_size = 4 : i64, direction = "forward"}
          : (tensor<2x5x3xf32>, tensor<2x1x4xf32>, tensor<2x1x4xf32>, tensor<2xi32>, tensor<1x16x3xf32>,
             tensor<1x16x4xf32>, tensor<1x16xf32>) -> (tensor<2x1x5x4xf32>, tensor<2x1x4xf32>, tensor<2x1x4xf32>)
      func.return
    }
    """
    module = Parser(context(), text).parse_module()
    assert summarize(module, lambda op: False) == Summary(1, 0, 2 * 5 * 16 * (3 + 4), 0, 0)
