"""Rows of a batch that depend on each other are no streams: `StreamPool` finds out before any stream runs."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from xdsl.utils.exceptions import DiagnosticException

import lowstream
from lowstream.interop.model import Model
from lowstream.test.unit.runtime.runtime_models import module

SUM_OF_ROWS = """
infra.variable @last : tensor<1x4xf32>
func.func @main(%x: tensor<1x4xf32> {{nn.names = ["X"]}}) -> (tensor<1x4xf32> {{nn.names = ["Y"]}}) {{
  %zero = nn.constant dense<0.0> : tensor<1x4xf32>
  %old = infra.read_value @last, %zero : tensor<1x4xf32> -> tensor<1x4xf32>
  %axis = nn.constant dense<0> : tensor<1xi64>
  %first = nn.constant dense<{first}> : tensor<1xi64>
  %end = nn.constant dense<1000> : tensor<1xi64>
  %one = nn.constant dense<1> : tensor<1xi64>
  %rows = nn.slice %{summed}, %first, %end, %one, %axis
      : (tensor<1x4xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<{rows}x4xf32>
  %sum = nn.reduce_sum %rows, %axis {{keep_dims = true}} : (tensor<{rows}x4xf32>, tensor<1xi64>) -> tensor<1x4xf32>
  %y = nn.add %x, %sum : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<1x4xf32>
  infra.assign @last, %{kept} : tensor<1x4xf32>
  func.return %{given} : tensor<1x4xf32>
}}
"""
"""What is `summed` over rows, from the `first` one on, is in `y`, which is `kept` or `given`."""


@pytest.mark.parametrize(
    ("summed", "kept", "given", "port"),
    [("x", "x", "y", "output 'Y'"), ("old", "x", "y", "output 'Y'"), ("x", "y", "x", "'last'")],
    ids=["inputs", "states", "in the state alone"],
)
def test_rows_that_depend_on_others(summed: str, kept: str, given: str, port: str):
    """States show it in the second call, and what is only kept in no output of a call."""
    text = SUM_OF_ROWS.format(first=0, rows=1, summed=summed, kept=kept, given=given)
    with pytest.raises(DiagnosticException, match=f"{port} of a stream depends on the other"):
        lowstream.StreamPool(Model(module(text)), 4)


def test_rows_that_depend_on_others_in_large_batches_alone():
    """Each size of a batch is tried before streams run in it: of up to 4 rows, nothing is in the sum."""
    text = SUM_OF_ROWS.format(first=4, rows=0, summed="x", kept="x", given="y")
    pool = lowstream.StreamPool(Model(module(text)), 16)
    streams = [pool.open() for _ in range(16)]
    x = np.random.default_rng(0).normal(size=(16, 1, 4)).astype(np.float32)
    for first in range(0, 16, 4):
        few = slice(first, first + 4)
        assert_array_equal(pool.infer(streams[few], {"X": x[few]})["Y"], x[few])
    with pytest.raises(DiagnosticException, match="'Y' of a stream depends on the other streams"):
        pool.infer(streams, {"X": x})
