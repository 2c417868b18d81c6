"""Transposed convolutions and the convolutions that they become, against the reference."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import prod
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from xdsl.dialects.builtin import FunctionType, ModuleOp, TensorType, f32, i8
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, Region, SSAValue
from xdsl.rewriter import InsertPoint
from xdsl.utils.exceptions import VerifyException

from lowstream.dialects import context, nn
from lowstream.dialects.inferred import InferredOp, shape_of
from lowstream.dialects.nn.writer import Writer
from lowstream.lowering.convolutions.drop_padding_taps import DropPaddingTaps
from lowstream.lowering.convolutions.padded_regions import WORTH, WindowDimension, live_part
from lowstream.lowering.convolutions.split_transposed_convolutions import (
    SplitTransposedConvolutions,
)
from lowstream.lowering.convolutions.transposed_phases import Axis, PhaseGroups
from lowstream.reference.arrays import blob_of
from lowstream.reference.executor import Executor
from lowstream.test.unit.lowering.convolution_case import ISAS, ConvolutionCase
from lowstream.test.unit.pairwise import each_pair


@dataclass(frozen=True)
class Case(ConvolutionCase):
    """A transposed convolution."""

    sizes: tuple[int, ...] = (5,)
    kernel: tuple[int, ...] = (4,)
    strides: tuple[int, ...] = (2,)
    dilations: tuple[int, ...] = (1,)
    pads: tuple[tuple[int, int], ...] = ((1, 1),)
    outputs: int = 2
    output_padding: tuple[int, ...] = (0,)
    output_shape: tuple[int, ...] = ()
    zero_point: int = 0

    @property
    def kind(self) -> type[InferredOp]:
        if self.groups > 1:
            return nn.GroupConvolutionBackpropDataOp
        return nn.ConvolutionBackpropDataOp

    @property
    def filter_channels(self) -> tuple[int, int]:
        return self.inputs, self.outputs

    def more_operands(self, write: Writer) -> list[SSAValue]:
        return [write.integers(*self.output_shape)] if self.output_shape else []

    @property
    def more_properties(self) -> dict[str, Any]:
        subtracted = {"zero_point": self.zero_point} if self.codes and self.zero_point else {}
        return {"output_padding": self.output_padding, **subtracted}


def split(module: ModuleOp) -> ModuleOp:
    """The module after the pass, verified."""
    SplitTransposedConvolutions().apply(context(), module)
    module.verify()
    return module


def count(module: ModuleOp, *kinds: type[Any]) -> int:
    return sum(isinstance(op, kinds) for op in module.walk())


@st.composite
def cases(draw: st.DrawFn) -> Case:
    rank = draw(st.sampled_from([1, 1, 2, 2, 3]))
    most = {1: 9, 2: 5, 3: 3}[rank]

    def each(low: int, high: int) -> tuple[int, ...]:
        return tuple(draw(st.integers(low, high)) for _ in range(rank))

    auto_pad = draw(st.sampled_from(["explicit", "explicit", "valid", "same_upper", "same_lower"]))
    strides, kernel, sizes = each(1, 4), each(1, most), each(1, most)
    dilations = each(1, 3)
    shape: tuple[int, ...] = ()
    if auto_pad != "explicit" or draw(st.booleans()):
        shape = each(1, 2 * most)
    return Case(
        sizes=sizes,
        kernel=kernel,
        strides=strides,
        dilations=dilations,
        pads=tuple(zip(each(0, 3), each(0, 3), strict=True)),
        output_padding=each(0, 2),
        auto_pad=auto_pad,
        output_shape=shape,
        groups=draw(st.sampled_from([1, 1, 2, 3])),
        inputs=draw(st.integers(1, 3)),
        outputs=draw(st.sampled_from([1, 2, 3, 8, 17])),
        batch=draw(st.integers(1, 2)),
        followed=draw(st.booleans()),
        zero_point=draw(st.sampled_from([0, 5, -128, 127])),
    )


@settings(max_examples=25)
@given(case=cases())
def test_phases_are_the_transposed_convolution(case: Case):
    """Sums of codes are exact: bit by bit."""
    try:
        module = case.module
    except VerifyException:
        return  # padding leaves nothing
    wanted = Executor(module).run([case.input])
    have = Executor(split(module.clone())).run([case.input])
    np.testing.assert_array_equal(have[0], wanted[0])


NATIVE = [
    Case((9,), (16,), (8,), pads=((4, 4),), inputs=5, outputs=1),
    Case((9,), (3,), (2,), inputs=4, outputs=17, output_padding=(1,), zero_point=-7),
    Case((4, 5), (2, 2), (2, 2), (1, 1), ((0, 0),) * 2, output_padding=(0, 0), outputs=12),
    Case(
        (4, 5),
        (4, 3),
        (2, 3),
        (1, 2),
        ((1, 1), (2, 0)),
        output_padding=(0, 1),
        groups=4,
        inputs=1,
        outputs=1,
    ),
    Case(
        (3, 4),
        (3, 3),
        (2, 2),
        (1, 1),
        ((1, 1),) * 2,
        output_padding=(1, 1),
        groups=2,
        outputs=3,
        batch=2,
        zero_point=100,
    ),
    Case((2, 3, 2), (2, 2, 2), (2, 2, 2), (1, 1, 1), ((0, 0),) * 3, output_padding=(0, 0, 0)),
    Case(
        (5, 4),
        (4, 8),
        (1, 2),
        (1, 1),
        ((0, 0), (0, 1)),
        output_padding=(0, 0),
        inputs=5,
        outputs=9,
        batch=2,
        zero_point=-7,
    ),
]


@each_pair(isa=ISAS, codes=[True, False], number=range(len(NATIVE)))
def test_machine_code_computes_the_same(isa: str, codes: bool, number: int):
    NATIVE[number].of(codes=codes).check_machine_code(isa)


def test_few_channels_are_one_product():
    """All eight phases are channels of one convolution, and what follows is computed on those."""
    module = split(Case((9,), (16,), (8,), pads=((4, 4),), outputs=1).module)
    assert count(module, nn.ConvolutionOp) == count(module, nn.ReluOp) == 1
    (relu,) = (op for op in module.walk() if isinstance(op, nn.ReluOp))
    assert relu.result.type == TensorType(f32, [1, 8, 10])


def test_uneven_taps_are_products_of_their_own():
    """Of 3 taps, even outputs need 2 and odd ones 1; as channels of one convolution both would have 2."""
    module = split(Case((99,), (3,), (2,), inputs=32, outputs=64).module)
    filters = [op.filters for op in module.walk() if isinstance(op, nn.ConvolutionOp)]
    assert sorted(shape_of(each)[-1] for each in filters) == [1, 2]


@pytest.mark.parametrize("isa", ISAS)
@pytest.mark.parametrize("kernel", [(2, 2), (1, 3)])
def test_filters_side_by_side_scale_blocks(isa: str, kernel: tuple[int, int]):
    """One output for each input and tap: a multiplication, with the bias and relu behind it."""
    case = Case(
        (3, 7),
        kernel,
        kernel,
        (1, 1),
        ((0, 0),) * 2,
        output_padding=(0, 0),
        groups=5,
        inputs=1,
        outputs=1,
        batch=2,
        codes=False,
    )
    module = split(case.module)
    assert count(module, nn.MultiplyOp) == 1
    assert count(module, nn.GroupConvolutionOp, nn.GroupConvolutionBackpropDataOp) == 0
    case.check_machine_code(isa)


@pytest.mark.parametrize("zero_point", [0, 9])
@pytest.mark.parametrize("stride", [1, 2], ids=["one", "several"])
def test_taps_that_see_only_padding_are_not_multiplied(stride: int, zero_point: int):
    """Of few inputs and many taps most multiply padding, which a convolution therefore keeps as its own."""
    case = Case(
        (4, 4),
        (4 * stride, 4 * stride),
        (stride, stride),
        (1, 1),
        ((0, 0),) * 2,
        inputs=4,
        outputs=16,
        output_padding=(0, 0),
        zero_point=zero_point,
        codes=zero_point != 0,
    )
    module = case.module
    wanted = Executor(module).run([case.input])[0]
    have = split(module)
    assert count(have, nn.PadOp) == 0
    np.testing.assert_array_equal(Executor(have).run([case.input])[0], wanted)
    before = multiplications(have)
    DropPaddingTaps().apply(context(), have)
    left = multiplications(have, kernel_skips_zeros=zero_point == 0)
    assert left < WORTH * before
    np.testing.assert_array_equal(Executor(have).run([case.input])[0], wanted)


def multiplications(module: ModuleOp, kernel_skips_zeros: bool = False) -> float:
    """Those of all convolutions, without those of padding where kernels skip them."""
    return sum(
        prod(shape_of(op.result))
        * prod(shape_of(op.filters)[1:])
        * (live_part(WindowDimension.each(op)) if kernel_skips_zeros else 1)
        for op in module.walk()
        if isinstance(op, nn.ConvolutionOp)
    )


@pytest.mark.parametrize("kernel", [1, 3, 5])
def test_an_infinity_goes_where_its_taps_go(kernel: int):
    """Beside it there is no NaN, as a tap that is none would make of it."""
    case = Case((5,), (kernel,), (4,), pads=((0, 0),), inputs=1, outputs=1, codes=False)
    x = np.array([[[1, np.inf, 2, 3, 4]]], np.float32)
    module = case.module
    wanted = Executor(module).run([x])
    np.testing.assert_array_equal(Executor(split(module)).run([x])[0], wanted[0])


def test_there_are_never_thousands_of_products():
    plan = PhaseGroups.choose([Axis(64, 32, 1, 16, 8, 256)] * 2, 21, 1, 1, bytes=False)
    assert len(list(plan.parts())) <= 64


def test_filters_that_are_computed_stay():
    block = Block(arg_types=[TensorType(f32, [1, 2, 3]), TensorType(f32, [2, 2, 2])])
    write = Writer(InsertPoint.at_end(block))
    window = {"strides": [2], "pads_begin": [0], "pads_end": [0], "dilations": [1]}
    value = write(nn.ConvolutionBackpropDataOp, *block.args, **window, output_padding=[0])
    block.add_op(ReturnOp(value))
    type = FunctionType.from_lists([arg.type for arg in block.args], [value.type])
    module = split(ModuleOp([FuncOp("main", type, Region(block))]))
    assert count(module, nn.ConvolutionBackpropDataOp) == 1


def test_a_zero_point_is_subtracted_from_what_is_computed_as_well():
    """Filters that are computed, and codes whose differences from the zero point leave 8 bits."""
    x = np.array([[[-128, 127, 3], [90, -90, 4]]], np.int8)
    filters = np.array([[[-128, 5]], [[127, 2]]], np.int8)
    block = Block(arg_types=[TensorType(i8, x.shape), TensorType(i8, filters.shape)])
    write = Writer(InsertPoint.at_end(block))
    window = {"strides": [2], "pads_begin": [0], "pads_end": [0], "dilations": [1]}
    kind = nn.ConvolutionBackpropDataOp
    value = write(kind, *block.args, **window, output_padding=[0], zero_point=100)
    block.add_op(ReturnOp(value))
    type = FunctionType.from_lists([arg.type for arg in block.args], [value.type])
    module = ModuleOp([FuncOp("main", type, Region(block))])
    wanted = Executor(module).run([x, filters])[0]
    taps = np.einsum("nip,iok->nopk", x.astype(int) - 100, filters.astype(int))
    np.testing.assert_array_equal(wanted, taps.reshape(1, 1, 6))
    np.testing.assert_array_equal(Executor(split(module)).run([x, filters])[0], wanted)


def test_what_follows_a_transpose_is_computed_on_phases_too():
    """A scale for each channel before it, a bias and a relu behind it: one convolution computes all."""
    case = Case((3, 4), (2, 2), (2, 2), (1, 1), ((0, 0),) * 2, followed=False, outputs=3)
    module = replace(case, output_padding=(0, 0), zero_point=9).module
    (entry,) = (op for op in module.walk() if isinstance(op, FuncOp))
    leave = entry.body.block.last_op
    assert leave is not None
    write = Writer(InsertPoint.before(leave))
    value = write(nn.ConvertOp, leave.operands[0], destination_type=f32)
    scale = np.array([1, 2, 4], np.float32).reshape(3, 1, 1)
    value = write(nn.MultiplyOp, value, write.constant(blob_of(scale)))
    value = write.transposed(value, (0, 2, 3, 1))
    bias = np.array([10, -20, 3000], np.float32)
    value = write(nn.ReluOp, write(nn.AddOp, value, write.constant(blob_of(bias))))
    leave.operands = [value]
    entry.update_function_type()
    wanted = Executor(module).run([case.input])[0]
    have = split(module)
    np.testing.assert_array_equal(Executor(have).run([case.input])[0], wanted)
    (relu,) = (op for op in have.walk() if isinstance(op, nn.ReluOp))
    assert shape_of(relu.result) == (1, 12, 3, 4)


def test_what_others_read_is_put_together_before():
    """A relu whose operand leaves, too, is computed on the whole."""
    case = Case()
    module = case.module
    (entry,) = (op for op in module.walk() if isinstance(op, FuncOp))
    (add,) = (op for op in module.walk() if isinstance(op, nn.AddOp))
    leave = entry.body.block.last_op
    assert leave is not None
    leave.operands = [*leave.operands, add.result]
    entry.update_function_type()
    wanted = Executor(module).run([case.input])
    have = Executor(split(module)).run([case.input])
    assert count(module, nn.ConvolutionBackpropDataOp) == 0
    for one, other in zip(have, wanted, strict=True):
        np.testing.assert_array_equal(one, other)
