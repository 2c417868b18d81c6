"""The first rows of a non-maximum suppression that selects no more than these, against the reference."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from xdsl.dialects.builtin import FunctionType, ModuleOp, TensorType, f32
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, Region
from xdsl.rewriter import InsertPoint

from lowstream.dialects import context, nn
from lowstream.dialects.inferred import constant_integers
from lowstream.dialects.nn.writer import Writer
from lowstream.dialects.walk import all_operations
from lowstream.lowering.dynamic_shapes.bound_suppression import BoundSuppression
from lowstream.reference.arrays import blob_of
from lowstream.reference.executor import Executor

BOXES = 12


def reading(batch: int, classes: int, count: int, rows: int, sigma: float, best: bool) -> ModuleOp:
    """The first rows of what a suppression selects, and of their scores."""
    shapes = [(batch, BOXES, 4), (batch, classes, BOXES)]
    block = Block(arg_types=[TensorType(f32, shape) for shape in shapes])
    write = Writer(InsertPoint.at_end(block))
    numbers = [write.constant(blob_of(np.float32(each))) for each in (0.3, 0.1, sigma)]
    selected = write.all(
        nn.NonMaxSuppressionOp,
        *block.args,
        write.integer(count),
        *numbers,
        sort_result_descending=best,
    )
    limits = [write.integers(each) for each in (0, rows, 1, 0)]
    results = [write(nn.SliceOp, each, *limits) for each in selected[:2]]
    block.add_op(ReturnOp(*results))
    inputs, outputs = ([each.type for each in values] for values in (block.args, results))
    return ModuleOp([FuncOp("main", FunctionType.from_lists(inputs, outputs), Region(block))])


@settings(max_examples=25)
@given(
    batch=st.integers(1, 2),
    classes=st.integers(1, 3),
    count=st.integers(1, BOXES),
    rows=st.integers(1, BOXES),
    sigma=st.sampled_from([0.0, 0.5]),
    best=st.booleans(),
    seed=st.integers(0, 1000),
)
def test_the_first_rows_are_the_same(
    batch: int, classes: int, count: int, rows: int, sigma: float, best: bool, seed: int
):
    module, rng = reading(batch, classes, count, rows, sigma, best), np.random.default_rng(seed)
    corner = rng.random((batch, BOXES, 2))
    boxes = np.concatenate([corner, corner + 0.5], -1).astype(np.float32)
    scores = rng.integers(0, 5, (batch, classes, BOXES)).astype(np.float32) / 4
    want = Executor(module).run([boxes, scores])
    BoundSuppression().apply(context(), module)
    module.verify()
    (found,) = (op for op in all_operations(module) if isinstance(op, nn.NonMaxSuppressionOp))
    assert constant_integers(found.limits[0]) == [min(count, rows)]
    for have, wanted in zip(Executor(module).run([boxes, scores]), want, strict=True):
        np.testing.assert_array_equal(have, wanted)
