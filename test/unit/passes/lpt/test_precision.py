"""The grid of codes for an interval: its ends, its type, its zero."""

from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from xdsl.dialects.builtin import i8

from lowstream.passes.lpt.precision import (
    LEVELS,
    ROUNDING,
    Alignment,
    QuantizationGrid,
    choose,
    codes_of,
    limits_of,
    ui8,
)
from lowstream.reference.arrays import Array

ELEMENTS = (ui8, i8)


def single(value: object) -> Array:
    """A limit in f32."""
    return np.asarray(value, np.float32)


ENDS = st.floats(-1e4, 1e4).map(single)


def values_of(grid: QuantizationGrid) -> np.ndarray:
    """What each code of the grid stands for."""
    codes = np.arange(grid.low, grid.high + 1)
    return (codes - grid.zero_point) * grid.scale


@given(ENDS, ENDS, st.sampled_from(LEVELS), st.sampled_from(ELEMENTS))
def test_codes_reach_from_end_to_end(low, high, levels, element):
    assume(high - low > 1e-3)
    grid = QuantizationGrid.of(low, high, levels, element)
    values = values_of(grid)
    assert len(values) == levels
    off = 2 * ROUNDING * grid.scale
    assert abs(values[0] - low) <= off
    assert abs(values[-1] - high) <= off


@given(st.lists(st.floats(-100, 100), min_size=2, max_size=4), st.floats(0.5, 100))
@example(lows=[0.0, 30.0], width=2.00001)  # the one is exact, the other rounded
def test_intervals_of_one_width_have_one_scale(lows, width):
    low = single(lows)
    high = low + single(width)
    scale = QuantizationGrid.of(low, high, 256, ui8).scale
    assert (scale == scale[0]).all()
    np.testing.assert_allclose(scale * 255, width, rtol=1e-4)
    high[0] += single(0.05 * width)
    assert QuantizationGrid.of(low, high, 256, ui8).scale[0] != scale[0]


@given(st.sampled_from(LEVELS), st.sampled_from(ELEMENTS))
def test_codes_fit_their_type(levels, element):
    low, high = limits_of(element, levels)
    assert high - low == levels - 1
    info = np.iinfo(np.uint8 if element == ui8 else np.int8)
    assert info.min <= low < high <= info.max


@given(st.floats(1e-3, 1e4).map(single), st.sampled_from(LEVELS[1:]))
def test_what_starts_at_zero_is_unsigned_and_what_is_around_it_signed(high, levels):
    unsigned = choose(single(0), high, levels, ELEMENTS)
    assert (unsigned.element, unsigned.is_symmetric) == (ui8, True)
    lowest, highest = limits_of(i8, levels)
    low = single(np.float64(high) * lowest / highest)
    signed = choose(low, high, levels, ELEMENTS)
    assert (signed.element, signed.is_symmetric) == (i8, True)
    assert choose(low, high, levels, (ui8,)).zero_point == -lowest


@given(ENDS, ENDS, st.sampled_from(LEVELS))
def test_only_what_is_allowed_is_chosen(low, high, levels):
    assume(high - low > 1e-3)
    for allowed in ((ui8,), (i8,)):
        assert choose(low, high, levels, allowed).element in allowed
    both = choose(low, high, levels, ELEMENTS)
    if not both.is_symmetric:
        assert both.element == ui8


@pytest.mark.parametrize("scale", [1.0, 0.001, 300.0])
def test_half_precision_rounds_intervals_more(scale):
    low, high = (np.asarray(end * scale, np.float16) for end in (-1.28, 1.27))
    assert choose(low, high, 256, ELEMENTS).is_symmetric
    assert not choose(single(-1.28), single(1.2725), 256, ELEMENTS).is_symmetric


def test_tiny_intervals_keep_their_sign():
    low, high = single(-1.28e-9), single(1.27e-9)
    assert choose(low, high, 256, ELEMENTS).element == i8
    assert choose(single(-1e-9), single(2.55), 256, ELEMENTS).element == ui8


def test_a_channel_of_zeros_has_scale_zero():
    grid = choose(single([[0], [0]]), single([[1], [0]]), 256, ELEMENTS)
    np.testing.assert_array_equal(grid.scale, [[1 / 255], [0]])
    assert grid.is_symmetric


@dataclass(frozen=True)
class Member:
    """What a FakeQuantize gives."""

    low: np.ndarray
    high: np.ndarray
    levels: int = 256


INTERVALS = st.lists(
    st.tuples(st.floats(-100, 0, width=32), st.floats(0.125, 100, width=32)), min_size=2, max_size=5
)


@given(INTERVALS, st.sampled_from((ui8, i8)))
def test_an_alignment_holds_all_intervals(intervals, element):
    members = [
        Member(np.asarray(low, np.float32), np.asarray(high, np.float32)) for low, high in intervals
    ]
    alignment = Alignment.of(members, element)
    if len(set(intervals)) == 1:
        assert alignment is None
        return
    assert alignment is not None
    grid = alignment.grid(element)
    assert grid.zero_point == np.rint(grid.zero_point), "0 has a code"
    values = (np.array([grid.low, grid.high]) - grid.zero_point) * grid.scale
    assert values[0] <= alignment.low + 1e-4
    assert values[1] >= alignment.high - 1e-4
    left: list[int] = []
    for low, high in intervals:
        first, last = codes_of(grid, low, high)
        left.append(last - first + 1)
        for code, end in ((first, low), (last, high)):
            assert abs((code - grid.zero_point) * grid.scale - end) <= grid.scale * 0.501
    assert alignment.min_levels == min(left)


@pytest.mark.parametrize(("low", "high"), [(1.0, 2.0), (-3.0, -1.0)])
def test_an_alignment_beside_zero_is_as_long_as_its_interval(low, high):
    members = [Member(np.asarray(low), np.asarray(end)) for end in (high, (low + high) / 2)]
    alignment = Alignment.of(members, ui8)
    assert alignment is not None
    grid = alignment.grid(ui8)
    assert grid.scale == pytest.approx((high - low) / 255)
    assert codes_of(grid, low, high) == (0, 255)
