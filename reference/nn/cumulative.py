"""Sums of all elements up to each; those of floats are made in float64."""

from __future__ import annotations

import numpy as np

from ...dialects import nn
from ..arrays import Array
from ..meaning import meaning


@meaning(nn.CumSumOp)
def cum_sum(op: nn.CumSumOp, x: Array, axis: Array) -> Array:
    ordered = np.moveaxis(x, int(axis.item()), 0)[:: -1 if op.reverse else 1]
    totals = np.zeros((len(ordered) + 1, *ordered.shape[1:]), _wide(x.dtype))
    with np.errstate(over="ignore", invalid="ignore"):
        np.cumsum(ordered, 0, totals.dtype, totals[1:])
        sums = (totals[:-1] if op.exclusive else totals[1:]).astype(x.dtype)
    return np.moveaxis(sums[:: -1 if op.reverse else 1], 0, int(axis.item()))


def _wide(dtype: np.dtype) -> np.dtype:
    return dtype if dtype.kind in "iu" else np.dtype(np.float64)
