"""What emitters build from."""

import math

import pytest

from lowstream.lowering.codegen import ir
from lowstream.lowering.codegen.vectors import F32, F64, I32, splat


@pytest.mark.parametrize("type", [F32, F64], ids=str)
def test_zeros_have_their_sign(type: ir.Type):
    """Equal numbers are one constant, but for these two."""
    zero, negative = (splat(type, 4, number).name for number in (0.0, -0.0))
    assert zero != negative
    assert splat(type, 4, 0.0).name == zero


def test_numbers_of_all_kinds():
    assert splat(I32, 2, 3).name == "splat (i32 3)"
    assert splat(F32, 2, 0.5).name == "splat (float 0x3fe0000000000000)"
    assert "nan" not in splat(F32, 2, math.nan).name
