"""Pooling."""

from __future__ import annotations

import numpy as np

from ...dialects import nn
from ..arrays import Array, ends_of_type
from ..meaning import meaning
from .window import views


@meaning(nn.MaxPoolOp)
def max_pool(op: nn.MaxPoolOp, x: Array) -> Array:
    window = op.pooling_window()
    return views(op, x, window, ends_of_type(x.dtype)[0]).max(axis=_elements(x))


@meaning(nn.AvgPoolOp)
def avg_pool(op: nn.AvgPoolOp, x: Array) -> Array:
    window = op.pooling_window()
    ones = np.ones((1, 1, *x.shape[2:]), np.int64)
    counts = views(op, ones, window, int(op.counts_outside())).sum(axis=_elements(x))
    if x.dtype.kind == "f":
        # A window of nothing but padding gives 0.
        sums = views(op, x, window, 0).sum(axis=_elements(x), dtype=np.float64)
        return (sums / np.maximum(counts, 1)).astype(x.dtype)
    sums = views(op, x.astype(np.float64), window, 0).sum(axis=_elements(x))
    rounded = np.rint if x.dtype.itemsize == 1 else np.trunc
    return rounded(sums / np.maximum(counts, 1)).astype(x.dtype)


def _elements(x: Array) -> tuple[int, ...]:
    """The dimensions of a view that run over the elements of the window."""
    return tuple(range(x.ndim, 2 * x.ndim - 2))
