"""The levels and the output interval of a FakeQuantize, if LPT can decompose it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from xdsl.dialects.builtin import IntegerType

from ...dialects.inferred import tensor
from ...dialects.qnn import DequantizeOp, FakeQuantizeOp
from ...reference.arrays import Array
from ...reference.constants import constant_arrays
from .dequantization import Dequantization
from .precision import LEVELS, QuantizationGrid, choose

SMALLEST = float(np.finfo(np.float32).tiny)
"""Scales below are subnormal in f32, or 0."""


@dataclass(frozen=True)
class QuantizationDetails:
    """The output interval, in values, and the number of levels of a FakeQuantize that LPT can decompose."""

    levels: int
    low: Array
    high: Array

    @classmethod
    def of(cls, op: FakeQuantizeOp) -> Self | str:
        """The details, or which of them has no 8-bit form."""
        levels = op.levels.value.data
        if levels not in LEVELS:
            return f"{levels} levels; low precision takes {LEVELS[0]} to {LEVELS[-1]}"
        if (ends := constant_arrays(op.operands[3:])) is None:
            return "an interval that is computed while running; low precision takes constants"
        low, high = ends
        if op.output_type is not None:
            if (dequantization := dequantization_of(op)) is None:
                return "codes that are used as they are"
            low, high = (dequantization.values(limit) for limit in (low, high))
        if not (np.isfinite(low).all() and np.isfinite(high).all()):
            return "an output interval with an end that no numbers express, which is infinite"
        if (low > high).any():
            return (
                "an inverted output interval, whose codes would fall where values rise; negate both ends, and "
                "multiply by -1 behind it"
            )
        if ((low == high) & (low != 0)).any():
            return "a single point other than 0 for output interval, which no scale expresses"
        limits = constant_arrays((op.input_low, op.input_high))
        if limits is not None and ((limits[0] == limits[1]) & (low != high)).any():
            return "an input interval of one point, which is a test and no quantization; give it two ends"
        steps = (high.astype(np.float64) - low) / (levels - 1)
        if ((steps > 0) & (steps < SMALLEST)).any():
            return "an output interval that is too short for f32 to tell its levels apart"
        return cls(levels, low, high)

    @property
    def is_per_tensor(self) -> bool:
        """Whether there is one interval."""
        return self.low.size == self.high.size == 1

    def grid(self, allowed: Sequence[IntegerType]) -> QuantizationGrid:
        """The codes for this interval in one of the allowed types."""
        return choose(self.low, self.high, self.levels, allowed)


def dequantization_of(op: FakeQuantizeOp) -> Dequantization | None:
    """The dequantization that all users of a FakeQuantize's codes share."""
    found = [
        Dequantization.on(use.operation.result) if isinstance(use.operation, DequantizeOp) else None
        for use in op.result.uses
    ]
    if not found or found[0] is None:
        return None
    first = found[0]
    same = all(one is not None and first.same_as(one) for one in found)
    return first if same and first.element == tensor(op.input).element_type else None
