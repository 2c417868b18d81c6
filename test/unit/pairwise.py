"""Tests of few of many combinations, so that any two choices still meet."""

from collections.abc import Sequence
from itertools import combinations, product
from typing import Any

import pytest
from xdsl.ir import Attribute

from lowstream.lowering.machine import Isa


def pairwise(*choices: Sequence[Any]) -> list[tuple[Any, ...]]:
    """Combinations of one of each, in which any choice stands beside any other at least once."""
    every = list(product(*(range(len(each)) for each in choices)))
    pairs = {places: set(combinations(enumerate(places), 2)) for places in every}
    missing, found = set[Any]().union(*pairs.values()), list[tuple[Any, ...]]()
    while missing:
        best = max(every, key=lambda places: len(missing & pairs[places]))
        missing -= pairs[best]
        found.append(tuple(each[i] for each, i in zip(choices, best, strict=True)))
    return found


def each_pair(**choices: Sequence[Any]) -> pytest.MarkDecorator:
    """Parametrizes a test by three or more arguments, of which any two take each pair of values."""
    return pytest.mark.parametrize(list(choices), pairwise(*choices.values()), ids=_name)


def _name(value: Any) -> str | None:
    if isinstance(value, Attribute):
        return str(value)
    if isinstance(value, tuple) and value and all(isinstance(each, Attribute) for each in value):
        return "x".join(map(str, value))
    return value.name if isinstance(value, Isa) else None
