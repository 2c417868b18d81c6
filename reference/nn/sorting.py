"""The largest or smallest elements."""

from __future__ import annotations

import numpy as np

from ...dialects import nn
from ..arrays import Array, dtype_of
from ..meaning import meaning


@meaning(nn.TopKOp)
def top_k(op: nn.TopKOp, x: Array, k: Array) -> tuple[Array, Array]:
    axis, count = op.axis.value.data % x.ndim, int(k.item())
    rows = np.moveaxis(x, axis, -1)
    if op.mode.data == "max":  # the last of the reversed ones, so that equal ones stay in order
        order = x.shape[axis] - 1 - np.argsort(rows[..., ::-1], -1, kind="stable")[..., ::-1]
    else:
        order = np.argsort(rows, -1, kind="stable")
    order = order[..., :count]
    if op.sort.data == "index":
        order = np.sort(order, -1)
    values = np.take_along_axis(rows, order, -1)
    index = order.astype(dtype_of(op.index_element_type))
    return np.moveaxis(values, -1, axis), np.moveaxis(index, -1, axis)
