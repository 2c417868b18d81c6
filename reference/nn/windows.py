"""Reductions of windows whose limits are computed; sums are made in float64."""

from __future__ import annotations

import numpy as np

from ...dialects import nn
from ..arrays import Array
from ..meaning import meaning


@meaning(nn.ReduceWindowsOp)
def reduce_windows(op: nn.ReduceWindowsOp, x: Array, begins: Array, ends: Array) -> Array:
    result = np.empty((*begins.shape[:-1], x.shape[-1]), x.dtype)
    for place in np.ndindex(result.shape[:-1]):
        limits = zip(begins[place].clip(0), ends[place].clip(0), strict=True)
        rows, dimensions = x[tuple(slice(*limit) for limit in limits)], tuple(range(x.ndim - 1))
        if op.reduction.data == "sum":
            result[place] = rows.sum(dimensions, np.float64)
        else:
            result[place] = rows.max(dimensions, initial=-np.inf)
    return result
