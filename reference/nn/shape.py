"""The same data in another shape."""

from __future__ import annotations

import numpy as np

from ...dialects import nn
from ..arrays import Array, dtype_of
from ..meaning import meaning


@meaning(nn.ReshapeOp)
def reshape(op: nn.ReshapeOp, x: Array, shape: Array) -> Array:
    return x.reshape(op.resolve(x.shape, shape.tolist()))


@meaning(nn.SqueezeOp)
def squeeze(op: nn.SqueezeOp, x: Array, axes: Array | None = None) -> Array:
    if axes is None or not axes.size:
        return np.squeeze(x)
    wanted = [int(axis) for axis in axes.reshape(-1)]
    if op.allow_axis_skip:
        wanted = [axis for axis in wanted if x.shape[axis] == 1]
    return np.squeeze(x, tuple(wanted))


@meaning(nn.UnsqueezeOp)
def unsqueeze(op: nn.UnsqueezeOp, x: Array, axes: Array) -> Array:
    return np.expand_dims(x, tuple(int(axis) for axis in axes.reshape(-1)))


@meaning(nn.ShapeOfOp)
def shape_of(op: nn.ShapeOfOp, x: Array) -> Array:
    return np.array(x.shape, dtype_of(op.output_type))


@meaning(nn.BroadcastOp)
def broadcast(op: nn.BroadcastOp, x: Array, target_shape: Array) -> Array:
    target = tuple(int(size) for size in target_shape)
    return np.broadcast_to(x, np.broadcast_shapes(x.shape, target))
