"""Sums of convolutions of one input, against the reference."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

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
from lowstream.dialects.nn.convolution import ForwardConvolution
from lowstream.dialects.nn.writer import Writer
from lowstream.lowering.convolutions.add_parallel_convolutions import AddParallelConvolutions
from lowstream.reference.arrays import Array, blob_of
from lowstream.reference.executor import Executor

SHAPE = (2, 4, 9, 11)
Branch = tuple[tuple[int, int], tuple[int, int]]
"""Taps of each dimension, and how far they begin before the input."""


def branches(
    each: Sequence[Branch], groups: int = 1, strides: Sequence[int] = (1, 1), dilation: int = 1
) -> ModuleOp:
    """`relu(conv(x) + bias + conv(x) + …)`; filters are whole numbers, whose sums are exact."""
    rng = np.random.default_rng(0)
    block = Block(arg_types=[TensorType(f32, SHAPE)])
    write, x = Writer(InsertPoint.at_end(block)), block.args[0]
    total = write.constant(blob_of(np.ones((1, 4, 1, 1), np.float32)))
    kind = nn.GroupConvolutionOp if groups > 1 else nn.ConvolutionOp
    lead = (groups, 4 // groups, 4 // groups) if groups > 1 else (4, 4)
    for kernel, before in each:
        filters = rng.integers(-9, 10, (*lead, *kernel)).astype(np.float32)
        extents = [(taps - 1) * dilation for taps in kernel]
        after = [extent - first for extent, first in zip(extents, before, strict=True)]
        convolution = write(
            kind,
            x,
            write.constant(blob_of(filters)),
            strides=strides,
            pads_begin=before,
            pads_end=after,
            dilations=[dilation] * 2,
        )
        total = write(nn.AddOp, total, convolution)
    total = write(nn.ReluOp, total)
    block.add_op(ReturnOp(total))
    type = FunctionType.from_lists([x.type], [total.type])
    return ModuleOp([FuncOp("main", type, Region(block))])


def kernels_after(module: ModuleOp) -> list[tuple[int, ...]]:
    """The windows of the convolutions after the pass; the module is verified."""
    AddParallelConvolutions().apply(context(), module)
    module.verify()
    found = [op for op in module.walk() if isinstance(op, ForwardConvolution)]
    return [shape_of(op.filters)[-2:] for op in found]


def input() -> Array:
    return np.random.default_rng(1).integers(-9, 10, SHAPE).astype(np.float32)


@st.composite
def some_branches(draw: st.DrawFn, dilation: int) -> list[Branch]:
    found: list[Branch] = []
    for _ in range(draw(st.integers(1, 4))):
        kernel = draw(st.integers(1, 3)), draw(st.integers(1, 3))
        before = [draw(st.integers(0, (taps - 1) * dilation)) for taps in kernel]
        found.append((kernel, (before[0], before[1])))
    return found


@settings(max_examples=30)
@given(st.data(), st.sampled_from([1, 2, 4]), st.sampled_from([1, 2]), st.sampled_from([1, 2]))
def test_the_sum_stays(data: st.DataObject, groups: int, stride: int, dilation: int):
    each = data.draw(some_branches(dilation))
    module = branches(each, groups, (stride, 1), dilation)
    (wanted,) = Executor(module).run([input()])
    kernels_after(module)
    (have,) = Executor(module).run([input()])
    np.testing.assert_array_equal(have, wanted)


@pytest.mark.parametrize(
    ("each", "dilation", "expected"),
    [
        ([((3, 3), (1, 1)), ((3, 3), (1, 1)), ((1, 1), (0, 0))], 1, [(3, 3)]),
        ([((3, 3), (1, 1)), ((1, 3), (0, 1)), ((3, 1), (1, 0))], 1, [(3, 3)]),
        ([((3, 3), (2, 2)), ((1, 1), (0, 0))], 2, [(3, 3)]),
        # None of a cross has all taps of the square around it.
        ([((1, 3), (0, 1)), ((3, 1), (1, 0))], 1, [(1, 3), (3, 1)]),
        # Taps in between those that are dilated.
        ([((3, 3), (1, 1)), ((1, 1), (0, 0))], 2, [(3, 3), (1, 1)]),
    ],
)
def test_windows_that_have_others(
    each: list[Branch], dilation: int, expected: list[tuple[int, int]]
):
    assert kernels_after(branches(each, dilation=dilation)) == expected


def test_a_sum_of_many():
    many = 2000
    block = Block(arg_types=[TensorType(f32, (4,))])
    write, x = Writer(InsertPoint.at_end(block)), block.args[0]
    total = reduce(lambda total, _: write(nn.AddOp, total, x), range(many), x)
    block.add_op(ReturnOp(total))
    module = ModuleOp([FuncOp("main", FunctionType.from_lists([x.type], [x.type]), Region(block))])
    AddParallelConvolutions().apply(context(), module)
    assert sum(isinstance(op, nn.AddOp) for op in module.walk()) == many
