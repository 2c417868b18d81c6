"""Sums of two products as one product, against the reference."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from xdsl.dialects.builtin import FunctionType, ModuleOp, TensorType, f32
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, Region
from xdsl.rewriter import InsertPoint

from lowstream.dialects import context, nn
from lowstream.dialects.nn.writer import Writer
from lowstream.dialects.origins import origins_of
from lowstream.dialects.walk import all_operations
from lowstream.interop.mlir import parse_module
from lowstream.lowering.lower_to_kernels import lower
from lowstream.lowering.machine import available_isas, choose_isa
from lowstream.lowering.products.concatenate_products import FEWEST_UNITS, ConcatenateProducts
from lowstream.reference.arrays import Array, blob_of
from lowstream.reference.executor import Executor
from lowstream.test.unit.lowering.codegen.native import Native

ISAS = [pytest.param(isa.name, id=isa.name) for isa in available_isas()]


def adding(rows: tuple[int, ...], depths: tuple[int, int], units: int, turned: bool) -> ModuleOp:
    """`a w + c r`, where w and r may be stored turned; all numbers are integers, whose sums are exact in any order."""
    block = Block(arg_types=[TensorType(f32, [*rows, depth]) for depth in depths])
    write, rng = Writer(InsertPoint.at_end(block)), np.random.default_rng(0)
    products = [
        write(
            nn.MatMulOp,
            x,
            write.constant(
                blob_of(_integers(rng, (units, depth) if turned else (depth, units)), f32)
            ),
            transpose_b=turned,
        )
        for x, depth in zip(block.args, depths, strict=True)
    ]
    result = write(nn.AddOp, *products)
    block.add_op(ReturnOp(result))
    types = FunctionType.from_lists([x.type for x in block.args], [result.type])
    return ModuleOp([FuncOp("main", types, Region(block))])


def _integers(rng: np.random.Generator, shape: tuple[int, ...]) -> Array:
    return rng.integers(-9, 9, shape).astype(np.float32)


def inputs(rows: tuple[int, ...], depths: tuple[int, int]) -> list[Array]:
    rng = np.random.default_rng(1)
    return [_integers(rng, (*rows, depth)) for depth in depths]


def products(module: ModuleOp) -> int:
    return sum(isinstance(op, nn.MatMulOp) for op in all_operations(module))


@settings(max_examples=30)
@given(
    rows=st.lists(st.integers(0, 4), min_size=1, max_size=3).map(tuple),
    depths=st.tuples(st.integers(0, 9), st.integers(0, 9)),
    units=st.integers(FEWEST_UNITS - 2, FEWEST_UNITS + 2),
    turned=st.booleans(),
)
def test_the_sum_is_the_same(
    rows: tuple[int, ...], depths: tuple[int, int], units: int, turned: bool
):
    module = adding(rows, depths, units, turned)
    given_to = inputs(rows, depths)
    (want,) = Executor(module).run(given_to)
    ConcatenateProducts().apply(context(), module)
    module.verify()
    assert products(module) == (1 if np.prod(rows) >= 2 and units >= FEWEST_UNITS else 2)
    (have,) = Executor(module).run(given_to)
    np.testing.assert_array_equal(have, want)


@pytest.mark.parametrize("isa", ISAS)
@pytest.mark.parametrize("rows", [(2,), (3, 7)])
def test_machine_code_computes_the_same(isa: str, rows: tuple[int, ...]):
    depths = (5, 17)
    module, given_to = adding(rows, depths, 130, True), inputs(rows, depths)
    found = Native(lower(module, isa), choose_isa(isa)).run(given_to)
    for have, want in zip(found, Executor(module).run(given_to), strict=True):
        np.testing.assert_array_equal(have, want)


STEPS = """
func.func @main(%x: tensor<2x8xf32>, %h: tensor<2x8xf32>) -> tensor<2x64xf32> {
  %w = nn.constant dense<1.0> : tensor<8x64xf32>
  %r = nn.constant dense<2.0> : tensor<8x64xf32>
  %p = nn.mat_mul %x, %w {nn.name = "p"} : (tensor<2x8xf32>, tensor<8x64xf32>) -> tensor<2x64xf32>
  %q = nn.mat_mul %h, %r {nn.name = "q"} : (tensor<2x8xf32>, tensor<8x64xf32>) -> tensor<2x64xf32>
  %s = nn.add %p, %q {nn.name = "s"} : (tensor<2x64xf32>, tensor<2x64xf32>) -> tensor<2x64xf32>
  %t = nn.mat_mul %h, %w : (tensor<2x8xf32>, tensor<8x64xf32>) -> tensor<2x64xf32>
  %u = nn.mat_mul %x, %r : (tensor<2x8xf32>, tensor<8x64xf32>) -> tensor<2x64xf32>
  %v = nn.add %t, %u : (tensor<2x64xf32>, tensor<2x64xf32>) -> tensor<2x64xf32>
  %y = nn.multiply %s, %v : (tensor<2x64xf32>, tensor<2x64xf32>) -> tensor<2x64xf32>
  func.return %y : tensor<2x64xf32>
}
"""
"""Two steps with the same weights."""


def test_steps_share_their_weights():
    module = parse_module(STEPS, "steps.mlir", context())
    ConcatenateProducts().apply(context(), module)
    blobs = [nn.constant_of(op.b) for op in all_operations(module) if isinstance(op, nn.MatMulOp)]
    assert len(blobs) == 2 and blobs[0] is blobs[1]


def test_counters_name_all_three():
    module = parse_module(STEPS, "steps.mlir", context())
    ConcatenateProducts().apply(context(), module)
    first = next(op for op in all_operations(module) if isinstance(op, nn.MatMulOp))
    assert [origin.name for origin in origins_of(first)] == ["p", "q", "s"]
