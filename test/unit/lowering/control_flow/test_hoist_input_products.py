"""Products of a loop's input computed for all steps at once, against the reference."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from xdsl.dialects.builtin import FunctionType, ModuleOp, TensorType, f32, i8
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, Region
from xdsl.rewriter import InsertPoint

from lowstream.dialects import context, infra, nn
from lowstream.dialects.inferred import shape_of, tensor
from lowstream.dialects.nn.writer import Writer
from lowstream.lowering.control_flow.hoist_input_products import MOST_ROWS, HoistInputProducts
from lowstream.lowering.lower_to_kernels import lower
from lowstream.lowering.machine import available_isas, choose_isa
from lowstream.passes.iterator_ports import Ports
from lowstream.reference.arrays import Array, blob_of
from lowstream.reference.executor import Executor
from lowstream.test.unit.lowering.codegen.native import Native

ISAS = [pytest.param(isa.name, id=isa.name) for isa in available_isas()]
SIZE, UNITS = 5, 21


def summing(rows: int, steps: int, axis: int, backward: bool, codes: bool) -> ModuleOp:
    """
    For each step, the sum of the products so far, [rows, UNITS], put together in the order of the steps; `axis` is that
    of the steps in the input.
    """
    element = i8 if codes else f32
    shape = [rows, SIZE]
    shape.insert(axis, steps)
    block = Block(arg_types=[TensorType(element, shape)])
    write, ports = Writer(InsertPoint.at_end(block)), Ports()
    start = write.constant(blob_of(np.zeros((rows, UNITS), np.int32 if codes else np.float32)))
    part, total = ports.sliced(block.args[0], axis, backward), ports.merged(start)
    inner = Writer(InsertPoint.at_end(ports.block))
    weights = np.random.default_rng(0).integers(-9, 9, (SIZE, UNITS))
    known = inner.constant(blob_of(weights.astype(np.int8 if codes else np.float32), element))
    row = inner(nn.SqueezeOp, part, inner.integers(axis))
    after = inner(nn.AddOp, total, inner(nn.MatMulOp, row, known))
    output = inner(nn.UnsqueezeOp, after, inner.integers(1))
    results = ports.scan(write, [after], output, 1, steps, backward).results
    block.add_op(ReturnOp(*results))
    types = FunctionType.from_lists([block.args[0].type], [result.type for result in results])
    return ModuleOp([FuncOp("main", types, Region(block))])


def given_to(module: ModuleOp) -> Array:
    """Codes for the input of a module."""
    (entry,) = (op for op in module.ops if isinstance(op, FuncOp))
    (x,) = entry.args
    numbers = np.random.default_rng(1).integers(-128, 128, shape_of(x))
    return numbers.astype(np.int8 if tensor(x).element_type == i8 else np.float32)


@settings(max_examples=30)
@given(
    rows=st.integers(1, MOST_ROWS),
    steps=st.integers(1, 9),
    axis=st.integers(0, 1),
    backward=st.booleans(),
    codes=st.booleans(),
)
def test_the_loop_gives_the_same(rows: int, steps: int, axis: int, backward: bool, codes: bool):
    module = summing(rows, steps, axis, backward, codes)
    x = given_to(module)
    wanted = Executor(module).run([x])
    HoistInputProducts().apply(context(), module)
    module.verify()
    (loop,) = (op for op in module.walk() if isinstance(op, infra.TensorIteratorOp))
    inside = any(isinstance(op, nn.MatMulOp) for op in loop.body.block.ops)
    assert inside == (steps < 4)
    for have, want in zip(Executor(module).run([x]), wanted, strict=True):
        np.testing.assert_array_equal(have, want)


@pytest.mark.parametrize("isa", ISAS)
@pytest.mark.parametrize(
    ("rows", "axis", "backward", "codes"), [(1, 1, True, False), (3, 0, False, True)]
)
def test_machine_code_computes_the_same(
    isa: str, rows: int, axis: int, backward: bool, codes: bool
):
    """Floats are integers here, whose sums are exact in any order."""
    module = summing(rows, 6, axis, backward, codes)
    x = given_to(module)
    found = Native(lower(module, isa), choose_isa(isa)).run([x])
    for have, want in zip(found, Executor(module).run([x]), strict=True):
        np.testing.assert_array_equal(have, want)
