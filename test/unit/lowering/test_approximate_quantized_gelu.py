"""The GELU of codes against the C library's in higher precision, and what its error does to codes."""

from __future__ import annotations

from math import erfc, inf, nan, sqrt

import numpy as np
from xdsl.dialects.builtin import f32

from lowstream.lowering.approximate_quantized_gelu import ERROR, LAST, approximate_gelu
from lowstream.lowering.bodies import build_body
from lowstream.reference.arrays import Array
from lowstream.reference.scalar import run_body


def gelu(x: Array) -> Array:
    return run_body(build_body([f32], approximate_gelu).block, [x.astype("f4")])[0]


def test_error():
    """Where it is negative, and near 0, at most `ERROR`; else two units in the last place more."""
    x = np.concatenate([np.linspace(-9, 9, 60001), [LAST, -LAST, 1e-30, -1e30, 1e30]]).astype("f4")
    wanted = [v / 2 * erfc(-v / sqrt(2)) for v in x.astype("f8")]
    error = np.abs(gelu(x) - wanted)
    assert (error <= ERROR + np.where(x > 0.5, np.spacing(x), 0)).all()


def test_special_numbers():
    """What is far below comes near to 0, and NaN stays."""
    found = gelu(np.array([nan, inf, -inf, 0.0, -0.0]))
    assert np.isnan(found[0]) and found[1] == inf and -ERROR < found[2] <= 0
    assert not found[3:].any()
