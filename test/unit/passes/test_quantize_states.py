"""`quantize-states`: the model computes the same bits, and its states are codes."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal
from xdsl.utils.exceptions import DiagnosticException

import lowstream
from lowstream import run_passes
from lowstream.dialects import context
from lowstream.interop.mlir import parse_module
from lowstream.interop.model import Model
from lowstream.reference.executor import Executor

CELL = """
    infra.variable @h : tensor<1x64xf32>
    func.func @main(%x: tensor<1x64xf32> {nn.names = ["X"]}) -> (tensor<1x64xf32> {nn.names = ["Y"]}) {
      %init = nn.constant dense<0.3> : tensor<1x64xf32>
      %low = nn.constant dense<-1.28> : tensor<f32>
      %high = nn.constant dense<1.27> : tensor<f32>
      %least = nn.constant dense<-128.0> : tensor<f32>
      %most = nn.constant dense<127.0> : tensor<f32>
      %h = infra.read_value @h, %init : tensor<1x64xf32> -> tensor<1x64xf32>
      %q = qnn.fake_quantize %h, %low, %high, %least, %most {levels = 256 : i64, output_type = i8}
          : (tensor<1x64xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x64xi8>
      %f = nn.convert %q to f32 : tensor<1x64xi8> -> tensor<1x64xf32>
      %y = nn.subtract %x, %f : (tensor<1x64xf32>, tensor<1x64xf32>) -> tensor<1x64xf32>
      infra.assign @h, %y : tensor<1x64xf32>
      func.return %y : tensor<1x64xf32>
    }
"""
"""What it assigns is often outside of what it quantizes."""


def frames_of(seed: int, *shape: int) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=(*shape, 1, 64)).astype(np.float32)


@given(seed=st.integers(0, 99))
@settings(max_examples=9)
def test_calls_compute_the_same_bits(seed: int):
    module = parse_module(CELL, "cell", context())
    before = Executor(module.clone())
    run_passes(module, "quantize-states")
    after = Executor(module)
    for x in frames_of(seed, 3):
        assert_array_equal(after.run([x])[0], before.run([x])[0])


def test_a_pool_keeps_codes():
    """Streams get what they get alone, and take a quarter of the memory."""
    module = parse_module(CELL, "cell", context())
    pool, alone = lowstream.StreamPool(Model(module), 2), Executor(module)
    (states,) = pool._store.arrays
    assert (states.dtype, states.shape[1:]) == (np.int8, (64,))
    streams, x = [pool.open(), pool.open()], frames_of(0, 3, 2)
    found = [pool.infer(streams, [each])[0][1] for each in x]
    assert_array_equal(found, [alone.run([each[1]])[0] for each in x])


@pytest.mark.parametrize(("multiple", "element"), [(64, "i8"), (128, "f32")])
def test_only_multiples(multiple: int, element: str):
    module = parse_module(CELL, "cell", context())
    run_passes(module, f"quantize-states{{multiple={multiple}}}")
    assert f"@h : tensor<1x64x{element}>" in str(module)


def test_a_multiple_of_nothing():
    with pytest.raises(DiagnosticException, match="multiple=0; give 1 or more"):
        run_passes(parse_module(CELL, "cell", context()), "quantize-states{multiple=0}")
