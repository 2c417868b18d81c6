"""Orders, by insertion and by merging, of numbers of which some are equal and some are none."""

from collections.abc import Sequence

import numpy as np
import pytest
from xdsl.dialects.builtin import IntegerAttr, StringAttr, i64

from lowstream.dialects import nn
from lowstream.lowering.lower_to_kernels import lower
from lowstream.lowering.machine import available_isas
from lowstream.lowering.nn_to_kernels.sorting import FEW
from lowstream.reference.arrays import Array
from lowstream.test.unit.dialects.sampling import Sample, module_of
from lowstream.test.unit.lowering.codegen.native import Native

SIZE = 2 * FEW + 3


def sorted_rows(x: Array, count: int, mode: str) -> Sequence[Array]:
    """The first elements of rows in order, as machine code gives them, and where they lay."""
    properties = {
        "axis": IntegerAttr(1, i64),
        "mode": StringAttr(mode),
        "sort": StringAttr("value"),
    }
    module = module_of(nn.TopKOp, Sample([x, np.array(count)], properties), frozenset({1}))
    isa = available_isas()[0]
    return Native(lower(module, isa.name), isa).run([x])


@pytest.mark.parametrize("count", [1, FEW, SIZE])
@pytest.mark.parametrize("mode", ["max", "min"])
def test_nan_is_greater_than_any_number_and_equal_ones_stay_in_order(count: int, mode: str):
    x = np.random.default_rng(count).integers(-9, 9, (2, SIZE)).astype(np.float32)
    x[0, ::7], x[1, :] = np.nan, np.nan
    values, indices = sorted_rows(x, count, mode)
    keys = np.where(np.isnan(x), np.inf, x)
    order = np.argsort(-keys if mode == "max" else keys, 1, kind="stable")[:, :count]
    np.testing.assert_array_equal(indices, order)
    np.testing.assert_array_equal(values, np.take_along_axis(x, order, 1))


@pytest.mark.parametrize("count", [3, SIZE])
@pytest.mark.parametrize("mode", ["max", "min"])
def test_true_is_greater_than_false(count: int, mode: str):
    x = np.random.default_rng(count).random((2, SIZE)) < 0.4
    values, indices = sorted_rows(x, count, mode)
    order = np.argsort(x ^ (mode == "max"), 1, kind="stable")[:, :count]
    np.testing.assert_array_equal(indices, order)
    np.testing.assert_array_equal(values, np.take_along_axis(x, order, 1))
