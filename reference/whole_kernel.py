"""The meaning of kernels that make their results as wholes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..dialects import kernel
from ..dialects.kernel import body_type, shaped
from .arrays import Array, dtype_of
from .combine import accumulated
from .compressed import split_digits
from .scalar import run_body, stored
from .scatter import scattered


def compute_whole(op: kernel.WholeKernelOp, reads: Sequence[Array]) -> list[Array]:
    """The results; `reads` are the ins."""
    match op:
        case kernel.ScatterOp():
            return [_scatter(op, *reads)]
        case kernel.SortOp():
            return _sort(op, *reads)
        case kernel.OrderOp():
            return _ordered(op, *reads)
        case kernel.ScanOp():
            return [_scan(op, *reads)]
        case kernel.ReduceWindowsOp():
            return [_reduce_windows(op, *reads)]
        case kernel.NonMaxSuppressionOp():
            return _non_max_suppression(op, *reads)
        case kernel.SplitDigitsOp():
            return split_digits(op, *reads)
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
    """
    The room for merging is left with what was merged last: halves that are sorted each. That for selecting is left with
    zeros.
    """
    size, count = x.shape[-1], op.count
    rows = x.reshape(-1, size).astype(dtype_of(body_type(shaped(op.ins[0]).get_element_type())))
    orders = np.zeros((len(rows), size), np.int32)
    rooms = np.zeros((len(rows), size), np.int32)
    half = 1 << max((size - 1).bit_length() - 1, 0)
    for row, order, room in zip(rows, orders, rooms, strict=True):
        order[:] = _order(op, row)
        for first in range(0, size, half):
            room[first : first + half] = first + _order(op, row[first : first + half])
    shape = x.shape[:-1]
    room = op.room_of(size)
    left = rooms if room == size else np.zeros((len(rows), room), np.int32)
    results = [orders[:, :count].reshape(*shape, count), left.reshape(*shape, room)]
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


def _ordered(op: kernel.OrderOp, x: Array) -> list[Array]:
    """Keys are left in their room, zeros in that of words."""
    element = shaped(op.ins[0]).get_element_type()
    (keys,) = run_body(op.body.block, [x.astype(dtype_of(body_type(element)))])
    keys = np.broadcast_to(keys, x.shape)
    order = np.argsort(keys, 1, kind="stable")[:, : op.count].astype(np.int32)
    words = [np.zeros(shaped(each).get_shape(), np.int64) for each in op.outputs[2:]]
    return [order, *[keys] * len(words), *words]


def _scan(op: kernel.ScanOp, x: Array) -> Array:
    given, made = (shaped(value).get_element_type() for value in (op.ins[0], op.outputs[0]))
    carried = np.zeros((x.shape[0], x.shape[2]), dtype_of(op.body.block.args[0].type))
    result = np.empty(x.shape, dtype_of(made))
    lines = range(x.shape[1])
    for i in reversed(lines) if op.reverse else lines:
        element = x[:, i].astype(dtype_of(body_type(given)))
        carried, value = run_body(op.body.block, [carried, element])
        result[:, i] = stored(value, made)
    return result


def _reduce_windows(op: kernel.ReduceWindowsOp, x: Array, begins: Array, ends: Array) -> Array:
    given, made = (shaped(value).get_element_type() for value in (op.ins[0], op.outputs[0]))
    scalar = body_type(given)
    totals = np.empty((len(begins), x.shape[-1]), dtype_of(scalar))
    for window, *limits in zip(range(len(begins)), begins.clip(0), ends.clip(0), strict=True):
        rows = x[tuple(map(slice, *limits))].reshape(-1, x.shape[-1])
        lines = rows.T[:, None].astype(totals.dtype)
        totals[window] = accumulated(lines, op.combiner.data, scalar, 1)
    (result,) = run_body(op.body.block, [totals])
    return stored(result, made)


def _non_max_suppression(
    op: kernel.NonMaxSuppressionOp, boxes: Array, scores: Array
) -> list[Array]:
    """What is left stands at the front of its room, and behind it what was there before."""
    count = shaped(op.outputs[0]).get_shape()[-1]
    taken = np.full((*scores.shape[:-1], count), -1, np.int32)
    taken_scores = np.zeros(taken.shape, scores.dtype)
    left, left_scores = np.zeros(scores.shape, np.int32), np.zeros_like(scores)
    left_boxes = np.zeros(shaped(op.outputs[-1]).get_shape(), boxes.dtype)
    for row, of_class in np.ndindex(scores.shape[:-1]):
        numbers = np.arange(scores.shape[-1], dtype=np.int32)
        values, place = scores[row, of_class], (row, of_class)
        for number in range(count + 1):
            stays = values > -np.inf
            numbers, values = numbers[stays], values[stays]
            left[place][: len(numbers)], left_scores[place][: len(numbers)] = numbers, values
            left_boxes[place][:, : len(numbers)] = boxes[row, numbers].T
            if number == count or not len(numbers):
                break
            best = int(np.argmax(values))
            taken[place][number], taken_scores[place][number] = numbers[best], values[best]
            box = np.broadcast_to(boxes[row, numbers[best]], (len(numbers), boxes.shape[-1]))
            others = boxes[row, numbers]
            (values,) = run_body(op.body.block, [values, *box.T, *others.T])
            values = np.where(np.arange(len(values)) == best, -np.inf, values).astype(scores.dtype)
    return [taken, taken_scores, left, left_scores, left_boxes]
