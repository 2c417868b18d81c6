"""The sigmoid of codes against the exact one."""

from __future__ import annotations

from math import inf, nan

import numpy as np
from xdsl.dialects.builtin import f32

from lowstream.lowering.kernel_bodies.approximate_quantized_sigmoid import (
    ERROR,
    FARTHEST,
    one_and_power,
)
from lowstream.lowering.kernel_bodies.bodies import build_body
from lowstream.reference.arrays import Array
from lowstream.reference.scalar import run_body


def sigmoid(x: Array) -> Array:
    body = build_body([f32], lambda x: 1 / one_and_power(x))
    return run_body(body.block, [x.astype("f4")])[0]


def test_error():
    """At most `ERROR`, everywhere."""
    ends = [FARTHEST, -FARTHEST, 1e30, -1e30, 1e-30, 0.0, -0.0, inf, -inf]
    x = np.concatenate([np.linspace(-100, 100, 200001), np.linspace(-3, 3, 60001), ends])
    x = x.astype("f4")
    with np.errstate(over="ignore"):
        wanted = 1 / (1 + np.exp(-x.astype("f8")))
    found = sigmoid(x)
    assert (np.abs(found - wanted) <= ERROR).all()
    assert found.min() >= 0 and found.max() <= 1


def test_nan_stays():
    assert np.isnan(sigmoid(np.array([nan]))).all()
