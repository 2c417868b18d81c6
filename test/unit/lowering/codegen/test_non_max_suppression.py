"""Boxes taken one after the other: scores that are equal, or none, and boxes that are left over."""

import numpy as np
import pytest
from xdsl.dialects.builtin import FloatAttr, IntegerAttr, f64, i64

from lowstream.dialects import nn
from lowstream.lowering.lower_to_kernels import lower
from lowstream.lowering.machine import available_isas
from lowstream.test.unit.dialects.sampling import Sample, module_of
from lowstream.test.unit.lowering.codegen.native import Native

NONE = -1


@pytest.mark.parametrize("rows", [1, 2])
def test_the_first_of_equal_scores_is_taken_and_nan_never(rows: int):
    """Boxes 0 to 3 are one, 4 to 6 lie alone."""
    low = np.array([[0, 0]] * 4 + [[2, 2], [4, 4], [6, 6]], np.float32)
    boxes = np.repeat(np.concatenate([low, low + 1], 1)[None], rows, 0)
    x = np.array([[0.5, 0.9, 0.9, 0.1, 0.9, np.nan, 0.2], [np.nan] * 6 + [np.inf]], np.float32)
    numbers = {"iou_threshold": 1.0, "score_threshold": 0.2}
    properties = {name: FloatAttr(number, f64) for name, number in numbers.items()}
    sample = Sample(
        [boxes, np.repeat(x[None], rows, 0)], {**properties, "max_output": IntegerAttr(4, i64)}
    )
    isa = available_isas()[0]
    module = module_of(nn.SelectBoxesOp, sample, frozenset())
    found, scores = Native(lower(module, isa.name), isa).run(sample.operands)
    for row in range(rows):
        np.testing.assert_array_equal(found[row], [[1, 4, NONE, NONE], [6, NONE, NONE, NONE]])
        wanted = np.array([[0.9, 0.9, 0, 0], [np.inf, 0, 0, 0]], np.float32)
        np.testing.assert_array_equal(scores[row], wanted)
