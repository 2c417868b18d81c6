"""Whatever says that it moves elements moves codes, and these mean what the values did."""

from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from xdsl.dialects import func
from xdsl.dialects.builtin import FunctionType, ModuleOp, TensorType, i8
from xdsl.ir import Block, Region, SSAValue

from lowstream.dialects.nn import ConstantOp, ConvertOp, Nn
from lowstream.dialects.qnn import DequantizeOp
from lowstream.dialects.traits import DataMovement, MovesOrFillsWithZero
from lowstream.passes.lpt.main.movement.other import ports_of
from lowstream.passes.pipeline import run_passes
from lowstream.reference.arrays import blob_of
from lowstream.reference.executor import Executor
from lowstream.test.unit.dialects.sampling import Kind, type_of
from lowstream.test.unit.dialects.test_inference import build, draw_from, sampler_of
from lowstream.test.unit.passes.lpt.small_models import IMAGE, SIGNED, Layers, after_lpt, row_of
from lowstream.test.unit.passes.lpt.test_numerics import low_operations

MOVE: Any = [
    op
    for op in Nn.operations
    if op is not ConvertOp and (op.has_trait(DataMovement) or op.has_trait(MovesOrFillsWithZero))
]


@pytest.mark.parametrize("op", MOVE, ids=lambda op: op.name)
@settings(max_examples=8)
@given(data=st.data(), per_axis=st.booleans(), seed=st.integers(0, 99))
def test_moved_codes_mean_moved_values(op: Kind, data: st.DataObject, per_axis: bool, seed: int):
    sample, random = sampler_of(op)(op, draw_from(data)), np.random.default_rng(seed)
    assume(sample.operands[0].dtype != np.int64)  # as indices are
    typed = build(op, sample, [type_of(operand) for operand in sample.operands])
    moved, block = ports_of(typed), Block()
    values, inputs = list[SSAValue](), list[np.ndarray]()
    for port, operand in enumerate(sample.operands):
        if port not in moved:
            constant = ConstantOp(blob_of(operand))
            block.add_op(constant)
            values.append(constant.result)
            continue
        inputs.append(random.integers(-128, 128, operand.shape).astype(np.int8))
        codes = block.insert_arg(TensorType(i8, operand.shape), len(block.args))
        along = int(random.integers(operand.ndim)) if per_axis and operand.ndim else None
        shape = [n if i == along else 1 for i, n in enumerate(operand.shape)]
        scale = blob_of(
            random.uniform(0.1, 1, shape).astype(np.float32) if per_axis else np.float32(0.5)
        )
        value = DequantizeOp.of(codes, scale=scale)
        block.add_op(value)
        values.append(value.result)
    instance = op.of(*values, **sample.properties)
    block.add_ops([instance, func.ReturnOp(*instance.results)])
    types = FunctionType.from_lists([a.type for a in block.args], list(instance.result_types))
    module = ModuleOp([func.FuncOp("main", types, Region(block))])
    before = Executor(module).run(inputs)
    run_passes(module, "lpt-main")
    for now, then in zip(Executor(module).run(inputs), before, strict=True):
        np.testing.assert_array_equal(now, then)
    assert per_axis or not moved or low_operations(module, op)


@pytest.mark.parametrize("on_grid", [True, False])
def test_a_constant_on_the_grid_is_joined_as_codes(on_grid: bool):
    layers = Layers(IMAGE)
    values = np.where(np.arange(108).reshape(IMAGE) % 2, 0.5, 0.37 if on_grid else 0.374)
    joined = layers.concat(layers.quantized(layers.inputs[0], SIGNED), layers.constant(values))
    module = layers.module(layers.convolution(joined))
    before = module.clone()
    rows = after_lpt(module)
    if not on_grid:
        assert "input 1 is a constant with values off the grid" in row_of(rows, "concat")["reason"]
        return
    assert row_of(rows, "conv")["inputs"] == ["u8", "i8"]
    x = np.random.default_rng(0).normal(0, 1, IMAGE).astype(np.float32)
    np.testing.assert_allclose(
        Executor(module).run([x])[0], Executor(before).run([x])[0], rtol=1e-4, atol=1e-4
    )
