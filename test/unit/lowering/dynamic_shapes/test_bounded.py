"""Which operations make something of dynamic size."""

import pytest
from xdsl.dialects import test
from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType, f32, i1, i64
from xdsl.ir import Block, Operation, Region, SSAValue

from lowstream.dialects import infra, nn
from lowstream.lowering.dynamic_shapes.bounded import begins

KNOWN = TensorType(f32, [4])
UNKNOWN = TensorType(f32, [DYNAMIC_INDEX])


def branch(condition: SSAValue, *inner: Operation) -> infra.IfOp:
    bodies = [Region(Block(each)) for each in (inner, ())]
    return infra.IfOp(operands=[condition, []], result_types=[[KNOWN]], regions=bodies)


@pytest.mark.parametrize("size", [4, DYNAMIC_INDEX])
def test_branches_in_branches_make_what_the_innermost_makes(size: int):
    """Each is looked at once: with once more for each branch around it, 40 would take years."""
    vector = TensorType(i64, [1])
    condition, x, *ends = test.TestOp(
        result_types=[TensorType(i1, []), KNOWN, *[vector] * 4]
    ).results
    slice_ = nn.SliceOp(operands=[x, *ends], result_types=[TensorType(f32, [size])])
    op = branch(condition, slice_)
    for _ in range(40):
        op = branch(condition, op)
    assert begins(op) == begins(slice_) == (size == DYNAMIC_INDEX)


def test_what_takes_unknown_sizes_does_not_make_them():
    condition, x, *ends = test.TestOp(
        result_types=[TensorType(i1, []), UNKNOWN, *[TensorType(i64, [1])] * 4]
    ).results
    assert not begins(branch(condition, nn.SliceOp(operands=[x, *ends], result_types=[UNKNOWN])))
