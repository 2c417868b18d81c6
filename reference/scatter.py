"""Scattering: what is at places along an axis becomes a function of itself and of updates, one after the other."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from .arrays import Array


def scattered(
    data: Array, axis: int, indices: Array, updates: Array, combine: Callable[[Array, Array], Array]
) -> Array:
    """
    `data`, but `result[q] = combine(result[q], updates[p])` for each index p of the updates in order: q is p with
    `indices[p]` along `axis`, or `indices[p[axis]]` of a vector. Negative indices count from the end; those that lie
    outside then change nothing.
    """
    result = data.copy()
    rows, given, size = (
        np.moveaxis(result, axis, 0),
        np.moveaxis(updates, axis, 0),
        data.shape[axis],
    )
    index = indices.astype(np.int64)
    if indices.ndim > 1:
        index = np.broadcast_to(np.moveaxis(index, axis, 0), given.shape)
    index = np.where(index < 0, index + size, index)
    sources = np.nonzero((index >= 0) & (index < size))
    targets = (index[sources], *sources[1:])
    for turn in _turns(np.ravel_multi_index(targets, rows.shape[: index.ndim])):
        where = tuple(part[turn] for part in targets)
        rows[where] = combine(rows[where], given[tuple(part[turn] for part in sources)])
    return result


def _turns(numbers: Array) -> Iterator[Array]:
    """The places of the first of each of the numbers, of the second of each, and so on."""
    order = np.argsort(numbers, kind="stable")
    turn = np.arange(len(order)) - np.searchsorted(numbers[order], numbers[order])
    ends = np.cumsum(np.bincount(turn))
    return iter(np.split(order[np.argsort(turn, kind="stable")], ends)[:-1])
