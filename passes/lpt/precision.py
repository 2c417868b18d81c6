"""From an interval and a number of levels to an 8-bit type and its grid: arithmetic, no IR."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol, Self

import numpy as np
from xdsl.dialects.builtin import IntegerType, Signedness

from ...reference.arrays import Array

ui8 = IntegerType(8, Signedness.UNSIGNED)

LEVELS = range(2, 257)
"""Numbers of levels that fit 8 bits; odd ones leave out the lowest code of i8."""

ROUNDING = 0.01
"""How far off a whole number, in codes, a zero point is still taken for it where the interval is given
in f32 or better."""


def limits_of(element: IntegerType, levels: int) -> tuple[int, int]:
    """The lowest and the highest code: of 255 levels, [0, 254] or [-127, 127]."""
    low = 0 if element == ui8 else -(levels // 2)
    return low, low + levels - 1


def whole(zero_point: Array, rounding: float | Array) -> Array:
    """Zero points, whole where they are so but for less than `rounding`."""
    nearest = np.rint(zero_point)
    return np.where(np.abs(zero_point - nearest) < rounding, nearest, zero_point)


def rounding_in(dtype: np.dtype[Any]) -> float:
    """How far off a whole number, in codes, a zero point of this type is still taken for it: 64 last places."""
    return min(64 * LEVELS[-1] * float(np.finfo(dtype).eps), ROUNDING)


def level(scales: Array, rounding: Array) -> Array:
    """Scales, equal where one scale is as near to each of them as its `rounding`."""
    if not scales.size:
        return scales
    least, most = (scales - rounding).max(), (scales + rounding).min()
    middle = np.clip((scales.min() + scales.max()) / 2, least, most)
    return np.full_like(scales, middle) if least <= most else scales


@dataclass(frozen=True)
class QuantizationGrid:
    """`value = (code - zero_point) * scale` for the codes `[low, high]` of `element`."""

    element: IntegerType
    low: int
    high: int
    scale: Array
    zero_point: Array

    @classmethod
    def of(cls, low: Array, high: Array, levels: int, element: IntegerType) -> Self:
        """
        The grid of this type whose `levels` codes lie evenly in `[low, high]`.

        A zero point that is whole but for what rounding did to the interval becomes whole, and scales that
        are equal but for it become equal.
        """
        eps = float(np.finfo(low.dtype).eps)
        rounding = max(ROUNDING, (levels - 1) * eps)
        first, last = limits_of(element, levels)
        low, high = np.broadcast_arrays(np.asarray(low, np.float64), np.asarray(high, np.float64))
        scale = (high - low) / (levels - 1)
        off = 2 * eps * np.maximum(abs(low), abs(high)) / (levels - 1)
        scale = level(scale, np.minimum(off, ROUNDING * abs(scale)))
        with np.errstate(divide="ignore", invalid="ignore"):
            zero_point = np.where(scale == 0, 0.0, first - low / scale)
        return cls(element, first, last, scale, whole(zero_point, rounding))

    @property
    def is_symmetric(self) -> bool:
        """Whether code 0 means 0 everywhere."""
        return not self.zero_point.any()


class OutputInterval(Protocol):
    """What a FakeQuantize gives: an interval, and how many values in it."""

    @property
    def low(self) -> Array: ...

    @property
    def high(self) -> Array: ...

    @property
    def levels(self) -> int: ...


@dataclass(frozen=True)
class Alignment:
    """
    An interval `[low, high]` of `levels` codes that several FakeQuantize share. `min_levels` are left to the
    one with the shortest interval.
    """

    low: float
    high: float
    levels: int
    min_levels: int

    @classmethod
    def of(cls, members: Sequence[OutputInterval], element: IntegerType) -> Self | None:
        """What holds all intervals, each one number; None where they are one and the same."""
        lows = [float(one.low.flat[0]) for one in members]
        highs = [float(one.high.flat[0]) for one in members]
        if len(set(lows)) == len(set(highs)) == 1:
            return None
        whole = cls(min(lows), max(highs), max(one.levels for one in members), 0)
        grid = whole.grid(element)
        parts = (codes_of(grid, low, high) for low, high in zip(lows, highs, strict=True))
        return replace(whole, min_levels=min(high - low + 1 for low, high in parts))

    def grid(self, element: IntegerType) -> QuantizationGrid:
        """
        The grid of this type for the interval; where 0 lies in it, 0 has a code, and steps are as much
        longer as that takes.
        """
        low, high = np.asarray(self.low, np.float64), np.asarray(self.high, np.float64)
        grid = QuantizationGrid.of(low, high, self.levels, element)
        if not low <= 0 <= high:
            return grid
        first, last = grid.low + int(low < 0), grid.high - int(high > 0)  # a step for each side
        zero_point = np.clip(np.rint(grid.zero_point), first, last)
        room = ((high, grid.high - zero_point), (low, grid.low - zero_point))
        scale = max(end / steps for end, steps in room if steps)
        return replace(grid, scale=np.asarray(scale), zero_point=np.asarray(zero_point))


def codes_of(grid: QuantizationGrid, low: float, high: float) -> tuple[int, int]:
    """The codes of a grid next to both ends of an interval inside."""
    first, last = (
        int(np.clip(np.rint(end / grid.scale + grid.zero_point), grid.low, grid.high))
        for end in (low, high)
    )
    return first, last


def choose(
    low: Array, high: Array, levels: int, allowed: Sequence[IntegerType]
) -> QuantizationGrid:
    """
    The grid for an output interval among the allowed types: the first that needs no zero point, or
    the first.

    Intervals that start at 0 thus become u8; i8 those symmetric around it (with an even number of
    levels, the low end is one step further out).
    """
    first = grid = QuantizationGrid.of(low, high, levels, allowed[0])
    for element in allowed[1:]:
        if grid.is_symmetric:
            return grid
        grid = QuantizationGrid.of(low, high, levels, element)
    return grid if grid.is_symmetric else first
