"""Lookups in tables of codes, against the reference."""

from __future__ import annotations

import numpy as np
import pytest

from lowstream.dialects import context, nn
from lowstream.dialects.walk import all_operations
from lowstream.interop.mlir import parse_module
from lowstream.lowering.sink_constants import SinkConstants
from lowstream.reference.executor import Executor


@pytest.mark.parametrize("axis", [0, 1, -1])
@pytest.mark.parametrize("has_zero_points", [False, True])
def test_codes_that_are_looked_up_are_what_a_dequantized_table_holds(
    axis: int, has_zero_points: bool
):
    """Indices count from the end, too; those out of range give 0."""
    rng = np.random.default_rng(axis % 7)
    shape = [5, 12] if axis == 0 else [12, 5]
    rows = [size if n == axis % 2 else 1 for n, size in enumerate(shape)]
    found = [3, 12] if axis == 0 else [12, 3]
    codes, zeros = rng.integers(-128, 128, shape), rng.integers(-128, 128, rows)
    scales = rng.uniform(0.01, 2, rows).astype(np.float32)
    table, row = (f"tensor<{a}x{b}x" for a, b in (shape, rows))
    subtract = f"""
    %z = nn.constant dense<{zeros.tolist()}> : {row}i8>
    %n = nn.convert %z to f32 : {row}i8> -> {row}f32>
    %d = nn.subtract %f, %n : ({table}f32>, {row}f32>) -> {table}f32>"""
    result = f"tensor<{found[0]}x{found[1]}xf32>"
    text = f"""func.func @main(%i: tensor<3xi64>) -> {result} {{
    %c = nn.constant dense<{codes.tolist()}> : {table}i8>
    %f = nn.convert %c to f32 : {table}i8> -> {table}f32>{subtract if has_zero_points else ""}
    %s = nn.constant dense<{scales.tolist()}> : {row}f32>
    %t = nn.multiply {"%d" if has_zero_points else "%f"}, %s : ({table}f32>, {row}f32>) -> {table}f32>
    %axis = nn.constant dense<{axis}> : tensor<i64>
    %y = nn.gather %t, %i, %axis {{batch_dims = 0 : i64}} : ({table}f32>, tensor<3xi64>, tensor<i64>) -> {result}
    func.return %y : {result}
}}"""
    module = parse_module(text, "case.mlir", context())
    rewritten = module.clone()
    SinkConstants().apply(context(), rewritten)
    assert sum(isinstance(op, nn.GatherOp) for op in all_operations(rewritten)) > 1
    for indices in ([0, 4, 2], [-1, -5, 3], [5, -6, 1]):
        given = np.array(indices, np.int64)
        (expected,) = Executor(module).run([given])
        np.testing.assert_array_equal(Executor(rewritten).run([given])[0], expected)
