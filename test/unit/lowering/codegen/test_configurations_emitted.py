"""Whatever is chosen, machine code gives the same bits: register tiles group sums, and keep their order."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from xdsl.dialects.builtin import ModuleOp

from lowstream.dialects import context
from lowstream.interop.mlir import parse_module
from lowstream.lowering.lower_to_kernels import Fused
from lowstream.lowering.machine import Isa
from lowstream.lowering.pack_weights import anchors, candidates
from lowstream.lowering.tuning_configuration import TuningConfigurations, description
from lowstream.reference.arrays import Array
from lowstream.test.unit.lowering.codegen.kernels import each_isa, random_array
from lowstream.test.unit.lowering.codegen.native import Native


def blob(*shape: int) -> str:
    """A constant of bytes."""
    size = int(np.prod(shape))
    return np.random.default_rng(size).integers(-128, 128, size, np.int8).tobytes().hex()


def floats(*shape: int) -> str:
    """A constant of floats, whose sums round."""
    size = int(np.prod(shape))
    return np.random.default_rng(size).normal(size=size).astype(np.float32).tobytes().hex()


MAPS = {
    2: "affine_map<(d0, d1) -> (d0, d1)>",
    4: "affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>",
}

TEXT = f"""
func.func @main(%x: tensor<1x11x9x5xui8>, %z: tensor<1x9x9x37xui8>, %a: tensor<13x10xi8>, %b: tensor<13x10xf32>)
    -> (tensor<1x9x7x41xi32>, tensor<1x7x7x37xi32>, tensor<13x21xi32>, tensor<13x50xf32>) {{
  %f = nn.constant dense<"0x{blob(41, 3, 3, 5)}"> : tensor<41x3x3x5xi8>
  %0 = kernel.convolution [1, 9, 7, 41] groups 1 taps [3, 3] strides [1, 1] dilations [1, 1]
      a(%x : tensor<1x11x9x5xui8>) b(%f : tensor<41x3x3x5xi8>) ins() outs()
      access [{MAPS[4]}] -> tensor<1x9x7x41xi32> {{
  ^bb0(%s: i32):
    kernel.yield %s : i32
  }}
  %d = nn.constant dense<"0x{blob(37, 3, 3, 1)}"> : tensor<37x3x3x1xi8>
  %1 = kernel.convolution [1, 7, 7, 37] groups 37 taps [3, 3] strides [1, 1] dilations [1, 1]
      a(%z : tensor<1x9x9x37xui8>) b(%d : tensor<37x3x3x1xi8>) ins() outs()
      access [{MAPS[4]}] -> tensor<1x7x7x37xi32> {{
  ^bb0(%s: i32):
    kernel.yield %s : i32
  }}
  %v = nn.constant dense<"0x{blob(42, 10)}"> : tensor<42x10xi8>
  %2 = kernel.mat_mul [13, 21] groups 2 a(%a : tensor<13x10xi8>) b(%v : tensor<42x10xi8>) ins() outs()
      access [{MAPS[2]}] -> tensor<13x21xi32> {{
  ^bb0(%s: i32, %t: i32):
    %u = arith.subi %s, %t : i32
    kernel.yield %u : i32
  }}
  %w = nn.constant dense<"0x{floats(50, 10)}"> : tensor<50x10xf32>
  %3 = kernel.mat_mul [13, 50] groups 1 a(%b : tensor<13x10xf32>) b(%w : tensor<50x10xf32>) ins() outs()
      access [{MAPS[2]}] -> tensor<13x50xf32> {{
  ^bb0(%s: f32):
    kernel.yield %s : f32
  }}
  func.return %0, %1, %2, %3 : tensor<1x9x7x41xi32>, tensor<1x7x7x37xi32>, tensor<13x21xi32>, tensor<13x50xf32>
}}
"""


@pytest.fixture(scope="module")
def module() -> ModuleOp:
    return parse_module(TEXT, "kernels.mlir", context())


def results(module: ModuleOp, isa: Isa, configurations: TuningConfigurations) -> list[Array]:
    program = Fused(module, isa, context()).program(configurations)
    rng = np.random.default_rng(0)
    inputs = [random_array(rng, arg.type) for arg in program.input_args]
    return Native(program, isa).run(inputs)


@cache
def by_default(module: ModuleOp, isa: Isa) -> list[Array]:
    return results(module, isa, {})


@each_isa
@given(data=st.data())
@settings(max_examples=5)
def test_the_same_bits(module: ModuleOp, isa: Isa, data: st.DataObject):
    chosen = {
        description(op): data.draw(st.sampled_from(candidates(op, isa))) for op in anchors(module)
    }
    assert len(chosen) == 4
    for have, want in zip(results(module, isa, chosen), by_default(module, isa), strict=True):
        np.testing.assert_array_equal(have, want)
