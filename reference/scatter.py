"""Scattering: what is at places along an axis becomes a function of itself and of updates, one after the other."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from .arrays import Array


def scattered(
    data: Array, axis: int, indices: Array, updates: Array, combine: Callable[[Array, Array], Array]
) -> Array:
    """
    `data`, but `result[q] = combine(result[q], updates[p])` for each index p of the updates in order: q is p with
    `indices[p]` along `axis`, or `indices[p[axis]]` of a vector. Negative indices count from the end; those that lie
    outside then change nothing. Only updates that differ along the axis can meet, so it is gone along.
    """
    result = data.copy()
    rows, size = np.moveaxis(result, axis, 0), data.shape[axis]
    for step, update in enumerate(np.moveaxis(updates, axis, 0)):
        given = indices[step] if indices.ndim == 1 else np.moveaxis(indices, axis, 0)[step]
        index = np.broadcast_to(given, update.shape).astype(np.int64)
        index = np.where(index < 0, index + size, index)
        inside = (index >= 0) & (index < size)
        if not inside.any():
            continue
        where = (index[inside], *np.argwhere(inside).T)
        rows[where] = combine(rows[where], update[inside])
    return result
