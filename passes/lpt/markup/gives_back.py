"""FakeQuantize that repeat one further up: codes pass them unchanged."""

from __future__ import annotations

import numpy as np
from xdsl.ir import Operation, SSAValue

from ....dialects.nn import MultiplyOp, ReluOp
from ....dialects.qnn import FakeQuantizeOp
from ....dialects.traits import moved_data
from ....reference.arrays import Array
from ....reference.constants import constant_arrays
from ..attributes import preserves_precision
from ..constants import with_constant
from ..precision import ROUNDING

LowAndHigh = tuple[Array, Array]


def gives_back(op: FakeQuantizeOp) -> bool:
    """
    Whether a FakeQuantize gives each value back that it takes: one above, through what preserves precision, zero
    points too, and multiplications by one number, has as many levels in the same interval.
    """
    levels, own = op.levels.value.data, interval(op.input_low, op.input_high)
    if own is None or not same(own, interval(op.output_low, op.output_high), levels):
        return False
    value, factor = op.input, 1.0
    while isinstance(owner := value.owner, Operation):
        match owner:
            case FakeQuantizeOp():
                above = interval(owner.output_low, owner.output_high)
                scaled = None if above is None else (above[0] * factor, above[1] * factor)
                return owner.levels.value.data == levels and same(own, scaled, levels)
            case MultiplyOp() if (found := with_constant(owner)) is not None:
                value, constant = found
                if constant.size != 1:
                    return False
                factor *= float(constant.flat[0])
            case ReluOp():
                return (
                    False  # it takes codes without a zero point, which a type from below may bring
                )
            case _ if preserves_precision(owner) and len(moved_data(owner)) < 2 and owner.operands:
                value = owner.operands[0]
            case _:
                return False
    return False


def interval(low: SSAValue, high: SSAValue) -> LowAndHigh | None:
    """Both limits, if they are constants."""
    if (limits := constant_arrays((low, high))) is None:
        return None
    least, most = (limit.astype(np.float64) for limit in limits)
    return least, most


def same(one: LowAndHigh, other: LowAndHigh | None, levels: int) -> bool:
    """Whether the ends of two intervals are equal but for rounding."""
    if other is None or any(array.size != 1 for array in (*one, *other)):
        return False
    step = (one[1] - one[0]) / (levels - 1)
    return all(bool((abs(a - b) <= ROUNDING * step).all()) for a, b in zip(one, other, strict=True))
