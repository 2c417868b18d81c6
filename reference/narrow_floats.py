"""
Floats that NumPy lacks, `bf16` and those of a byte or less: as codes in memory, and as the float32 that have all of
their values.

Rounding is to nearest, to the even code between two, whatever the type it comes from. What is beyond the largest
number becomes infinite, NaN where the format has no infinity, the largest number where it has neither; so does NaN
where there is none. `f8E8M0FNU` has neither sign nor zero nor anything beyond its largest number: what is outside
becomes its least or largest one. OpenVINO's Convert does the same, and so does ONNX's Cast unless it saturates, which
is a clamp before it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt
from xdsl.dialects.builtin import BFloat16Type, FloatNanEncoding, FloatNonfiniteBehavior
from xdsl.ir import Attribute

from ..dialects.elements import SmallFloat, is_small_float

Array = npt.NDArray[Any]


def has_codes(element: Attribute) -> bool:
    """Whether arrays hold other numbers for such elements than memory does."""
    return type(element) is BFloat16Type or is_small_float(element)


def codes_of(array: Array, element: Attribute) -> Array:
    """What memory holds for numbers that become such elements: integers without sign."""
    values = np.asarray(array)
    if values.dtype.kind != "f":  # through f32, as kernels do
        values = values.astype(np.float32)
    if not is_small_float(element):
        assert isinstance(element, BFloat16Type)
        return _bf16_words(values)
    table, semantics = _Table.of(element), element.SEMANTICS
    magnitude = np.abs(values) if semantics.has_sign else values
    low, high = (np.searchsorted(table.middles, magnitude, side) for side in ("left", "right"))
    codes = np.where(low & 1, high, low)  # the same but between two numbers
    if not semantics.has_sign:
        return np.where(np.isnan(values), table.nan, codes).astype(np.uint8)
    sign = np.signbit(values) & (table.has_negative_zero | (codes != 0))
    codes = np.where(np.isnan(values), table.nan, codes | sign << semantics.sign_shift)
    return codes.astype(np.uint8)


def of_codes(codes: Array, element: Attribute) -> Array:
    """What `codes_of` stored, as float32."""
    if is_small_float(element):
        return _Table.of(element).values[codes]
    return (codes.astype(np.uint32) << 16).view(np.float32)


def _bf16_words(array: Array) -> Array:
    single = _to_odd(array) if array.dtype == np.float64 else array
    words = np.ascontiguousarray(single, np.float32).view(np.uint32).reshape(np.shape(array))
    rounded = (words + np.uint32(0x7FFF) + ((words >> 16) & 1)) >> 16
    cut = words >> 16
    nan = np.where(cut & 0x7F, cut, cut | 0x40)  # one of its upper bits must be set
    return np.where(np.isnan(array), nan, rounded).astype(np.uint16)


def _to_odd(array: Array) -> Array:
    """float64 to float32 so that rounding once more is right: what is not exact has an odd last bit."""
    with np.errstate(over="ignore"):
        single = array.astype(np.float32)
    words = single.view(np.uint32)
    above = (np.abs(single.astype(np.float64)) > np.abs(array)).astype(np.uint32)
    inexact = (single != array) & ~np.isnan(array)
    return np.where(inexact, (words - above) | np.uint32(1), words).view(np.float32)


@dataclass(frozen=True, eq=False)
class _Table:
    """`values` by code, and `middles`, between numbers without sign and the next ones."""

    values: Array
    middles: Array
    nan: int
    has_negative_zero: bool

    @staticmethod
    @cache
    def of(element: SmallFloat) -> _Table:
        semantics = element.SEMANTICS
        decoded = [element.decode_bits(code) for code in range(2**element.bitwidth)]
        count = 2 ** (semantics.exponent_bits + semantics.mantissa_bits)
        numbers = np.asarray([value for value in decoded[:count] if np.isfinite(value)])
        middles = (numbers[:-1] + numbers[1:]) / 2
        if semantics.has_sign and semantics.nonfinite is not FloatNonfiniteBehavior.FINITE_ONLY:
            # The code after that of the largest number is infinite or NaN.
            middles = np.append(middles, numbers[-1] + (numbers[-1] - numbers[-2]) / 2)
        return _Table(
            np.asarray(decoded, np.float32),
            middles,
            nan=element.encode_bits(float("nan")),
            has_negative_zero=semantics.nan_encoding is not FloatNanEncoding.NEGATIVE_ZERO,
        )
