"""The meaning of kernels that make their results as wholes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..dialects import kernel
from ..dialects.kernel import body_type, shaped
from .arrays import Array, dtype_of
from .scalar import run_body, stored
from .scatter import scattered


def compute_whole(op: kernel.WholeKernelOp, reads: Sequence[Array]) -> list[Array]:
    """The results; `reads` are the ins."""
    match op:
        case kernel.ScatterOp():
            return [_scatter(op, *reads)]
        case kernel.SortOp():
            return _sort(op, *reads)
        case _:
            raise AssertionError(f"{op.name} has no meaning")


def _scatter(op: kernel.ScatterOp, data: Array, indices: Array, updates: Array) -> Array:
    element = shaped(op.data).get_element_type()
    scalar = dtype_of(body_type(element))

    def combine(there: Array, update: Array) -> Array:
        (made,) = run_body(op.body.block, [there.astype(scalar), update.astype(scalar)])
        return stored(made, element)

    return scattered(data, op.axis.value.data, indices, updates, combine)


def _sort(op: kernel.SortOp, x: Array) -> list[Array]:
    """The room for merging is left with what was merged last: halves that are sorted each."""
    size, count = x.shape[-1], shaped(op.outputs[0]).get_shape()[-1]
    rows = x.reshape(-1, size).astype(dtype_of(body_type(shaped(op.ins[0]).get_element_type())))
    orders = np.zeros((len(rows), size), np.int32)
    rooms = np.zeros((len(rows), size), np.int32)
    half = 1 << max((size - 1).bit_length() - 1, 0)
    for row, order, room in zip(rows, orders, rooms, strict=True):
        order[:] = _order(op, row)
        for first in range(0, size, half):
            room[first : first + half] = first + _order(op, row[first : first + half])
    shape = x.shape[:-1]
    results = [orders[:, :count].reshape(*shape, count), rooms.reshape(x.shape)]
    return results[: len(op.outputs)]


def _order(op: kernel.SortOp, row: Array) -> Array:
    """Each element stands behind what is before it, and what is equal and comes first."""
    left, right = np.broadcast_arrays(row[:, None], row[None, :])
    (before,) = run_body(op.body.block, [left, right])
    equal = ~before & ~before.T
    ranks = (before | np.triu(equal, 1)).sum(0)
    order = np.empty(len(row), np.int32)
    order[ranks] = np.arange(len(row), dtype=np.int32)
    return order
