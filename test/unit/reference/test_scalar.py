"""Scalars: fma against exact fractions, sums without loss, rounding and saturation as memory has them."""

from __future__ import annotations

from fractions import Fraction
from math import inf, isfinite, nan
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from xdsl.dialects.builtin import IntegerType, Signedness, bf16, f16, f32, i8

from lowstream.reference.narrow_floats import codes_of, of_codes
from lowstream.reference.scalar import fma, stored, two_sum

single = st.floats(width=32, allow_nan=False, allow_infinity=False)
double = st.one_of(st.just(0.0), st.floats(1e-100, 1e100), st.floats(-1e100, -1e-100))


def nearest(exact: Fraction, dtype: type[np.floating[Any]]) -> np.floating[Any]:
    """The number of this type next to an exact one, of two the even one."""
    middle = dtype(float(exact)) if abs(exact) < Fraction(float(np.finfo(dtype).max)) else None
    if middle is None:
        return dtype(inf if exact > 0 else -inf)
    around = [np.nextafter(middle, dtype(-inf)), middle, np.nextafter(middle, dtype(inf))]
    near = [x for x in around if isfinite(x)]
    bits = np.array(near, dtype).view(f"u{np.dtype(dtype).itemsize}")
    best = min(
        range(len(near)), key=lambda i: (abs(Fraction(float(near[i])) - exact), int(bits[i]) & 1)
    )
    return near[best]


@given(single, single, single)
def test_fma_of_f32_rounds_once(x: float, y: float, z: float):
    exact = Fraction(x) * Fraction(y) + Fraction(z)
    if abs(exact) >= Fraction(float(np.finfo(np.float32).max)):
        return
    with np.errstate(all="ignore"):
        got = fma(*(np.array([v], np.float32) for v in (x, y, z)))
    assert got.dtype == np.float32
    assert got[0] == nearest(exact, np.float32)


@given(double, double, double)
def test_fma_of_f64_rounds_once(x: float, y: float, z: float):
    got = fma(*(np.array([v], np.float64) for v in (x, y, z)))
    assert got[0] == nearest(Fraction(x) * Fraction(y) + Fraction(z), np.float64)


def test_fma_where_two_roundings_differ():
    """The product and z almost cancel: only one rounding keeps what is left."""
    x = np.array([1 + 2.0**-30], np.float64)
    assert fma(x, x, np.array([-1 - 2.0**-29]))[0] == 2.0**-60
    y = np.array([1 + 2.0**-12], np.float32)
    assert fma(y, y, np.array([-1 - 2.0**-11], np.float32))[0] == np.float32(2.0**-24)


@pytest.mark.parametrize(("dtype", "bits"), [(np.float32, 23), (np.float64, 52)])
def test_fma_just_below_a_tie(dtype: type[np.floating[Any]], bits: int):
    """`z` plus just less than half its last bit is z; rounding the sum before would make it a tie."""
    unit = 2.0**-bits
    half, z = unit / 2, 1 + unit
    x = np.array([half * (1 + unit)], dtype)
    y = np.array([1 - unit], dtype)
    assert Fraction(float(x[0])) * Fraction(float(y[0])) < Fraction(half)
    assert fma(x, y, np.array([z], dtype))[0] == dtype(z)


@pytest.mark.parametrize("units", [2**22 + 1, 2**23 - 1])
def test_fma_just_below_a_tie_of_subnormals(units: int):
    """The same, where the last bit is 2^-149 whatever the size; the last case is next to the normal numbers."""
    z = np.array([units * 2.0**-149], np.float32)
    x, y = (np.array([2.0**-75 * factor], np.float32) for factor in (1 + 2.0**-23, 1 - 2.0**-23))
    assert fma(x, y, z)[0] == z[0]


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_fma_beyond_numbers(dtype: type[np.floating[Any]]):
    x = np.array([inf, -inf, nan, 1, inf], dtype)
    y = np.array([1, 1, 1, inf, 0], dtype)
    with np.errstate(all="ignore"):
        np.testing.assert_array_equal(fma(x, y, np.ones(5, dtype)), [inf, -inf, nan, inf, nan])


@given(double, double)
def test_two_sum_loses_nothing(x: float, y: float):
    total, error = two_sum(np.array(x), np.array(y))
    assert total == x + y
    assert Fraction(float(total)) + Fraction(float(error)) == Fraction(x) + Fraction(y)


def test_narrow_integers_saturate():
    x = np.array([-300, -128, 0, 127, 128, 300], np.int32)
    ui8 = IntegerType(8, Signedness.UNSIGNED)
    assert stored(x, i8).tolist() == [-128, -128, 0, 127, 127, 127]
    assert stored(x, ui8).tolist() == [0, 0, 0, 127, 128, 255]
    assert stored(x, i8).dtype == np.int8


def test_narrow_floats_round():
    x = np.array([1 + 2.0**-8, 1 + 3 * 2.0**-8, 70000.0, nan], np.float32)
    np.testing.assert_array_equal(stored(x, bf16), [1, 1 + 2.0**-6, 70144.0, nan])
    np.testing.assert_array_equal(
        stored(x, f16), np.array([1 + 2.0**-8, 1 + 3 * 2.0**-8, inf, nan])
    )
    assert stored(x, f32) is not None and stored(x, f32).dtype == np.float32


@given(st.integers(0, 2**16 - 1))
def test_bf16_comes_back(word: int):
    value = of_codes(np.array([word], np.uint16), bf16)
    assert codes_of(value, bf16)[0] == word
