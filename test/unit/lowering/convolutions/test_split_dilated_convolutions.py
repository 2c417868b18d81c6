"""The phases of dilated convolutions, against the reference."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal
from xdsl.dialects.builtin import ModuleOp

from lowstream.dialects import context
from lowstream.dialects.nn.convolution import ForwardConvolution
from lowstream.lowering.convolutions.split_dilated_convolutions import SplitDilatedConvolutions
from lowstream.reference.executor import Executor
from lowstream.test.unit.lowering.convolution_case import ConvolutionCase


@dataclass(frozen=True)
class Case(ConvolutionCase):
    """Two by three phases of an image, of as many channels as it takes."""

    sizes: tuple[int, ...] = (8, 12)
    kernel: tuple[int, ...] = (3, 3)
    strides: tuple[int, ...] = (1, 1)
    dilations: tuple[int, ...] = (2, 3)
    pads: tuple[tuple[int, int], ...] = ((2, 2), (3, 3))
    inputs: int = 128
    outputs: int = 129
    codes: bool = False


def split(module: ModuleOp) -> ForwardConvolution:
    """The one convolution after the pass; the module is verified."""
    SplitDilatedConvolutions().apply(context(), module)
    module.verify()
    (found,) = (op for op in module.walk() if isinstance(op, ForwardConvolution))
    return found


@st.composite
def cases(draw: st.DrawFn) -> Case:
    dilations = draw(st.integers(1, 3)), draw(st.integers(1, 3))
    pads = [(draw(st.integers(0, 2)) * d, draw(st.integers(0, 2)) * d) for d in dilations]
    sizes = (
        (4 + draw(st.integers(0, 3))) * d + 2 * d - sum(each)
        for d, each in zip(dilations, pads, strict=True)
    )
    return Case(
        sizes=tuple(sizes),
        dilations=dilations,
        pads=tuple(pads),
        batch=draw(st.integers(1, 2)),
        followed=draw(st.booleans()),
    )


@settings(max_examples=15)
@given(cases())
def test_phases_are_the_convolution(case: Case):
    """Of integers, sums of f32 are exact: bit by bit."""
    (wanted,) = Executor(case.module).run([case.input])
    module = case.module
    convolution = split(module)
    assert max(convolution.window(case.kernel).dilations) == 1
    (have,) = Executor(module).run([case.input])
    assert_array_equal(have, wanted)


@pytest.mark.parametrize(
    "case",
    [
        Case(codes=True),
        Case(sizes=(9, 12), pads=((2, 3), (3, 3))),
        Case(sizes=(8, 12), pads=((1, 3), (3, 3))),
        Case(sizes=(6, 12)),
        Case(strides=(2, 1)),
        Case(kernel=(1, 3)),
        Case(inputs=127),
        Case(outputs=127),
        Case(groups=2),
    ],
    ids=["codes", "size", "padding", "small", "stride", "kernel", "inputs", "outputs", "groups"],
)
def test_others_stay(case: Case):
    assert split(case.module).window(case.kernel).dilations == case.dilations
