"""Deep products as sums of products of blocks, against the reference."""

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
from lowstream.dialects.inferred import shape_of
from lowstream.dialects.nn.writer import Writer
from lowstream.dialects.walk import all_operations
from lowstream.lowering.lower_to_kernels import lower
from lowstream.lowering.machine import available_isas, choose_isa
from lowstream.lowering.products.split_depth import BLOCK, FEWEST_UNITS, SHALLOWEST, SplitDepth
from lowstream.reference.arrays import Array, blob_of
from lowstream.reference.executor import Executor
from lowstream.test.unit.lowering.codegen.native import Native

ISAS = [pytest.param(isa.name, id=isa.name) for isa in available_isas()]


def multiplying(rows: tuple[int, ...], depth: int, units: int, turned: bool) -> ModuleOp:
    """`a · w + bias`, where w may be stored turned; all numbers are integers, whose sums are exact in any order."""
    block = Block(arg_types=[TensorType(f32, [*rows, depth])])
    write = Writer(InsertPoint.at_end(block))
    weights = write.constant(blob_of(integers((units, depth) if turned else (depth, units), 0)))
    product = write(nn.MatMulOp, block.args[0], weights, transpose_b=turned)
    result = write(nn.AddOp, product, write.constant(blob_of(integers((units,), 1))))
    block.add_op(ReturnOp(result))
    types = FunctionType.from_lists([block.args[0].type], [result.type])
    return ModuleOp([FuncOp("main", types, Region(block))])


def integers(shape: tuple[int, ...], seed: int) -> Array:
    return np.random.default_rng(seed).integers(-9, 9, shape).astype(np.float32)


def depths(module: ModuleOp) -> list[int]:
    """Those of all products."""
    return [shape_of(op.a)[-1] for op in all_operations(module) if isinstance(op, nn.MatMulOp)]


@settings(max_examples=5)
@given(
    rows=st.sampled_from([(43,), (2, 40), (3, 2, 9)]),
    depth=st.integers(SHALLOWEST, SHALLOWEST + 2 * BLOCK),
    units=st.integers(FEWEST_UNITS, FEWEST_UNITS + 9),
    turned=st.booleans(),
)
def test_blocks_sum_to_the_product(rows: tuple[int, ...], depth: int, units: int, turned: bool):
    module, x = multiplying(rows, depth, units, turned), integers((*rows, depth), 2)
    (wanted,) = Executor(module).run([x])
    SplitDepth("avx2").apply(context(), module)
    module.verify()
    found = depths(module)
    assert len(found) > 1 and sum(found) == depth and max(found) <= BLOCK
    assert max(found) - min(found) <= 1
    (have,) = Executor(module).run([x])
    np.testing.assert_array_equal(have, wanted)


@pytest.mark.parametrize("isa", ISAS)
@pytest.mark.parametrize("turned", [False, True])
def test_machine_code_is_exact(isa: str, turned: bool):
    module = multiplying((2, 23), SHALLOWEST + 7, FEWEST_UNITS + 5, turned)
    x = integers((2, 23, SHALLOWEST + 7), 2)
    (wanted,) = Executor(module).run([x])
    (have,) = Native(lower(module, isa), choose_isa(isa)).run([x])
    np.testing.assert_array_equal(have, wanted)


def test_each_sum_is_in_the_epilogue_of_a_product():
    """Blocks of rows and sums that are not finished move nothing by themselves."""
    program = lower(multiplying((43,), SHALLOWEST, FEWEST_UNITS, True), "avx2")
    names = [op.name for op in all_operations(program) if op.name.startswith("kernel.")]
    assert names.count("kernel.mat_mul") == SHALLOWEST // BLOCK
    assert "kernel.map" not in names
