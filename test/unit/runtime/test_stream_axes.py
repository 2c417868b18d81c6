"""`StreamPool` where the streams' dimension is not the first one, or a cell needs as many rows of its state."""

from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_array_equal

import lowstream
from lowstream.dialects import nn
from lowstream.interop.model import Model
from lowstream.reference.arrays import blob_of
from lowstream.test.unit.runtime.runtime_models import module

LAYERS = """
func.func @main(%x: tensor<1x1x3xf32> {nn.names = ["X"]}, %keep: tensor<1xf32> {nn.names = ["K"]})
    -> (tensor<1x1x4xf32> {nn.names = ["Y"]}) {
  %order = nn.constant dense<ORDER> : tensor<3xi64>
  %rows = nn.transpose %x, %order : (tensor<1x1x3xf32>, tensor<3xi64>) -> tensor<1x1x3xf32>
  %h = nn.constant dense<0.0> : tensor<1x1x4xf32>
  %lengths = nn.constant dense<1> : tensor<1xi64>
  %w = nn.constant dense<0.0> : tensor<1x12x3xf32>
  %r = nn.constant dense<0.0> : tensor<1x12x4xf32>
  %b = nn.constant dense<0.0> : tensor<1x12xf32>
  %all, %last = rnn.gru_sequence %rows, %h, %lengths, %w, %r, %b {nn.name = "gru", hidden_size = 4 : i64}
      : (tensor<1x1x3xf32>, tensor<1x1x4xf32>, tensor<1xi64>, tensor<1x12x3xf32>, tensor<1x12x4xf32>, tensor<1x12xf32>)
      -> (tensor<1x1x1x4xf32>, tensor<1x1x4xf32>)
  %axis = nn.constant dense<1> : tensor<1xi64>
  %steps = nn.squeeze %all, %axis : (tensor<1x1x1x4xf32>, tensor<1xi64>) -> tensor<1x1x4xf32>
  %end = nn.constant dense<[-1, 1, 1]> : tensor<3xi64>
  %column = nn.reshape %keep, %end : (tensor<1xf32>, tensor<3xi64>) -> tensor<1x1x1xf32>
  %kept = nn.multiply %steps, %column : (tensor<1x1x4xf32>, tensor<1x1x1xf32>) -> tensor<1x1x4xf32>
  %y = nn.transpose %kept, %order : (tensor<1x1x4xf32>, tensor<3xi64>) -> tensor<1x1x4xf32>
  func.return %y : tensor<1x1x4xf32>
}
"""


def gru(order: str) -> Model:
    """A GRU of one step with random weights, over [streams, steps, 3] or [steps, streams, 3]."""
    model = Model(module(LAYERS.replace("ORDER", order)))
    random = np.random.default_rng(3)
    for op in model.module.walk():
        if isinstance(op, nn.ConstantOp) and op.value.type.get_shape()[:2] == (1, 12):
            values = random.normal(0, 0.5, op.value.type.get_shape()).astype(np.float32)
            op.properties["value"] = blob_of(values)
    lowstream.run_passes(model, "low-latency2")
    return model


@pytest.mark.parametrize("count", [1, 3, 17])
@pytest.mark.parametrize("order", ["[0, 1, 2]", "[1, 0, 2]"], ids=["rows first", "steps first"])
def test_recurrent_layers_of_either_layout_share_calls(order: str, count: int):
    random = np.random.default_rng(0)
    x = random.normal(size=(4, count, 1, 1, 3)).astype(np.float32)
    keep = random.normal(size=(4, count, 1)).astype(np.float32)
    pool, compiled = lowstream.StreamPool(gru(order), count), lowstream.compile_model(gru(order))
    streams = [pool.open() for _ in range(count)]
    found = [pool.infer(streams, {"X": a, "K": b})["Y"] for a, b in zip(x, keep, strict=True)]
    for i in range(count):
        alone: Any = compiled.create_infer_request()
        wanted = alone.infer_sequence({"X": x[:, i], "K": keep[:, i]})["Y"]
        assert_array_equal(np.stack(found)[:, i], wanted)
