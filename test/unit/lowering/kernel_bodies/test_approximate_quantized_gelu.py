"""The GELU of codes against the C library's in higher precision, and what its error does to codes."""

from __future__ import annotations

from math import erfc, inf, nan, pi, sqrt, tanh

import numpy as np
import pytest
from xdsl.dialects.builtin import f32

from lowstream.lowering.expand_math.gelu import TAILS, TANH_TAILS, Tail, approximate_gelu
from lowstream.lowering.kernel_bodies.bodies import build_body
from lowstream.reference.arrays import Array
from lowstream.reference.scalar import run_body

ALL_TAILS = (*TAILS, *TANH_TAILS)
EACH_TAIL = pytest.mark.parametrize("tail", ALL_TAILS, ids=lambda tail: str(tail.error))


def by_erfc(x: float) -> float:
    return x / 2 * erfc(-x / sqrt(2))


def by_tangent(x: float) -> float:
    return x / 2 * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x**3)))


def gelu(x: Array, tail: Tail) -> Array:
    body = build_body([f32], lambda x: approximate_gelu(x, tail))
    return run_body(body.block, [x.astype("f4")])[0]


@EACH_TAIL
def test_error(tail: Tail):
    """Where it is negative, and near 0, at most `error`; else two units in the last place more."""
    special = [tail.last, -tail.last, 1e-30, -1e30, 1e30]
    x = np.concatenate([np.linspace(-9, 9, 60001), special]).astype("f4")
    tangent = tail in TANH_TAILS
    wanted = [(by_tangent if tangent else by_erfc)(v) for v in x.astype("f8")]
    error = np.abs(gelu(x, tail) - wanted)
    assert (error <= tail.error + np.where(x > 0.5, np.spacing(x), 0)).all()


@EACH_TAIL
def test_special_numbers(tail: Tail):
    """What is far below comes near to 0, and NaN stays."""
    found = gelu(np.array([nan, inf, -inf, 0.0, -0.0]), tail)
    assert np.isnan(found[0]) and found[1] == inf and -tail.error < found[2] <= 0
    assert not found[3:].any()
