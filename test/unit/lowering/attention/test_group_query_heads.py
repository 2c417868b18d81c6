"""Keys and values that heads share, read in place, give what repeated ones give."""

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
from lowstream.dialects.walk import all_operations
from lowstream.lowering.attention.fuse_attention import FEWEST_QUERIES
from lowstream.lowering.attention.group_query_heads import GroupQueryHeads
from lowstream.lowering.lower_to_kernels import lower
from lowstream.lowering.machine import available_isas, choose_isa
from lowstream.reference.arrays import Array
from lowstream.reference.executor import Executor
from lowstream.test.unit.lowering.codegen.native import Native

ISAS = [pytest.param(isa.name, id=isa.name) for isa in available_isas()]

Sizes = tuple[int, int, int, int, int, int]
"""Batch, groups, repetitions, rows, keys, depth."""


def sizes() -> st.SearchStrategy[Sizes]:
    few = st.integers(1, 3)
    rows = st.sampled_from([1, 2, 5, FEWEST_QUERIES])
    return st.tuples(few, few, st.integers(2, 4), rows, st.integers(1, 9), few)


def model(sizes: Sizes, repeats_before: bool, turned: bool, scale: float | None) -> ModuleOp:
    """
    A product with repeated keys, each next to its repetitions or behind all heads, turned or not, and scaled before
    and after that; all numbers are integers or quarters, whose sums are exact in any order.
    """
    batch, groups, count, rows, keys, depth = sizes
    block = Block(
        arg_types=[
            TensorType(f32, [batch, groups * count, rows, depth]),
            TensorType(f32, [batch, groups, keys, depth]),
        ]
    )
    write, (query, key) = Writer(InsertPoint.at_end(block)), block.args
    axis, heads = (1, [count, groups]) if repeats_before else (2, [groups, count])
    apart = write(nn.UnsqueezeOp, key, write.integers(axis))
    value = write.broadcast(apart, [batch, *heads, keys, depth])
    if scale is not None:
        value = write(nn.MultiplyOp, value, scale)
    value = write.reshaped(value, [batch, groups * count, keys, depth])
    if turned:
        value = write.reshaped(value, [batch * groups * count, keys, depth])
        value = write.transposed(value, [0, 2, 1])
        value = write.reshaped(value, [batch, groups * count, depth, keys])
    if scale is not None:
        value = write(nn.MultiplyOp, value, scale)
    result = write(nn.MatMulOp, query, value, transpose_b=not turned)
    block.add_op(ReturnOp(result))
    types = FunctionType.from_lists([query.type, key.type], [result.type])
    return ModuleOp([FuncOp("main", types, Region(block))])


def inputs(sizes: Sizes) -> list[Array]:
    batch, groups, count, rows, keys, depth = sizes
    rng = np.random.default_rng(sum(sizes))
    shapes = (batch, groups * count, rows, depth), (batch, groups, keys, depth)
    return [rng.integers(-9, 9, shape).astype(np.float32) for shape in shapes]


@settings(max_examples=60)
@given(sizes(), st.booleans(), st.booleans(), st.sampled_from([None, 0.5]))
def test_products_are_the_same(
    sizes: Sizes, repeats_before: bool, turned: bool, scale: float | None
):
    module, arrays = model(sizes, repeats_before, turned, scale), inputs(sizes)
    (wanted,) = Executor(module).run(arrays)
    GroupQueryHeads().apply(context(), module)
    module.verify()
    repeats = any(isinstance(op, nn.BroadcastOp) for op in all_operations(module))
    assert repeats == (sizes[3] >= FEWEST_QUERIES)
    (found,) = Executor(module).run(arrays)
    np.testing.assert_array_equal(found, wanted)


@pytest.mark.parametrize("isa", ISAS)
@pytest.mark.parametrize("rows", [1, 3])
@pytest.mark.parametrize("turned", [False, True])
def test_machine_code_computes_the_same(isa: str, rows: int, turned: bool):
    sizes = (1, 2, 4, rows, 70, 32)
    module, arrays = model(sizes, False, turned, 0.5), inputs(sizes)
    found = Native(lower(module, isa), choose_isa(isa)).run(arrays)
    np.testing.assert_array_equal(found[0], Executor(module).run(arrays)[0])
