"""Pairwise combinations hold each pair, and are few."""

from itertools import combinations, product

import pytest

from lowstream.test.unit.pairwise import pairwise


@pytest.mark.parametrize("sizes", [(3, 3, 3), (2, 2, 2, 7), (9, 3, 2), (1, 1, 1), (4, 2, 4, 2)])
def test_any_two_choices_meet(sizes: tuple[int, ...]):
    choices = [range(size) for size in sizes]
    found = pairwise(*choices)
    for a, b in combinations(range(len(sizes)), 2):
        assert {(each[a], each[b]) for each in found} == {*product(choices[a], choices[b])}
    least = max(a * b for a, b in combinations(sizes, 2))
    assert least <= len(found) <= least * 4 / 3
