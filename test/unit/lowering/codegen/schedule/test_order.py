"""How lines are ordered is decided by how many elements they have, and how many are kept."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lowstream.lowering.codegen.schedule.order import MOST_INSERTED, MOST_SORTED, goes_side_by_side

SIZES = st.integers(1, 1 << 14)


@pytest.mark.parametrize(
    ("size", "count", "is_network"),
    [
        (100, 20, True),
        (300, 50, True),
        (300, 100, True),
        (1000, 20, False),
        (1000, 128, False),
        (1000, 130, True),
        (8400, 1000, False),
    ],
)
def test_few_of_many_are_selected(size: int, count: int, is_network: bool):
    """A network sorts all elements, whatever is kept."""
    assert goes_side_by_side(size, count) is is_network


@given(size=SIZES, count=SIZES)
def test_what_is_inserted_or_all_goes_side_by_side(size: int, count: int):
    assert goes_side_by_side(size, min(count, MOST_INSERTED))
    assert goes_side_by_side(size, size)


def test_all_of_long_lines_leave_the_caches():
    assert goes_side_by_side(MOST_SORTED, MOST_SORTED)
    assert not goes_side_by_side(MOST_SORTED + 1, MOST_SORTED + 1)
    assert goes_side_by_side(MOST_SORTED + 1, MOST_INSERTED)


@given(size=SIZES, count=SIZES, more=SIZES)
def test_keeping_more_favours_a_network(size: int, count: int, more: int):
    count += MOST_INSERTED
    assert goes_side_by_side(size, count + more) or not goes_side_by_side(size, count)
