"""The grid of codes for an interval: its ends, its type, its zero."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from xdsl.dialects.builtin import i8

from lowstream.passes.lpt.precision import LEVELS, ROUNDING, Grid, choose, limits_of, ui8
from lowstream.reference.arrays import Array

ELEMENTS = (ui8, i8)


def single(value: object) -> Array:
    """A limit in f32."""
    return np.asarray(value, np.float32)


ENDS = st.floats(-1e4, 1e4).map(single)


def values_of(grid: Grid) -> np.ndarray:
    """What each code of the grid stands for."""
    codes = np.arange(grid.low, grid.high + 1)
    return (codes - grid.zero_point) * grid.scale


@given(ENDS, ENDS, st.sampled_from(LEVELS), st.sampled_from(ELEMENTS))
def test_codes_reach_from_end_to_end(low, high, levels, element):
    assume(high - low > 1e-3)
    grid = Grid.of(low, high, levels, element)
    values = values_of(grid)
    assert len(values) == levels
    off = 2 * ROUNDING * grid.scale
    assert abs(values[0] - low) <= off
    assert abs(values[-1] - high) <= off


@given(st.sampled_from(LEVELS), st.sampled_from(ELEMENTS))
def test_codes_fit_their_type(levels, element):
    low, high = limits_of(element, levels)
    assert high - low == levels - 1
    info = np.iinfo(np.uint8 if element == ui8 else np.int8)
    assert info.min <= low < high <= info.max


@given(st.floats(1e-3, 1e4).map(single), st.sampled_from(LEVELS))
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
