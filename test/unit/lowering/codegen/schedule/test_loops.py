"""Loops are merged and ordered by plain data."""

from __future__ import annotations

from typing import Any

import pytest

from lowstream.dialects.kernel.packed_layout import taps_beside
from lowstream.lowering.codegen.schedule import MapSchedule
from lowstream.lowering.codegen.schedule.merging import merge_loops
from lowstream.lowering.machine import AVX512_VNNI, PORTABLE


@pytest.mark.parametrize(
    ("domain", "strides", "expected"),
    [
        # One row of 6 x 8 elements …
        ([6, 8], [[8, 1], [8, 1]], ((), 48)),
        # … but not if one of the operands repeats,
        ([6, 8], [[8, 1], [0, 1]], ((6,), 8)),
        # has gaps,
        ([6, 8], [[8, 1], [9, 1]], ((6,), 8)),
        # or is transposed: then along what most read in a row.
        ([6, 8], [[1, 6], [1, 6], [8, 1]], ((8,), 6)),
        ([1, 1], [[1, 1]], ((), 1)),
        ([3, 0], [[0, 1]], ((), 0)),
    ],
)
def test_dimensions_that_are_one(domain: list[int], strides: list[list[int]], expected: Any):
    plan = MapSchedule.choose(PORTABLE, domain, strides)
    assert (plan.outer, plan.inner) == expected


def test_what_is_read_often_is_contiguous():
    """A window of an input that lies across its output."""
    strides = [[1, 32], [32, 1]]
    assert MapSchedule.choose(PORTABLE, [16, 32], strides).inner == 32
    assert MapSchedule.choose(PORTABLE, [16, 32], strides, often=[9]).inner == 16


def test_what_is_looked_up_is_contiguous_where_its_indices_stay():
    """Rows of 17 at 64 indices: each row is read in two vectors, though columns fill only half of them."""
    strides = [[0, 1], [1, 0], [17, 1]]
    assert MapSchedule.choose(AVX512_VNNI, [64, 17], strides).inner == 64
    assert MapSchedule.choose(AVX512_VNNI, [64, 17], strides, lookups=1).inner == 17


def test_loops_that_are_one():
    """What goes on where the next loop ends; taps that lie beside the channels."""
    assert merge_loops([2, 3, 4], [[12, 24], [4, 8], [1, 2]]) == ([24], [[1, 2]])
    assert merge_loops([2, 3, 4], [[12, 25], [4, 8], [1, 2]]) == ([2, 12], [[12, 25], [1, 2]])
    assert merge_loops([1, 3, 1], [[5], [2], [7]]) == ([3], [[2]])
    assert taps_beside([(3, 30), (3, 4)], 4) == 1
    assert taps_beside([(3, 12), (3, 4)], 4) == 2, "the window is as wide as the input"
    assert taps_beside([(3, 30), (3, 8)], 4) == 0, "dilated"
    assert taps_beside([(1, 30), (1, 99)], 4) == 2
