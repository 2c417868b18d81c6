"""`QuantizationParameters`: what codes mean, whether a dequantization stands behind them or only could."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from xdsl.dialects.builtin import Float64Type, f32, f64
from xdsl.ir import Attribute

from ...dialects.elements import limits_of
from ...reference.arrays import Array, dtype_of
from .precision import ROUNDING


@dataclass(frozen=True)
class QuantizationParameters:
    """
    `(code - zero_point) * scale`, rounded to `element`, of codes of type `code`.

    Both arrays have the rank of the codes, or rank 0 for the whole tensor.
    """

    code: Attribute
    scale: Array
    zero_point: Array
    element: Attribute

    @property
    def computed(self) -> Attribute:
        """The type of its arithmetic: f32 where `element` is shorter."""
        return computed_in(self.element)

    @property
    def is_symmetric(self) -> bool:
        """Whether code 0 means 0."""
        return not self.zero_point.any()

    @property
    def has_whole_zero_points(self) -> bool:
        """Whether codes less their zero points are whole."""
        return bool((self.zero_point == np.rint(self.zero_point)).all())

    @property
    def is_per_tensor(self) -> bool:
        """Whether one scale and one zero point hold for all elements."""
        return self.scale.ndim == self.zero_point.ndim == 0

    @property
    def code_of_zero(self) -> int | None:
        """The code of 0, if it is the same for all elements and the type holds it."""
        lowest, highest = limits_of(self.code)
        first = float(self.zero_point.flat[0]) if self.zero_point.size else 0.5
        is_code = first.is_integer() and lowest <= first <= highest
        return int(first) if is_code and bool((self.zero_point == first).all()) else None

    @property
    def holds_zero(self) -> bool:
        """Whether 0 lies within the range of the codes, extended by half a step at both ends."""
        lowest, highest = limits_of(self.code)
        points = self.zero_point.astype(np.float64)
        return bool(((points >= lowest - 0.5) & (points <= highest + 0.5)).all())

    def varies_along(self, axis: int) -> bool:
        """Whether elements along this axis differ in scale or zero point."""
        return any(array.ndim and array.shape[axis] != 1 for array in (self.scale, self.zero_point))

    def same_as(self, other: QuantizationParameters) -> bool:
        """Whether equal codes mean equal values, and have one type."""
        return (
            (self.code, self.element) == (other.code, other.element)
            and np.array_equal(self.scale, other.scale)
            and np.array_equal(self.zero_point, other.zero_point)
        )

    def values(self, codes: Array) -> Array:
        """The values of codes; infinite ones where these are too large for their type."""
        zero_point = self.zero_point.astype(self.scale.dtype)
        with np.errstate(over="ignore"):
            values = (codes.astype(self.scale.dtype) - zero_point) * self.scale
            return values.astype(dtype_of(self.element))

    def codes_of(self, values: Array) -> Array | None:
        """The codes of values, of a type of 8 bits; None if a value has no code, but for the rounding of f32."""
        limits, zero_point = np.iinfo(dtype_of(self.code)), self.zero_point.astype(np.float64)
        with np.errstate(divide="ignore", invalid="ignore"):
            exact = np.where(
                self.scale == 0,
                np.where(values == 0, 0, np.nan),
                values.astype(np.float64) / self.scale + zero_point,
            )
            codes = np.rint(exact)
            rounding = 4 * np.finfo(np.float32).eps * (1 + abs(exact) + abs(zero_point))
            is_near = abs(exact - codes) < np.minimum(rounding, ROUNDING)  # not of infinities
        on_grid = is_near & (limits.min <= codes) & (codes <= limits.max)
        return codes.astype(limits.dtype) if on_grid.all() else None


def computed_in(element: Attribute) -> Attribute:
    """The type of the arithmetic of dequantization to `element`."""
    return f64 if isinstance(element, Float64Type) else f32
