"""The meaning of the `nn` dialect."""

from __future__ import annotations

import numpy as np

from ..dialects import nn
from ..dialects.inferred import tensor
from .arrays import Array, array_of, dtype_of
from .meaning import meaning


@meaning(nn.ConstantOp)
def constant(op: nn.ConstantOp) -> Array:
    return array_of(op.value)


@meaning(nn.ConvertOp)
def convert(op: nn.ConvertOp, x: Array) -> Array:
    with np.errstate(invalid="ignore", over="ignore"):
        return x.astype(dtype_of(op.destination_type))


@meaning(nn.ReluOp)
def relu(op: nn.ReluOp, x: Array) -> Array:
    return np.maximum(x, x.dtype.type(0))


@meaning(nn.SigmoidOp)
def sigmoid(op: nn.SigmoidOp, x: Array) -> Array:
    return logistic(x)


def logistic(x: Array) -> Array:
    """`1 / (1 + exp(-x))` in the type of `x`."""
    one = x.dtype.type(1)
    with np.errstate(over="ignore"):
        return one / (one + np.exp(-x))


@meaning(nn.TanhOp)
def tanh(op: nn.TanhOp, x: Array) -> Array:
    return np.tanh(x)


@meaning(nn.ClampOp)
def clamp(op: nn.ClampOp, x: Array) -> Array:
    low, high = op.min.value.data, op.max.value.data
    if x.dtype.kind in "iu":
        limits = np.iinfo(x.dtype)
        low, high = max(np.ceil(low), limits.min), min(np.floor(high), limits.max)
    return np.clip(x, x.dtype.type(low), x.dtype.type(high))


@meaning(nn.AddOp)
def add(op: nn.AddOp, a: Array, b: Array) -> Array:
    return a + b


@meaning(nn.SubtractOp)
def subtract(op: nn.SubtractOp, a: Array, b: Array) -> Array:
    return a - b


@meaning(nn.MultiplyOp)
def multiply(op: nn.MultiplyOp, a: Array, b: Array) -> Array:
    return a * b


@meaning(nn.DivideOp)
def divide(op: nn.DivideOp, a: Array, b: Array) -> Array:
    with np.errstate(divide="ignore", invalid="ignore"):
        return a / b if a.dtype.kind == "f" else a // b


@meaning(nn.MaximumOp)
def maximum(op: nn.MaximumOp, a: Array, b: Array) -> Array:
    return np.maximum(a, b)


@meaning(nn.MinimumOp)
def minimum(op: nn.MinimumOp, a: Array, b: Array) -> Array:
    return np.minimum(a, b)


@meaning(nn.EqualOp)
def equal(op: nn.EqualOp, a: Array, b: Array) -> Array:
    return np.equal(a, b)


@meaning(nn.NotEqualOp)
def not_equal(op: nn.NotEqualOp, a: Array, b: Array) -> Array:
    return np.not_equal(a, b)


@meaning(nn.LessOp)
def less(op: nn.LessOp, a: Array, b: Array) -> Array:
    return np.less(a, b)


@meaning(nn.LessEqualOp)
def less_equal(op: nn.LessEqualOp, a: Array, b: Array) -> Array:
    return np.less_equal(a, b)


@meaning(nn.GreaterOp)
def greater(op: nn.GreaterOp, a: Array, b: Array) -> Array:
    return np.greater(a, b)


@meaning(nn.GreaterEqualOp)
def greater_equal(op: nn.GreaterEqualOp, a: Array, b: Array) -> Array:
    return np.greater_equal(a, b)


@meaning(nn.LogicalAndOp)
def logical_and(op: nn.LogicalAndOp, a: Array, b: Array) -> Array:
    return np.logical_and(a, b)


@meaning(nn.LogicalOrOp)
def logical_or(op: nn.LogicalOrOp, a: Array, b: Array) -> Array:
    return np.logical_or(a, b)


@meaning(nn.LogicalXorOp)
def logical_xor(op: nn.LogicalXorOp, a: Array, b: Array) -> Array:
    return np.logical_xor(a, b)


@meaning(nn.LogicalNotOp)
def logical_not(op: nn.LogicalNotOp, x: Array) -> Array:
    return np.logical_not(x)


@meaning(nn.SelectOp)
def select(op: nn.SelectOp, condition: Array, then_value: Array, else_value: Array) -> Array:
    return np.where(condition, then_value, else_value)


@meaning(nn.MatMulOp)
def mat_mul(op: nn.MatMulOp, a: Array, b: Array) -> Array:
    if op.transpose_a and a.ndim > 1:
        a = a.swapaxes(-1, -2)
    if op.transpose_b and b.ndim > 1:
        b = b.swapaxes(-1, -2)
    result = dtype_of(tensor(op.result).element_type)
    if result == np.int32 and a.dtype.itemsize == b.dtype.itemsize == 1:
        # Exact: products of 8-bit codes add up far below 2**53.
        return (
            np.matmul(a.astype(np.float64), b.astype(np.float64)).astype(np.int64).astype(np.int32)
        )
    return np.matmul(a, b)


@meaning(nn.ReshapeOp)
def reshape(op: nn.ReshapeOp, x: Array, shape: Array) -> Array:
    target = [int(size) for size in shape]
    if op.special_zero:
        target = [x.shape[i] if size == 0 else size for i, size in enumerate(target)]
    return x.reshape(target)


@meaning(nn.SqueezeOp)
def squeeze(op: nn.SqueezeOp, x: Array, axes: Array | None = None) -> Array:
    if axes is None:
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


@meaning(nn.SplitOp)
def split(op: nn.SplitOp, x: Array, axis: Array) -> tuple[Array, ...]:
    return tuple(np.split(x, op.num_splits.value.data, int(axis)))


@meaning(nn.SliceOp)
def slice_(op: nn.SliceOp, x: Array, start: Array, stop: Array, step: Array, axes: Array) -> Array:
    index = [slice(None)] * x.ndim
    for axis, *limits in zip(axes, start, stop, step, strict=True):
        index[int(axis)] = slice(*map(int, limits))
    return x[tuple(index)]


@meaning(nn.ConcatOp)
def concat(op: nn.ConcatOp, *inputs: Array) -> Array:
    return np.concatenate(inputs, op.axis.value.data)


@meaning(nn.TransposeOp)
def transpose(op: nn.TransposeOp, x: Array, order: Array) -> Array:
    return x.transpose([int(axis) for axis in order] or None)
