"""Schedules of depthwise convolutions are plain data from plain shapes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from xdsl.dialects.builtin import f32, i8
from xdsl.ir import Attribute

from lowstream.dialects.kernel import DepthwiseLayout
from lowstream.lowering.codegen.schedule.depthwise import (
    DepthwiseSchedule,
    DepthwiseShape,
    filters_are_far,
    loop_order,
)
from lowstream.lowering.machine import AVX2, AVX512_VNNI, ISAS, Isa
from lowstream.lowering.tuning_configuration import TuningConfiguration
from lowstream.test.unit.lowering.codegen.kernels import ui8

SIZES = st.integers(1, 300)


@pytest.mark.parametrize(
    ("taps", "size", "expected"),
    [(3, 56, (1, 14)), (5, 80, (1, 10)), (7, 7, (2, 7)), (5, 13, (1, 13))],
)
def test_floats_of_a_depthwise_tile_are_loaded_for_several_columns(
    taps: int, size: int, expected: tuple[int, int]
):
    """As many as sums leave registers for, and few are computed twice; where there are few, several vectors of each."""
    shape = DepthwiseShape((size, size), 96, ((taps, taps), (1, 1), (1, 1)), (f32, f32))
    plan = DepthwiseSchedule.choose(AVX512_VNNI, shape)
    assert (plan.layout.nr_vectors, plan.columns) == expected
    assert plan.layout.mr == 1


@pytest.mark.parametrize(
    ("width", "channels", "element", "expected"),
    [
        (16, 64, 4, ("rows", "tiles", "columns")),
        (160, 64, 4, ("columns", "rows", "tiles")),
        (16, 1024, 4, ("tiles", "rows", "columns")),
        (16, 1024, 1, ("rows", "tiles", "columns")),
    ],
    ids=["all near", "some columns", "some channels", "parts of cache lines"],
)
def test_rows_that_a_depthwise_tile_reads_stay_near(
    width: int, channels: int, element: int, expected: tuple[str, ...]
):
    """Those of all columns, of some columns, or of some channels; outputs of bytes fill no cache line."""
    layout, window = DepthwiseLayout(16, 1, 1, 1, 0, 1), ((3, 3), (1, 1), (1, 1))
    strides = width * channels * 4, channels * 4
    assert loop_order(layout, window, 14, strides, element) == expected


@pytest.mark.parametrize(
    ("taps", "positions", "expected"),
    [
        ((3, 3), (1, 8), (0, 1)),
        ((1, 3), (8, 8), (0, 1)),
        ((3, 1), (8, 8), (0, 1)),
        ((3, 1), (8, 1), (1, 0)),
        ((1, 99), (1, 8), (1, 0)),
        ((3,), (8,), (0, -1)),
    ],
)
def test_along_which_dimension_a_depthwise_tile_slides(
    taps: tuple[int, ...], positions: tuple[int, ...], expected: tuple[int, int]
):
    """Along the last one with several taps, if floats are summed in the order of few taps; else along another."""
    ones = (1,) * len(taps)
    shape = DepthwiseShape(positions, 96, (taps, ones, ones), (f32, f32))
    layout = DepthwiseSchedule.choose(AVX512_VNNI, shape).layout
    assert (layout.down, layout.across) == expected


@pytest.mark.parametrize(
    ("taps", "kind", "expected"),
    [
        ((5, 5), (f32, f32), 5),
        ((3, 3, 3), (f32, f32), 0),
        ((9, 9, 9), (f32, f32), 9),
        ((9, 1, 9), (f32, f32), 9),
        ((9, 9, 9), (ui8, i8), 0),
    ],
    ids=["plane", "few", "volume", "one tap between", "bundles"],
)
def test_loops_go_over_the_taps_of_a_depthwise_tile(
    taps: tuple[int, ...], kind: tuple[Attribute, Attribute], expected: int
):
    """Of floats; those of a volume only if they are many. Bundles of codes are of one dimension."""
    ones = (1,) * len(taps)
    shape = DepthwiseShape((10,) * len(taps), 96, (taps, ones, ones), kind)
    assert len(DepthwiseSchedule.choose(AVX512_VNNI, shape).steady_bundles) == expected


@given(
    isa=st.sampled_from(ISAS),
    positions=st.tuples(SIZES, SIZES),
    channels=SIZES,
    stride=st.integers(1, 2),
    data=st.data(),
)
def test_every_candidate_of_a_depthwise_convolution_fits(
    isa: Isa, positions: tuple[int, int], channels: int, stride: int, data: st.DataObject
):
    window, kind = ((3, 3), (stride, stride), (1, 1)), (ui8, i8)
    shape = DepthwiseShape(positions, channels, window, kind)
    candidates = DepthwiseSchedule.candidates(isa, shape)
    first = DepthwiseSchedule.choose(isa, shape)
    assert candidates[0] == TuningConfiguration(first.layout.nr_vectors, (first.layout.mr,))
    configuration = data.draw(st.sampled_from(candidates))
    plan = DepthwiseSchedule.choose(isa, shape, configuration)
    assert (plan.layout.nr_vectors, (plan.layout.mr,)) == (
        configuration.nr_vectors,
        configuration.mr,
    )
    assert plan.layout.mr <= positions[0]
    assert plan == DepthwiseSchedule.follow(isa, shape, plan.layout, plan.product.offset)


@pytest.mark.parametrize(
    ("channels", "taps", "vectors", "is_looped"),
    [(12, (3, 3), 1, False), (64, (3, 3), 2, False), (5, (3, 3), 1, False), (64, (63,), 2, True)],
    ids=["less than two vectors", "two vectors", "less than one", "many taps"],
)
def test_bytes_that_become_words_are_loaded_without_masks(
    channels: int, taps: tuple[int, ...], vectors: int, is_looped: bool
):
    """Those of two vectors at once where there are so many channels; a loop goes over many taps."""
    ones = (1,) * len(taps)
    shape = DepthwiseShape((28,) * len(taps), channels, (taps, ones, ones), (ui8, i8))
    plan = DepthwiseSchedule.choose(AVX2, shape)
    assert plan.layout.nr_vectors == vectors
    assert (len(plan.steady_bundles) > 0) == is_looped


@pytest.mark.parametrize(
    ("across", "filters", "expected"),
    [(-1, 1 << 17, True), (-1, 1 << 12, False), (1, 1 << 17, False)],
    ids=["many filters", "few filters", "columns share them"],
)
def test_filters_of_a_tile_stay_near_for_all_rows(across: int, filters: int, expected: bool):
    """Those of sequences, whose rows have a single column each."""
    assert filters_are_far(DepthwiseLayout(8, 1, 2, 4, 0, across), filters) == expected
