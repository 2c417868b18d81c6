"""`raise-group-normalization` against the reference."""

from __future__ import annotations

import numpy as np
import pytest
from xdsl.parser import Parser

from lowstream.dialects import context, nn
from lowstream.lowering.raise_group_normalization import RaiseGroupNormalization
from lowstream.reference.executor import Executor

MODEL = """
func.func @main(%x: tensor<2x6x3x2xf32>) -> tensor<2x6x3x2xf32> {{
  %rows = nn.constant dense<[2, 3, {rest}]> : tensor<{rank}xi64>
  %image = nn.constant dense<[2, 6, 3, 2]> : tensor<4xi64>
  %axes = nn.constant dense<{axes}> : tensor<{count}xi64>
  %a = nn.constant dense<{a}
  %b = nn.constant dense<{b}
  %0 = nn.reshape %x, %rows : (tensor<2x6x3x2xf32>, tensor<{rank}xi64>) -> {type}
  %1 = nn.mvn %0, %axes {{eps = 1.0e-02 : f64, eps_mode = "inside_sqrt", normalize_variance = true}}
    : {type}, tensor<{count}xi64>
  %2 = nn.multiply {first}, {second} : ({left}, {right}) -> {type}
  %3 = nn.add %2, %b : ({type}, {offset}) -> {type}
  %4 = nn.reshape %3, %image : ({type}, tensor<4xi64>) -> tensor<2x6x3x2xf32>
  func.return %4 : tensor<2x6x3x2xf32>
}}
"""
NUMBER = "0.5> : tensor<f32>", "tensor<f32>"


@pytest.mark.parametrize("swapped", [False, True])
@pytest.mark.parametrize("scales", [False, True], ids=["offsets", "scales"])
@pytest.mark.parametrize("apart", [False, True], ids=["rows", "planes"])
def test_groups_are_normalized_alike(apart: bool, scales: bool, swapped: bool):
    """Whether groups are rows or planes, whichever constant differs between them, and whichever operand it is."""
    rest, axes = ("2, 6", "[-1, 2]") if apart else ("12", "[2]")
    type = f"tensor<2x3x{rest.replace(', ', 'x')}xf32>"
    numbers, shape = "[[1.5]], [[-2.0]], [[3.0]]", "3x1x1"
    if not apart:
        numbers, shape = "[1.5], [-2.0], [3.0]", "3x1"
    by_group = f"[{numbers}]> : tensor<{shape}xf32>", f"tensor<{shape}xf32>"
    scale, offset = (by_group, NUMBER) if scales else (NUMBER, by_group)
    operands = [("%1", type), ("%a", scale[1])]
    (first, left), (second, right) = reversed(operands) if swapped else operands
    text = MODEL.format(
        rest=rest,
        rank=4 if apart else 3,
        axes=axes,
        count=2 if apart else 1,
        a=scale[0],
        b=offset[0],
        type=type,
        first=first,
        second=second,
        left=left,
        right=right,
        offset=offset[1],
    )
    module = Parser(context(), text).parse_module()
    x = np.random.default_rng(0).normal(3, 2, (2, 6, 3, 2)).astype(np.float32)
    (wanted,) = Executor(module).run([x])
    RaiseGroupNormalization().apply(context(), module)
    module.verify()
    kinds = [op.name for op in module.walk()]
    assert kinds.count(nn.GroupNormalizationOp.name) == 1
    assert nn.MvnOp.name not in kinds
    np.testing.assert_allclose(Executor(module).run([x])[0], wanted, rtol=1e-5, atol=1e-5)
