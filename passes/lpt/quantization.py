"""What a FakeQuantize says: its levels and intervals, if they are known and have a grid."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from xdsl.dialects.builtin import IntegerType

from ...dialects.nn import constant_of
from ...dialects.qnn import FakeQuantizeOp
from ...reference.arrays import Array, array_of
from .precision import LEVELS, Grid, choose


@dataclass(frozen=True)
class Quantization:
    """The output interval and the number of levels of a FakeQuantize that LPT can decompose."""

    levels: int
    low: Array
    high: Array

    @classmethod
    def of(cls, op: FakeQuantizeOp) -> Self | str:
        """The quantization, or what it has that has no 8-bit form."""
        levels = op.levels.value.data
        if levels not in LEVELS:
            return f"{levels} levels; low precision takes {', '.join(map(str, LEVELS))}"
        blobs = [constant_of(limit) for limit in op.operands[1:]]
        if None in blobs:
            return "an interval that is computed while running; low precision takes constants"
        _, _, low, high = (array_of(blob) for blob in blobs if blob is not None)
        if (low > high).any():
            return "an inverted output interval; exchange output_low and output_high"
        if ((low == high) & (low != 0)).any():
            return "a single point other than 0 for output interval, which no scale expresses"
        return cls(levels, low, high)

    def grid(self, allowed: Sequence[IntegerType]) -> Grid:
        """The codes for this interval in one of the allowed types."""
        return choose(self.low, self.high, self.levels, allowed)
