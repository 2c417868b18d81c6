"""Kernels that read their numbers compute what they did, and are one function."""

from __future__ import annotations

import numpy as np
from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser

from lowstream.dialects import context
from lowstream.dialects.kernel import ProgramOp
from lowstream.lowering.machine import Isa, available_isas
from lowstream.lowering.outline_kernels import OutlineKernels
from lowstream.lowering.plan import PlanMemory
from lowstream.reference.executor import Executor
from lowstream.test.unit.lowering.codegen.kernels import each_isa
from lowstream.test.unit.lowering.codegen.native import Native, assembly_of

LAYER = """
  %{y} = kernel.map [2, 5] ins(%{x}, %r : tensor<2x5xf32>, tensor<5xf32>) outs()
      access [{points}, affine_map<(d0, d1) -> (d1)>, {points}] -> tensor<2x5xf32> {{
  ^bb0(%x: f32, %z: f32):
    %s = arith.constant {scale} : f32
    %b = arith.constant {bias} : f32
    %c = arith.constant 0.75 : f32
    %0 = math.fma %x, %s, %b : f32
    %1 = arith.mulf %z, %s : f32
    %2 = arith.addf %0, %1 : f32
    %3 = arith.mulf %2, %c : f32
    kernel.yield %3 : f32
  }}"""


def layers() -> ModuleOp:
    """Three in a row; the scale is used twice, one bias is that of another layer."""
    numbers = [("0.3", "-2.0"), ("-1.7", "0.1"), ("0.9", "0.1")]
    body = "".join(
        LAYER.format(
            x=f"v{i}", y=f"v{i + 1}", points="affine_map<(d0, d1) -> (d0, d1)>", scale=s, bias=b
        )
        for i, (s, b) in enumerate(numbers)
    )
    type = "tensor<2x5xf32>"
    text = f"func.func @main(%v0: {type}, %r: tensor<5xf32>) -> {type} {{{body} func.return %v3 : {type} }}"
    return Parser(context(), text).parse_module()


@each_isa
def test_numbers_that_are_read_are_the_same(isa: Isa):
    inputs = [
        np.linspace(-3, 3, 10, dtype=np.float32).reshape(2, 5),
        np.array([1, 2, -3, 4, 5], np.float32),
    ]
    module = layers()
    (wanted,) = Executor(module).run(inputs)
    OutlineKernels().apply(context(), module)
    module.verify()
    (have,) = Executor(module).run(inputs)
    np.testing.assert_array_equal(have, wanted)
    PlanMemory().apply(context(), module)
    (program,) = module.ops
    assert isinstance(program, ProgramOp)
    (stored,) = Native(program, isa).run(inputs)
    np.testing.assert_array_equal(stored, wanted)


def test_what_is_shared_is_one_function():
    (isa, *_) = available_isas()
    counts: list[int] = []
    for passes in ((PlanMemory(),), (OutlineKernels(), PlanMemory())):
        module = layers()
        for item in passes:
            item.apply(context(), module)
        (program,) = module.ops
        assert isinstance(program, ProgramOp)
        *kernels, _ = assembly_of(program, isa)
        counts.append("".join(kernels).count("define"))
    assert counts == [3, 1]
