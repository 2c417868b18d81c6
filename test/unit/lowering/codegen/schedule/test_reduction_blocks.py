"""Blocks of points that read the same elements."""

from __future__ import annotations

import pytest

from lowstream.lowering.codegen.schedule.reduction_blocks import are_enough, block


@pytest.mark.parametrize(
    ("size", "found"), [(0, 1), (1, 1), (5, 5), (8, 8), (9, 3), (11, 1), (12, 6), (16, 8)]
)
def test_a_block_divides_the_points(size: int, found: int):
    assert block(size, 8) == found


@pytest.mark.parametrize(
    ("rows", "units", "wanted"),
    [(2, 4, True), (2, 3, False), (1, 4, False), (8, 11, True), (5, 7, False), (11, 4, False)],
)
def test_a_point_needs_one_vector_where_enough_are_computed_together(
    rows: int, units: int, wanted: bool
):
    assert are_enough(rows, units) == wanted
