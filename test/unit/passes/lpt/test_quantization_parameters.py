"""Which constants lie on a grid of codes."""

import numpy as np
import pytest
from xdsl.dialects.builtin import f32, i8

from lowstream.passes.lpt.quantization_parameters import QuantizationParameters

GRID = QuantizationParameters(i8, np.array(0.5, np.float32), np.array(3, np.float32), f32)


def test_values_on_the_grid_have_codes():
    codes = GRID.codes_of(np.array([-1, 0, 0.5], np.float32))
    assert codes is not None
    assert codes.tolist() == [1, 3, 4]


@pytest.mark.parametrize("value", [-np.inf, np.inf, np.nan, 0.25, 64])
def test_what_has_no_code_is_no_warning(value: float):
    """A mask of attention has -∞."""
    assert GRID.codes_of(np.array([0, value], np.float32)) is None


def test_a_scale_of_0_has_a_code_for_0_alone():
    nothing = QuantizationParameters(i8, np.zeros((), np.float32), np.zeros((), np.float32), f32)
    codes = nothing.codes_of(np.zeros(2, np.float32))
    assert codes is not None
    assert codes.tolist() == [0, 0]
    assert nothing.codes_of(np.array([0, 1], np.float32)) is None
