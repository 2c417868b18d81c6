"""Operations that move data."""

from __future__ import annotations

import numpy as np

from ...dialects import nn
from ..arrays import Array
from ..meaning import meaning


@meaning(nn.SplitOp)
def split(op: nn.SplitOp, x: Array, axis: Array) -> tuple[Array, ...]:
    return tuple(np.split(x, op.num_splits.value.data, int(axis)))


@meaning(nn.SliceOp)
def slice_(op: nn.SliceOp, x: Array, start: Array, stop: Array, step: Array, axes: Array) -> Array:
    index = [slice(None)] * x.ndim
    for axis, first, last, stride in zip(map(int, axes), start, stop, step, strict=True):
        index[axis] = op.part(int(first), int(last), int(stride), x.shape[axis])
    return x[tuple(index)]


@meaning(nn.ConcatOp)
def concat(op: nn.ConcatOp, *inputs: Array) -> Array:
    return np.concatenate(inputs, op.axis.value.data)


@meaning(nn.TransposeOp)
def transpose(op: nn.TransposeOp, x: Array, order: Array) -> Array:
    return x.transpose([int(axis) for axis in order] or None)
