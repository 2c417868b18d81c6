"""Sparse tensors of LiteRT files as dense ones."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np
from xdsl.utils.exceptions import DiagnosticException

from ...reference.arrays import Array

DENSE = 0
"""The schema's number for a dimension that lists all of its elements; a sparse one lists indices."""


def dense(values: Array, shape: Sequence[int], sparsity: Any) -> Array:
    """
    The dense tensor of a shape with `values` at the indices that `sparsity` says.

    Dimensions are in traversal order, with those of a block after those of the tensor: the index in the tensor is
    `block * size + index in the block`. Raises DiagnosticException where the parts do not fit each other.
    """
    order = _integers(sparsity.traversalOrder)
    blocks = _integers(sparsity.blockMap)
    rank = len(shape)
    if sorted(order) != list(range(rank + len(blocks))) or len(sparsity.dimMetadata) != len(order):
        raise _damage(f"it goes through the dimensions {order} of {rank} and {len(blocks)}")
    if any(not 0 <= axis < rank for axis in blocks) or len(set(blocks)) < len(blocks):
        raise _damage(f"its blocks are of the dimensions {blocks} of {rank}")
    sizes = {
        rank + i: int(sparsity.dimMetadata[order.index(rank + i)].denseSize)
        for i in range(len(blocks))
    }
    if any(size <= 0 for size in sizes.values()):
        raise _damage(f"its blocks have the sizes {list(sizes.values())}")
    count, places = 1, dict[int, Array]()
    for axis, dimension in zip(order, sparsity.dimMetadata, strict=True):
        source, along = _level(count, dimension, prod(shape))
        places = {known: there[source] for known, there in places.items()} | {axis: along}
        count = len(source)
    if count != len(values):
        raise _damage(f"it has {len(values)} elements, and places for {count}")
    for i, axis in enumerate(blocks):
        places[axis] = places[axis] * sizes[rank + i] + places.pop(rank + i)
    where = tuple(places[axis] for axis in range(rank))
    if any((there >= size).any() for there, size in zip(where, shape, strict=True)):
        raise _damage("an element lies outside of it")
    result = np.zeros(tuple(shape), values.dtype)
    result[where] = values
    return result


def _level(count: int, dimension: Any, most: int) -> tuple[Array, Array]:
    """Which of so many parts each element along one more dimension is in, and its place there."""
    parts = np.arange(count)
    if dimension.format == DENSE:
        size = int(dimension.denseSize)
        if size < 0 or count * size > most:
            raise _damage(f"one of its dimensions has {size} places in each of {count} parts")
        return np.repeat(parts, size), np.tile(np.arange(size), count)
    ends, indices = (_listed(dimension, name) for name in ("arraySegments", "arrayIndices"))
    if len(ends) != count + 1 or ends[0] != 0 or ends[-1] != len(indices) or (indices < 0).any():
        raise _damage(f"one of its dimensions has {len(ends)} segments of {len(indices)} places")
    if (np.diff(ends) < 0).any():
        raise _damage("one of its dimensions has segments that overlap")
    return np.repeat(parts, np.diff(ends)), indices


def _listed(dimension: Any, name: str) -> Array:
    vector = getattr(dimension, name)
    return np.array(_integers(None if vector is None else vector.values), np.int64)


def _integers(numbers: Any) -> list[int]:
    return [] if numbers is None else [int(number) for number in numbers]


def _damage(what: str) -> DiagnosticException:
    return DiagnosticException(f"damaged sparse tensor: {what}; copy the file again")
