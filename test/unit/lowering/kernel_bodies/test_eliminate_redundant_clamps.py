"""Limits that storing has as well go only where nothing else is stored, by the reference and by the machine."""

from __future__ import annotations

from dataclasses import asdict, dataclass

import numpy as np
from hypothesis import event, given
from hypothesis import strategies as st
from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser

from lowstream.dialects import context
from lowstream.dialects.kernel import NO_OVERFLOW, ProgramOp
from lowstream.lowering.kernel_bodies.eliminate_redundant_clamps import EliminateRedundantClamps
from lowstream.lowering.machine import available_isas, choose_isa
from lowstream.lowering.plan import PlanMemory
from lowstream.reference.executor import Executor
from lowstream.test.unit.lowering.codegen.native import Native

BODY = """
func.func @main(%q: tensor<8xi32>, %r: tensor<8xi8>) -> tensor<8x{element}> {{
  %y = kernel.map [8] ins(%q, %r : tensor<8xi32>, tensor<8xi8>) outs()
      access [{points}, {points}, {points}] -> tensor<8x{element}> {{
  ^bb0(%x: i32, %z: i32):
    %0 = arith.sitofp %x : i32 to f32
    %s = arith.constant {scale:e} : f32
    %b = arith.constant {bias:e} : f32
    %1 = math.fma %0, %s, %b : f32
    %2 = arith.sitofp %z : i32 to f32
    %3 = arith.subf %1, %2 : f32
    %low = arith.constant {low:e} : f32
    %4 = arith.cmpf ogt, %low, %3 : f32
    %5 = arith.select %4, %low, %3 : f32
    %high = arith.constant {high:e} : f32
    %6 = arith.cmpf ogt, %5, %high : f32
    %7 = arith.select %6, %high, %5 : f32
    %8 = math.roundeven %7 : f32
    %9 = arith.fptosi %8 : f32 to i32
    kernel.yield %9 : i32
  }}
  func.return %y : tensor<8x{element}>
}}
"""


@dataclass(frozen=True)
class Layer:
    """
    Scales and biases around those with which sums leave i32; limits inside, at and outside those of the type. Numbers
    and not modules are drawn: Hypothesis takes minutes to print one of these.
    """

    scale: float
    bias: float
    element: str
    low: float
    high: float

    def module(self) -> ModuleOp:
        text = BODY.format(points="affine_map<(d0) -> (d0)>", **asdict(self))
        return Parser(context(), text).parse_module()


LAYERS = st.builds(
    Layer,
    scale=st.sampled_from([1.0, -0.25, 0.49, 0.51, 1e-3, 3.0, 1e9]),
    bias=st.floats(-300, 300, width=32) | st.sampled_from([1e8, -3e9, 3e9]),
    element=st.sampled_from(["ui8", "i8"]),
    low=st.sampled_from([-200.0, -128.0, -100.5, 0.0, 3.0]),
    high=st.sampled_from([100.0, 126.6, 127.0, 255.0, 1e4]),
)


SUMS = [-(2**31), 2**31 - 1, -1000, -1, 0, 1, 254, 70000]
CODES = [-128, 127, 0, 5, -5, 1, 2, 3]


@given(layer=LAYERS, isa=st.sampled_from([isa.name for isa in available_isas()]))
def test_the_same_is_stored(layer: Layer, isa: str):
    module = layer.module()
    inputs = [np.array(SUMS, np.int32), np.array(CODES, np.int8)]
    (wanted,) = Executor(module).run(inputs)
    EliminateRedundantClamps().apply(context(), module)
    module.verify()
    event("fits" if any(NO_OVERFLOW in op.attributes for op in module.walk()) else "may not fit")
    (have,) = Executor(module).run(inputs)
    np.testing.assert_array_equal(have, wanted)
    PlanMemory().apply(context(), module)
    (program,) = module.ops
    assert isinstance(program, ProgramOp)
    (stored,) = Native(program, choose_isa(isa)).run(inputs)
    np.testing.assert_array_equal(stored, wanted)
