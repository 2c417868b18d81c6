"""Products of codes with f32 as products with digits, against exact ones."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from xdsl.dialects.builtin import FunctionType, ModuleOp, TensorType, f32, i8
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, Region
from xdsl.rewriter import InsertPoint

from lowstream.dialects import context, nn
from lowstream.dialects.inferred import tensor
from lowstream.dialects.nn.writer import Writer
from lowstream.dialects.walk import all_operations
from lowstream.lowering.lower_to_kernels import lower
from lowstream.lowering.machine import available_isas, choose_isa
from lowstream.lowering.products.compressed_weights import ui8
from lowstream.lowering.products.split_weights import FEWEST_CODES, FEWEST_UNITS, SplitWeights
from lowstream.reference.arrays import Array, blob_of
from lowstream.reference.executor import Executor
from lowstream.test.unit.lowering.codegen.native import Native

ISAS = [pytest.param(isa.name, id=isa.name) for isa in available_isas()]
SCALE = np.float32(0.031)
OFF = 2.0**-22.9
"""What a weight may lose, as a part of the greatest of its column."""
ROUNDED = 2.0**-22
"""What four roundings may change a sum by, as a part of its digits' products."""


def multiplying(codes: Array, weights: Array, turned: bool) -> ModuleOp:
    """`(codes * s) · w`, with weights [N, K] that may be stored turned."""
    block = Block(arg_types=[TensorType(ui8 if codes.dtype == np.uint8 else i8, codes.shape)])
    write = Writer(InsertPoint.at_end(block))
    floats = write(nn.ConvertOp, block.args[0], destination_type=f32)
    x = write(nn.MultiplyOp, floats, write.constant(blob_of(SCALE)))
    right = write.constant(blob_of(np.ascontiguousarray(weights if turned else weights.T)))
    result = write(nn.MatMulOp, x, right, transpose_b=turned)
    block.add_op(ReturnOp(result))
    types = FunctionType.from_lists([block.args[0].type], [result.type])
    return ModuleOp([FuncOp("main", types, Region(block))])


def weights_of(units: int, depth: int, seed: int) -> Array:
    """Columns of many magnitudes, one of zeros, and one with all greatest weights."""
    rng = np.random.default_rng(seed)
    weights = rng.standard_normal((units, depth)) * 10.0 ** rng.integers(-20, 20, (units, 1))
    weights[0] = 0
    weights[1] = np.where(rng.random(depth) < 0.5, -1, 1) * (2 - 2.0**-23)
    return weights.astype(np.float32)


def codes_of(kind: type, rows: tuple[int, ...], depth: int) -> Array:
    """Random codes, and the greatest ones in the first row."""
    limits = np.iinfo(kind)
    codes = np.random.default_rng(1).integers(limits.min, limits.max + 1, (*rows, depth))
    codes.reshape(-1, depth)[:1] = limits.min if limits.min else limits.max
    return codes.astype(kind)


def assert_exact(have: Array, codes: Array, weights: Array) -> None:
    """Whether results are as near to the exact ones as the docstring says."""
    scaled, exact = codes * np.float64(SCALE), weights.astype(np.float64).T
    most = np.abs(exact).max(axis=0, initial=0)
    allowed = np.abs(scaled).sum(axis=-1, keepdims=True) * most * OFF
    allowed += np.abs(scaled) @ np.abs(exact) * ROUNDED
    assert (np.abs(have - scaled @ exact) <= allowed).all()


@settings(max_examples=40)
@given(
    kind=st.sampled_from([np.int8, np.uint8]),
    rows=st.lists(st.integers(1, 4), min_size=1, max_size=2).map(tuple),
    depth=st.integers(FEWEST_CODES, FEWEST_CODES + 40),
    units=st.integers(FEWEST_UNITS, FEWEST_UNITS + 20),
    turned=st.booleans(),
    seed=st.integers(0, 99),
)
def test_digits_stand_for_their_weights(
    kind: type, rows: tuple[int, ...], depth: int, units: int, turned: bool, seed: int
):
    codes, weights = codes_of(kind, rows, depth), weights_of(units, depth, seed)
    module = multiplying(codes, weights, turned)
    SplitWeights("avx512_vnni").apply(context(), module)
    module.verify()
    (product,) = (op for op in all_operations(module) if isinstance(op, nn.MatMulOp))
    assert tensor(product.b).element_type == i8
    (have,) = Executor(module).run([codes])
    assert_exact(have, codes, weights)


@pytest.mark.parametrize("isa", ISAS)
@pytest.mark.parametrize("kind", [np.int8, np.uint8])
@pytest.mark.parametrize("rows", [(1,), (7,), (2, 33)])
def test_machine_code_is_as_exact(isa: str, kind: type, rows: tuple[int, ...]):
    codes, weights = codes_of(kind, rows, 1030), weights_of(70, 1030, 0)
    module = multiplying(codes, weights, True)
    (have,) = Native(lower(module, isa), choose_isa(isa)).run([codes])
    if "vnni" in isa:
        assert_exact(have, codes, weights)
    np.testing.assert_allclose(have[..., 0], 0)
    (want,) = Executor(module).run([codes])
    sums = np.abs(codes * SCALE) @ np.abs(weights).T
    assert (np.abs(have - want) <= sums * 2.0**-16).all()


def test_sums_of_the_greatest_codes_do_not_overflow():
    depth = 2**16
    codes, weights = codes_of(np.uint8, (1,), depth), np.ones((FEWEST_UNITS, depth), np.float32)
    for sign in (1, -1):
        module = multiplying(codes, sign * weights, True)
        SplitWeights("avx512_vnni").apply(context(), module)
        (have,) = Executor(module).run([codes])
        assert_exact(have, codes, sign * weights)


@pytest.mark.parametrize("weight", [np.inf, np.nan, 2.0**-126])
def test_what_has_no_digits_stays(weight: float):
    weights = np.ones((FEWEST_UNITS, FEWEST_CODES), np.float32)
    weights[3] = weight
    module = multiplying(codes_of(np.int8, (2,), FEWEST_CODES), weights, True)
    SplitWeights("avx512_vnni").apply(context(), module)
    (product,) = (op for op in all_operations(module) if isinstance(op, nn.MatMulOp))
    assert tensor(product.b).element_type == f32
