"""Convolutions with few output channels whose taps are summed apart, against the reference."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal
from xdsl.dialects.builtin import ModuleOp

from lowstream.dialects import context
from lowstream.dialects.inferred import Shape, shape_of
from lowstream.dialects.nn.convolution import ForwardConvolution
from lowstream.lowering.convolutions.shift_and_add_convolutions import ShiftAndAddConvolutions
from lowstream.reference.executor import Executor
from lowstream.test.unit.lowering.convolution_case import ISAS, ConvolutionCase


@dataclass(frozen=True)
class Case(ConvolutionCase):
    """Few outputs of many channels."""

    sizes: tuple[int, ...] = (40, 40)
    kernel: tuple[int, ...] = (3, 3)
    strides: tuple[int, ...] = (1, 1)
    dilations: tuple[int, ...] = (1, 1)
    pads: tuple[tuple[int, int], ...] = ((1, 1), (1, 1))
    inputs: int = 200
    outputs: int = 2


LINE = Case(sizes=(40,), kernel=(5,), strides=(1,), dilations=(2,), pads=((3, 4),))


def window_after(module: ModuleOp) -> Shape:
    """The window of the one convolution after the pass; the module is verified."""
    ShiftAndAddConvolutions("avx2").apply(context(), module)
    module.verify()
    (found,) = (op for op in module.walk() if isinstance(op, ForwardConvolution))
    return shape_of(found.filters)[2:]


@st.composite
def cases(draw: st.DrawFn) -> Case:
    rank = draw(st.integers(1, 3))
    dilations = tuple(draw(st.integers(1, 2)) for _ in range(rank))
    pads = tuple((draw(st.integers(0, 2)), draw(st.integers(0, 2))) for _ in range(rank))
    return Case(
        sizes=(*(draw(st.integers(5, 8)) for _ in range(rank - 1)), draw(st.integers(60, 80))),
        kernel=tuple(draw(st.integers(1, 3)) for _ in range(rank)),
        strides=(*(draw(st.integers(1, 2)) for _ in range(rank - 1)), 1),
        dilations=dilations,
        pads=pads,
        inputs=draw(st.integers(40, 50)),
        outputs=draw(st.integers(1, 4)),
        batch=draw(st.integers(1, 2)),
        codes=draw(st.booleans()),
        followed=draw(st.booleans()),
    )


@settings(max_examples=15)
@given(cases())
def test_shifted_sums_are_the_convolution(case: Case):
    """Of integers, sums of f32 are exact: bit by bit."""
    (wanted,) = Executor(case.module).run([case.input])
    module = case.module
    window_after(module)
    (have,) = Executor(module).run([case.input])
    assert_array_equal(have, wanted)


@pytest.mark.parametrize(
    ("case", "window"),
    [
        (Case(outputs=1), (1, 1)),
        (Case(outside=-7), (3, 1)),
        (Case(outputs=4), (3, 1)),
        (Case(strides=(2, 1)), (3, 1)),
        (Case(kernel=(9, 9), pads=((4, 4), (4, 4)), outputs=3), (9, 1)),
        (Case(outputs=8), (3, 3)),
        (Case(strides=(1, 2)), (3, 3)),
        (Case(inputs=3), (3, 3)),
        (Case(sizes=(1, 1)), (3, 3)),
        (Case(scaled=True), (3, 3)),
        (Case(groups=2), (200, 3, 3)),
    ],
)
def test_taps_that_become_channels(case: Case, window: Shape):
    """Where vectors of outputs are full otherwise, or what is added is as much as what is multiplied, none do."""
    assert window_after(case.module) == window


@pytest.mark.parametrize("isa", ISAS)
@pytest.mark.parametrize(
    "case", [Case(sizes=(9, 9), outside=5), Case(sizes=(9, 9), codes=False), LINE]
)
def test_machine_code(case: Case, isa: str):
    case.check_machine_code(isa)
