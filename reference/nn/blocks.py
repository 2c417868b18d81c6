"""Padding, and batch, channels and space traded in blocks."""

from __future__ import annotations

import math

import numpy as np

from ...dialects import nn
from ..arrays import Array
from ..meaning import meaning


@meaning(nn.PadOp)
def pad(
    op: nn.PadOp, x: Array, pads_begin: Array, pads_end: Array, pad_value: Array | None = None
) -> Array:
    mode = op.pad_mode.data
    fill = x.dtype.type(0) if pad_value is None else pad_value.reshape(())
    grown = pads_begin.astype(np.int64) + pads_end
    shape = [size + more for size, more in zip(x.shape, grown.tolist(), strict=True)]
    if 0 in shape:
        return np.empty(shape, x.dtype)
    for axis in np.argsort(grown, kind="stable").tolist():  # what shrinks first
        size: int = x.shape[axis]
        places = np.arange(-int(pads_begin[axis]), size + int(pads_end[axis]))
        inside = (places >= 0) & (places < size)
        if mode == "constant":
            part = np.full((*x.shape[:axis], len(places), *x.shape[axis + 1 :]), fill, x.dtype)
            target = [slice(None)] * axis
            part[(*target, inside)] = x[(*target, places[inside])]
            x = part
            continue
        if mode == "reflect":
            places = np.where(places < 0, -places, places)
            places = np.where(places >= size, 2 * (size - 1) - places, places)
        elif mode == "symmetric":
            places = np.where(places < 0, -1 - places, places)
            places = np.where(places >= size, 2 * size - 1 - places, places)
        x = np.take(x, np.clip(places, 0, max(size - 1, 0)), axis)
    return x


@meaning(nn.DepthToSpaceOp)
def depth_to_space(op: nn.DepthToSpaceOp, x: Array) -> Array:
    block, (batch, channels, *sizes) = op.block_size.value.data, x.shape
    rank = len(sizes)
    kept, blocks = channels // block**rank, [block] * rank
    if op.mode.data == "blocks_first":
        parts = x.reshape(batch, *blocks, kept, *sizes)
        order = [0, 1 + rank, *(i for k in range(rank) for i in (2 + rank + k, 1 + k))]
    else:
        parts = x.reshape(batch, kept, *blocks, *sizes)
        order = [0, 1, *(i for k in range(rank) for i in (2 + rank + k, 2 + k))]
    return parts.transpose(order).reshape(batch, kept, *(size * block for size in sizes))


@meaning(nn.SpaceToDepthOp)
def space_to_depth(op: nn.SpaceToDepthOp, x: Array) -> Array:
    block, (batch, channels, *sizes) = op.block_size.value.data, x.shape
    rank, fewer = len(sizes), [size // block for size in sizes]
    parts = x.reshape(batch, channels, *(n for size in fewer for n in (size, block)))
    spaces, blocks = [2 + 2 * k for k in range(rank)], [3 + 2 * k for k in range(rank)]
    first = [*blocks, 1] if op.mode.data == "blocks_first" else [1, *blocks]
    return parts.transpose([0, *first, *spaces]).reshape(batch, channels * block**rank, *fewer)


@meaning(nn.BatchToSpaceOp)
def batch_to_space(
    op: nn.BatchToSpaceOp, x: Array, block_shape: Array, begin: Array, end: Array
) -> Array:
    blocks, rank = [int(size) for size in block_shape[1:]], x.ndim - 1
    batch = x.shape[0] // int(np.prod(block_shape))
    parts = x.reshape(*blocks, batch, *x.shape[1:])
    order = [rank, *(i for k in range(rank) for i in (rank + 1 + k, k))]
    grown = [size * block for size, block in zip(x.shape[1:], blocks, strict=True)]
    whole = parts.transpose(order).reshape(batch, *grown)
    kept = [
        slice(int(first), size - int(last))
        for first, last, size in zip(begin, end, whole.shape, strict=True)
    ]
    return whole[tuple(kept)]


@meaning(nn.SpaceToBatchOp)
def space_to_batch(
    op: nn.SpaceToBatchOp, x: Array, block_shape: Array, begin: Array, end: Array
) -> Array:
    x = np.pad(x, [(int(first), int(last)) for first, last in zip(begin, end, strict=True)])
    blocks, rank = [int(size) for size in block_shape[1:]], x.ndim - 1
    fewer = [size // block for size, block in zip(x.shape[1:], blocks, strict=True)]
    pairs = (n for pair in zip(fewer, blocks, strict=True) for n in pair)
    parts = x.reshape(x.shape[0], *pairs)
    order = [*(2 + 2 * k for k in range(rank)), 0, *(1 + 2 * k for k in range(rank))]
    return parts.transpose(order).reshape(x.shape[0] * math.prod(blocks), *fewer)


@meaning(nn.ShuffleChannelsOp)
def shuffle_channels(op: nn.ShuffleChannelsOp, x: Array) -> Array:
    axis, groups = op.axis.value.data % x.ndim, op.group.value.data
    before, after = x.shape[:axis], x.shape[axis + 1 :]
    parts = x.reshape(*before, groups, x.shape[axis] // groups, *after)
    return parts.swapaxes(axis, axis + 1).reshape(x.shape)
