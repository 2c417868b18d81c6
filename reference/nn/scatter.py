"""Updates of elements at indices that are computed."""

from __future__ import annotations

from collections.abc import Callable
from math import prod

import numpy as np

from ...dialects import nn
from ..arrays import Array
from ..meaning import meaning
from ..scatter import scattered

Combine = Callable[[Array, Array], Array]

COMBINE: dict[str, Combine] = {
    "none": lambda there, update: update,
    "sum": lambda there, update: there + update,
    "sub": lambda there, update: there ^ update if there.dtype == np.bool_ else there - update,
    "prod": lambda there, update: there * update,
    "min": np.minimum,
    "max": np.maximum,
}


@meaning(nn.ScatterUpdateOp)
def scatter_update(
    op: nn.ScatterUpdateOp, data: Array, indices: Array, updates: Array, axis: Array
) -> Array:
    along = int(axis.item()) % data.ndim
    shape = (*data.shape[:along], indices.size, *data.shape[along + 1 :])
    return scattered(data, along, indices.reshape(-1), updates.reshape(shape), COMBINE["none"])


@meaning(nn.ScatterElementsUpdateOp)
def scatter_elements_update(
    op: nn.ScatterElementsUpdateOp, data: Array, indices: Array, updates: Array, axis: Array
) -> Array:
    """Element by element: of each place the list of what is put together there."""
    along, kind = int(axis.item()) % data.ndim, op.reduction.data
    lists: dict[tuple[int, ...], list[Array]] = {}
    for place in np.ndindex(*indices.shape):
        index = int(indices[place])
        if -data.shape[along] <= index < data.shape[along]:
            target = (*place[:along], index % data.shape[along], *place[along + 1 :])
            first = [data[target]] if op.use_init_val and kind != "none" else []
            lists.setdefault(target, first).append(updates[place])
    result = data.copy()
    for target, numbers in lists.items():
        result[target] = _together(kind, np.array(numbers, data.dtype))
    return result


def _together(kind: str, numbers: Array) -> Array:
    combine = COMBINE["sum" if kind == "mean" else kind]
    total = numbers[0]
    for number in numbers[1:]:
        with np.errstate(over="ignore"):
            total = combine(total, number)
    if kind == "mean":
        total = total // len(numbers) if total.dtype.kind in "iu" else total / len(numbers)
    return total


@meaning(nn.ScatterNdUpdateOp)
def scatter_nd_update(
    op: nn.ScatterNdUpdateOp, data: Array, indices: Array, updates: Array
) -> Array:
    named = indices.shape[-1]
    sizes, rows = np.array(data.shape[:named], np.int64), indices.reshape(-1, named)
    rows = np.where(rows < 0, rows + sizes, rows)
    inside = ((rows >= 0) & (rows < sizes)).all(-1)
    strides = np.array([prod(data.shape[i + 1 : named]) for i in range(named)], np.int64)
    flat = np.where(inside, (rows * strides).sum(-1), prod(data.shape[:named]))
    rest = data.shape[named:]
    slices = data.reshape(-1, *rest) if data.size else data.reshape(prod(data.shape[:named]), *rest)
    given = updates.reshape(len(rows), *rest)
    return scattered(slices, 0, flat, given, COMBINE[op.reduction.data]).reshape(data.shape)
