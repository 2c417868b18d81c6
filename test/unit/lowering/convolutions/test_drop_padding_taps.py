"""Convolutions without the taps that see only padding, against the reference."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from itertools import combinations, pairwise, product
from math import prod

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.exceptions import VerifyException

from lowstream.dialects import context, nn
from lowstream.dialects.inferred import shape_of
from lowstream.dialects.nn.convolution import ForwardConvolution
from lowstream.lowering.convolutions import padded_regions
from lowstream.lowering.convolutions.drop_padding_taps import DropPaddingTaps
from lowstream.reference.arrays import PAGED, StridedBlob
from lowstream.reference.executor import Executor
from lowstream.test.unit.lowering.convolution_case import ISAS, ConvolutionCase
from lowstream.test.unit.pairwise import each_pair


@dataclass(frozen=True)
class Case(ConvolutionCase):
    """Positions of an image, nine taps of which reach far."""

    sizes: tuple[int, ...] = (14, 14)
    kernel: tuple[int, ...] = (3, 3)
    strides: tuple[int, ...] = (1, 1)
    dilations: tuple[int, ...] = (12, 12)
    pads: tuple[tuple[int, int], ...] = ((12, 12), (12, 12))


def dropped(module: ModuleOp) -> list[ForwardConvolution]:
    """The convolutions after the pass; the module is verified."""
    DropPaddingTaps().apply(context(), module)
    module.verify()
    return [op for op in module.walk() if isinstance(op, ForwardConvolution)]


@st.composite
def cases(draw: st.DrawFn) -> Case:
    rank = draw(st.sampled_from([1, 1, 2, 2, 3]))

    def each(low: int, high: int) -> tuple[int, ...]:
        return tuple(draw(st.integers(low, high)) for _ in range(rank))

    return Case(
        sizes=each(1, {1: 20, 2: 8, 3: 4}[rank]),
        kernel=each(1, 4),
        strides=each(1, 4),
        dilations=each(1, 9),
        pads=tuple(zip(each(0, 20), each(0, 20), strict=True)),
        auto_pad=draw(
            st.sampled_from(["explicit", "explicit", "valid", "same_upper", "same_lower"])
        ),
        groups=draw(st.sampled_from([1, 1, 2])),
        inputs=draw(st.integers(1, 2)),
        outputs=draw(st.integers(1, 3)),
        batch=draw(st.integers(1, 2)),
        outside=draw(st.sampled_from([0, 0, -128, 127])),
        scaled=draw(st.booleans()),
        shared=draw(st.booleans()),
    )


@settings(max_examples=25)
@given(case=cases(), eager=st.booleans())
def test_regions_are_the_convolution(case: Case, eager: bool):
    """Sums of codes are exact: bit by bit; also where regions are not worth it."""
    with pytest.MonkeyPatch.context() as patch:
        if eager:
            patch.setattr(padded_regions, "START_POSITIONS", 0)
            patch.setattr(padded_regions, "WORTH", 1)
        try:
            module = case.module
        except VerifyException:
            return  # the window does not fit
        wanted = Executor(module).run([case.input])
        dropped(module)
    np.testing.assert_array_equal(Executor(module).run([case.input])[0], wanted[0])


NATIVE = [
    Case(),
    replace(Case(), sizes=(5, 7), dilations=(36, 36), pads=((36, 36), (36, 36)), batch=2),
    replace(Case(), groups=2, inputs=2, outputs=1, strides=(2, 1)),
    replace(Case(), groups=4, inputs=1, outputs=1, dilations=(36, 5), pads=((36, 36), (5, 5))),
    Case((30,), (3,), (1,), (25,), ((40, 25),)),
]

ZERO_POINT = [
    replace(NATIVE[0], outside=-7),
    replace(NATIVE[2], outside=127),
    replace(NATIVE[0], outside=5, groups=2, inputs=2, outputs=4, scaled=True),
    replace(NATIVE[3], outside=5, scaled=True),
    replace(NATIVE[0], outside=5, scaled=True, shared=True),
]


@each_pair(isa=ISAS, codes=[True, False], number=range(len(NATIVE)))
def test_machine_code_computes_the_same(isa: str, codes: bool, number: int):
    NATIVE[number].of(codes=codes).check_machine_code(isa)


@pytest.mark.parametrize("isa", ISAS)
@pytest.mark.parametrize("number", range(len(ZERO_POINT)))
def test_machine_code_adds_what_is_outside(isa: str, number: int):
    ZERO_POINT[number].check_machine_code(isa)


def test_time_depends_on_the_dilation():
    """Of 9 taps at 196 positions, those of dilation 12 read an input at 18 x 18 of 42 x 42."""
    done = [shape_of(op.filters)[2:] + shape_of(op.result)[2:] for op in dropped(Case().module)]
    assert sum(a * b * c * d for a, b, c, d in done) == 18 * 18


def test_taps_of_large_filters_are_not_copied():
    module = Case(codes=False, inputs=128, outputs=128).module
    filters = [nn.constant_of(op.filters) for op in dropped(module)]
    large = [blob for blob in filters if blob is not None and blob.data.nbytes >= PAGED]
    assert large
    assert all(isinstance(blob.data, StridedBlob) for blob in large)


def test_borders_are_no_regions():
    """A 3x3 convolution with one element around its input reads zeros at few positions."""
    assert len(dropped(Case(dilations=(1, 1), pads=((1, 1), (1, 1))).module)) == 1


def test_padding_alone_is_one_tap():
    """An output that no tap reads an input for is 0."""
    case = Case((3,), (2,), (1,), (1,), ((9, 9),))
    module = case.module
    wanted = Executor(module).run([case.input])
    assert all(shape_of(op.filters)[-1] <= 2 for op in dropped(module))
    np.testing.assert_array_equal(Executor(module).run([case.input])[0], wanted[0])


@pytest.mark.parametrize("seed", range(20))
def test_live_taps_are_those_that_read_an_input(seed: int):
    draw = random.Random(seed).randint
    line = padded_regions.WindowDimension(
        draw(1, 7), draw(1, 3), draw(1, 3), draw(-4, 6), draw(0, 8), draw(1, 9)
    )

    def live(first: int, last: int) -> tuple[int, int]:
        starts = [p * line.stride - line.before for p in range(first, last + 1)]
        taps = [
            tap
            for tap in range(line.taps)
            if any(0 <= start + tap * line.dilation < line.size for start in starts)
        ]
        return (taps[0], taps[-1]) if taps else (0, 0)

    ends = [(a, b) for b in range(line.result) for a in range(b + 1)]
    assert [line.live(*each) for each in ends] == [live(*each) for each in ends]
    cuts = [p for p in range(1, line.result) if live(p, p) != live(p - 1, p - 1)]
    assert list(line.cuts) == cuts
    reading = [
        0 <= p * line.stride - line.before + tap * line.dilation < line.size
        for p in range(line.result)
        for tap in range(line.taps)
    ]
    part = sum(reading) / len(reading)
    assert padded_regions.live_part([line, line]) == pytest.approx(part**2)


@settings(max_examples=25)
@given(
    taps=st.integers(1, 6),
    stride=st.integers(1, 2),
    dilation=st.integers(1, 3),
    size=st.integers(1, 8),
    batch=st.integers(1, 9),
)
def test_regions_are_the_cheapest(taps: int, stride: int, dilation: int, size: int, batch: int):
    """Of all segments of each dimension, between whichever cuts: its weights are those of all regions together."""
    before = (taps - 1) * dilation
    result = (size + before - 1) // stride + 1
    line = padded_regions.WindowDimension(taps, stride, dilation, before, size, result)
    other = padded_regions.WindowDimension(3, 1, 12, 12, 28, 28)

    def cost(regions: padded_regions.Regions) -> int:
        each = [
            (prod(s.count for s in part), prod(s.taps for s in part)) for part in regions.parts()
        ]
        return sum((padded_regions.START_POSITIONS + batch * count) * taps for count, taps in each)

    cheapest = min(
        cost(padded_regions.Regions(plan)) for plan in product(divisions(line), divisions(other))
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(padded_regions, "WORTH", float("inf"))
        padded_regions.Regions.choose.cache_clear()
        chosen = padded_regions.Regions.choose(line, other, divided=2, batch=batch)
        padded_regions.Regions.choose.cache_clear()
    assert chosen is not None
    assert cost(chosen) == cheapest


def divisions(line: padded_regions.WindowDimension) -> list[tuple[padded_regions.Segment, ...]]:
    """All segments between cuts of a line."""
    return [
        tuple(
            padded_regions.Segment.of(line, first, end - 1)
            for first, end in pairwise((0, *chosen, line.result))
        )
        for count in range(len(line.cuts) + 1)
        for chosen in combinations(line.cuts, count)
    ]


def test_many_taps_are_divided():
    """Eight borders of an image whose outputs need other taps each."""
    line = padded_regions.WindowDimension(5, 1, 1, 4, 10, 14)
    assert len(line.cuts) == 8
    chosen = padded_regions.Regions.choose(line, line, divided=2)
    assert chosen is not None
    assert [[each.taps for each in segments] for segments in chosen.segments] == [[2, 5, 2]] * 2


def test_regions_are_not_too_many_to_compile():
    """Each of 13 outputs of each dimension needs other taps: they would be thousands."""
    line = padded_regions.WindowDimension(8, 1, 1, 7, 6, 13)
    chosen = padded_regions.Regions.choose(line, line, line, divided=3, batch=64)
    assert chosen is not None
    assert 64 < len(list(chosen.parts())) <= padded_regions.MOST_REGIONS


def test_more_images_are_worth_more_regions():
    line = padded_regions.WindowDimension(7, 1, 1, 3, 5, 5)
    assert padded_regions.Regions.choose(line, line, divided=2) is None
    chosen = padded_regions.Regions.choose(line, line, divided=2, batch=8)
    assert chosen is not None
    assert len(list(chosen.parts())) > 1
