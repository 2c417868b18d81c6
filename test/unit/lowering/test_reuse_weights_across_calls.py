"""Sums that are added in another order in every second call are the same."""

from __future__ import annotations

import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser

from lowstream.dialects import context, kernel
from lowstream.lowering import reuse_weights_across_calls
from lowstream.lowering.codegen import work
from lowstream.lowering.machine import Isa
from lowstream.lowering.pack_weights import PackWeights
from lowstream.lowering.plan import PlanMemory
from lowstream.lowering.reuse_weights_across_calls import ReuseWeightsAcrossCalls
from lowstream.reference.program import ProgramExecutor
from lowstream.test.unit.lowering.codegen.kernels import each_isa
from lowstream.test.unit.lowering.codegen.native import Native

CALLS = 5

LAYER = """
  %{y}, %{h}_next = kernel.mat_mul [1, 37] groups 2 a(%{x}, %{h} : {wide}, {wide}) b(%w0, %w1 : {weights}, {weights})
      ins() outs() access [{points}, {points}] -> {wide}, {wide} {{
  ^bb0(%a: i32, %b: i32, %c: i32, %d: i32):
    %six = arith.constant 6 : i32
    %0 = arith.subi %a, %b : i32
    %1 = arith.addi %c, %d : i32
    %2 = arith.addi %0, %1 : i32
    %3 = arith.shrsi %2, %six : i32
    %4 = arith.shrsi %0, %six : i32
    kernel.yield %3, %4 : i32, i32
  }}
  infra.assign @{h}, %{h}_next : {wide}"""


def streaming(layers: int) -> ModuleOp:
    """Layers of codes, each with a state."""
    wide, points = "tensor<1x37xi8>", "affine_map<(d0, d1) -> (d0, d1)>"
    rng = np.random.default_rng(layers)
    text = "".join(f"infra.variable @h{i} : {wide} " for i in range(layers))
    text += f"func.func @main(%v0: {wide}) -> {wide} {{ %zero = nn.constant dense<0> : {wide}"
    for i in range(2):
        numbers = rng.integers(-128, 128, (74, 37)).tolist()
        text += f" %w{i} = nn.constant dense<{numbers}> : tensor<74x37xi8>"
    for i in range(layers):
        text += f" %h{i} = infra.read_value @h{i}, %zero : {wide} -> {wide}"
        names = {"x": f"v{i}", "y": f"v{i + 1}", "h": f"h{i}"}
        text += LAYER.format(**names, wide=wide, points=points, weights="tensor<74x37xi8>")
    return Parser(context(), text + f" func.return %v{layers} : {wide} }}").parse_module()


@pytest.mark.parametrize("threads", [1, 2])
@each_isa
@pytest.mark.parametrize("layers", [2, 3])
def test_every_call_gives_the_same(
    isa: Isa, layers: int, threads: int, monkeypatch: pytest.MonkeyPatch
):
    for limit in ("SPLIT_WORK", "THREADS_WORK"):
        monkeypatch.setattr(work, limit, 0)
    monkeypatch.setattr(reuse_weights_across_calls, "FAR", 0)
    plain, alternating = streaming(layers), streaming(layers)
    passes = [PackWeights(isa.name), ReuseWeightsAcrossCalls(), PlanMemory()]
    for item in passes:
        item.apply(context(), alternating)
    PlanMemory().apply(context(), plain)
    (program,), (wanted,) = alternating.ops, plain.ops
    assert isinstance(program, kernel.ProgramOp) and isinstance(wanted, kernel.ProgramOp)
    program.verify()
    assert sum(isinstance(op, kernel.CallParityOp) for op in program.walk()) == 1
    native, levels = Native(program, isa, threads=threads), ProgramExecutor(program)
    reference = ProgramExecutor(wanted)
    rng = np.random.default_rng(0)
    for _ in range(CALLS):
        frame = rng.integers(-128, 128, (1, 37), dtype=np.int8)
        (expected,) = reference.run([frame])
        np.testing.assert_array_equal(levels.run([frame])[0], expected)
        np.testing.assert_array_equal(native.run([frame])[0], expected)
        assert expected.any()
