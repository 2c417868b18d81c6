"""What addition and subtraction of a constant share: it becomes part of the zero point."""

from __future__ import annotations

import numpy as np

from .....dialects.inferred import shape_of
from .....dialects.qnn import DequantizeOp
from .....reference.arrays import Array, dtype_of
from ...constants import is_finite, shape_error
from ...dequantization import Dequantization, broadcast_to_rank, dequantize
from ...precision import ROUNDING, rounding_in, whole


def shifted(dequantization: Dequantization, amount: Array) -> DequantizeOp | str:
    """
    `dq(q) + amount = dq'(q)` with `zero_point' = zero_point - amount / scale`; or why there is no `dq'`.

    A zero point that is whole but for the rounding of these numbers becomes whole.
    """
    shape = shape_of(dequantization.codes)
    if (reason := shape_error(amount, shape)) is not None:
        return reason
    scale = dequantization.scale.astype(np.float64)
    if (scale == 0).any():
        return "its input has a scale of 0, which no zero point can shift"
    offset = broadcast_to_rank(amount.astype(np.float64), len(shape)) / scale
    least = rounding_in(dtype_of(dequantization.element)) if dequantization.is_low else 0
    rounding = np.clip(4 * np.finfo(amount.dtype).eps * np.abs(offset), least, ROUNDING)
    zero_point = whole(dequantization.zero_point - offset, rounding)
    if not is_finite(zero_point):
        return "its constant is too large beside the scale of its input"
    return dequantize(
        dequantization.codes, dequantization.scale, zero_point, dequantization.element
    )
