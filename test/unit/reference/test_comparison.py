"""Comparisons where it matters: between numbers that are equal, and with NaN."""

from __future__ import annotations

import numpy as np
import pytest

from lowstream.dialects import nn
from lowstream.dialects.nn import BinaryOp
from lowstream.reference.arrays import blob_of
from lowstream.reference.executor import evaluate

LEFT = np.array([1, 2, 3, np.nan], np.float32)
RIGHT = np.array([2, 2, 2, 2], np.float32)

EXPECTED: dict[type[BinaryOp], list[bool]] = {
    nn.EqualOp: [False, True, False, False],
    nn.NotEqualOp: [True, False, True, True],
    nn.LessOp: [True, False, False, False],
    nn.LessEqualOp: [True, True, False, False],
    nn.GreaterOp: [False, False, True, False],
    nn.GreaterEqualOp: [False, True, True, False],
}


@pytest.mark.parametrize("op", EXPECTED, ids=lambda op: op.name)
def test_a_comparison_tells_less_equal_and_greater_apart(op: type[BinaryOp]):
    made = op.of(*(nn.ConstantOp(blob_of(array)) for array in (LEFT, RIGHT)))
    assert evaluate(made, [LEFT, RIGHT])[0].tolist() == EXPECTED[op]
