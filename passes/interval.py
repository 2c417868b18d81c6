"""
Intervals that contain a value. They are the arithmetic of range analysis: of tensors (`passes.lpt`) and of the scalars
of kernels (`lowering.kernel_bodies.range_analysis`).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from xdsl.ir import Attribute

from ..dialects.elements import limits_of

if TYPE_CHECKING:
    from ..reference.arrays import Array


@dataclass(frozen=True)
class Interval:
    """
    `low <= x <= high`, or x is NaN where it `may_be_nan`. Arithmetic gives an interval that holds all results, as if
    they were not rounded; an infinite end says that nothing bounds the numbers, which are finite: `0 * x = 0`.
    """

    low: float
    high: float
    may_be_nan: bool = False

    @classmethod
    def of_array(cls, array: Array) -> Interval:
        """From the least to the greatest element; 0 for an empty array; unknown where an element is infinite or NaN."""
        if not array.size:
            return cls(0.0, 0.0)
        found = cls(float(array.min()), float(array.max()))
        return found if found.is_finite else ANYTHING

    @classmethod
    def of_type(cls, element: Attribute) -> Interval:
        """All numbers of an integer type."""
        return cls(*limits_of(element))

    @property
    def is_finite(self) -> bool:
        """Whether both ends are."""
        return math.isfinite(self.low) and math.isfinite(self.high)

    def __neg__(self) -> Interval:
        return replace(self, low=-self.high, high=-self.low)

    def __add__(self, other: Interval) -> Interval:
        return self._with(other, self.low + other.low, self.high + other.high)

    def __sub__(self, other: Interval) -> Interval:
        return self + -other

    def __mul__(self, other: Interval) -> Interval:
        ends = [
            a * b if a and b else 0.0
            for a in (self.low, self.high)
            for b in (other.low, other.high)
        ]
        return self._with(other, min(ends), max(ends))

    def __or__(self, other: Interval) -> Interval:
        """The smallest interval that contains both."""
        return self._with(other, min(self.low, other.low), max(self.high, other.high))

    def maximum(self, other: Interval) -> Interval:
        """The greater of a number of each."""
        return self._with(other, max(self.low, other.low), max(self.high, other.high))

    def minimum(self, other: Interval) -> Interval:
        """The smaller of a number of each."""
        return self._with(other, min(self.low, other.low), min(self.high, other.high))

    def round_to_integers(self) -> Interval:
        """What rounding to integers gives, in whatever direction."""
        low, high = self.low, self.high
        low = low if math.isinf(low) else math.floor(low)
        return replace(self, low=low, high=high if math.isinf(high) else math.ceil(high))

    def _with(self, other: Interval, low: float, high: float) -> Interval:
        return Interval(low, high, self.may_be_nan or other.may_be_nan)


ANYTHING = Interval(-math.inf, math.inf, may_be_nan=True)
"""Nothing is known."""
