"""Picking, repeating and making elements."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...dialects import nn
from ..arrays import Array, dtype_of
from ..meaning import meaning


@meaning(nn.GatherOp)
def gather(op: nn.GatherOp, x: Array, indices: Array, axis: Array) -> Array:
    along, batch = int(axis.item()) % x.ndim, op.batch_dims.value.data
    batch += indices.ndim if batch < 0 else 0
    size = x.shape[along]
    positions = np.where(indices < 0, indices + size, indices).astype(np.int64)
    inside = (positions >= 0) & (positions < size)
    if size:
        positions = np.where(inside, positions, 0)
    else:
        x = np.zeros((*x.shape[:along], 1, *x.shape[along + 1 :]), x.dtype)
        positions = np.zeros_like(positions)
    result = np.empty((*x.shape[:along], *indices.shape[batch:], *x.shape[along + 1 :]), x.dtype)
    for entry in np.ndindex(*x.shape[:batch]):
        taken = np.take(x[entry], positions[entry], along - batch)
        after = (1,) * (x.ndim - along - 1)
        mask = inside[entry].reshape((*inside.shape[batch:], *after))
        result[entry] = np.where(mask, taken, x.dtype.type(0))
    return result


@meaning(nn.StridedSliceOp)
def strided_slice(
    op: nn.StridedSliceOp, x: Array, begin: Array, end: Array, strides: Array | None = None
) -> Array:
    steps = np.ones(len(begin), np.int64) if strides is None else strides
    index: list[Any] = []
    for kind, place, _ in op.entries(len(begin), x.ndim):
        if kind == "keep":
            index.append(slice(None))
        elif kind == "new":
            index.append(None)
        elif kind == "shrink":
            index.append(int(begin[place]))
        else:
            first, last = begin.tolist(), end.tolist()
            index.append(op.limits(place, first, last, int(steps[place])))
    return np.asarray(x[tuple(index)])


@meaning(nn.VariadicSplitOp)
def variadic_split(
    op: nn.VariadicSplitOp, x: Array, axis: Array, split_lengths: Array
) -> tuple[Array, ...]:
    lengths, along = [int(length) for length in split_lengths], int(axis.item())
    left = x.shape[along] - sum(length for length in lengths if length >= 0)
    ends = np.cumsum([left if length == -1 else length for length in lengths])
    return tuple(np.split(x, ends[:-1], along)[: len(lengths)])


@meaning(nn.ReverseSequenceOp)
def reverse_sequence(op: nn.ReverseSequenceOp, x: Array, seq_lengths: Array) -> Array:
    batch, along = op.batch_axis.value.data, op.seq_axis.value.data
    steps = np.moveaxis(np.moveaxis(x, batch, 0), _after(along, batch, x.ndim), 1)
    result = steps.copy()
    for entry, length in enumerate(seq_lengths):
        result[entry, : int(length)] = steps[entry, : int(length)][::-1]
    return np.moveaxis(np.moveaxis(result, 1, _after(along, batch, x.ndim)), 0, batch)


def _after(axis: int, moved: int, rank: int) -> int:
    """Where `axis` is once `moved` went to the front."""
    axis, moved = axis % rank, moved % rank
    return axis + 1 if axis < moved else axis


@meaning(nn.TileOp)
def tile(op: nn.TileOp, x: Array, repeats: Array) -> Array:
    return np.tile(x, tuple(int(count) for count in repeats))


@meaning(nn.RangeOp)
def range_(op: nn.RangeOp, start: Array, stop: Array, step: Array) -> Array:
    dtype = dtype_of(op.output_type)
    numbers = [value.reshape(()) for value in (start, stop, step)]
    if dtype.kind in "iu":
        numbers = [np.trunc(value).astype(np.int64) for value in numbers]
    first, last, by = (value.item() for value in numbers)
    count = max(int(np.ceil((last - first) / by)), 0)
    return (first + by * np.arange(count)).astype(dtype)


@meaning(nn.OneHotOp)
def one_hot(
    op: nn.OneHotOp, indices: Array, depth: Array, on_value: Array, off_value: Array
) -> Array:
    axis = op.axis.value.data % (indices.ndim + 1)
    if not indices.size:
        return np.empty(np.insert(indices.shape, axis, depth.item()), on_value.dtype)
    if op.negative_indices_mode.data == "normalize":
        indices = np.where(indices < 0, indices + depth.item(), indices)
    places = np.arange(int(depth.item())).reshape(-1, *[1] * (indices.ndim - axis))
    return np.where(
        np.expand_dims(indices, axis) == places, on_value.reshape(()), off_value.reshape(())
    )
