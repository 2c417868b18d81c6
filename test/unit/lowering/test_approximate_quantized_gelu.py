"""The GELU of codes against the C library's in higher precision, and what its error does to codes."""

from __future__ import annotations

from math import erfc, inf, nan, sqrt

import numpy as np
import pytest
from xdsl.dialects.builtin import f32

from lowstream.lowering.bodies import build_body
from lowstream.lowering.expand_math.gelu import TAILS, Tail, approximate_gelu
from lowstream.reference.arrays import Array
from lowstream.reference.scalar import run_body

EACH_TAIL = pytest.mark.parametrize("tail", TAILS, ids=lambda tail: str(tail.error))


def gelu(x: Array, tail: Tail) -> Array:
    body = build_body([f32], lambda x: approximate_gelu(x, tail))
    return run_body(body.block, [x.astype("f4")])[0]


@EACH_TAIL
def test_error(tail: Tail):
    """Where it is negative, and near 0, at most `error`; else two units in the last place more."""
    special = [tail.last, -tail.last, 1e-30, -1e30, 1e30]
    x = np.concatenate([np.linspace(-9, 9, 60001), special]).astype("f4")
    wanted = [v / 2 * erfc(-v / sqrt(2)) for v in x.astype("f8")]
    error = np.abs(gelu(x, tail) - wanted)
    assert (error <= tail.error + np.where(x > 0.5, np.spacing(x), 0)).all()


@EACH_TAIL
def test_special_numbers(tail: Tail):
    """What is far below comes near to 0, and NaN stays."""
    found = gelu(np.array([nan, inf, -inf, 0.0, -0.0]), tail)
    assert np.isnan(found[0]) and found[1] == inf and -tail.error < found[2] <= 0
    assert not found[3:].any()
