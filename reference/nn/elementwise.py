"""Constants, unary functions, arithmetic with broadcasting, conversion of types."""

from __future__ import annotations

import numpy as np
from xdsl.dialects.builtin import BFloat16Type

from ...dialects import nn
from ..arrays import Array, array_of, bf16_words, dtype_of, of_bf16_words
from ..meaning import meaning


@meaning(nn.ConstantOp)
def constant(op: nn.ConstantOp) -> Array:
    return array_of(op.value)


@meaning(nn.ConvertOp)
def convert(op: nn.ConvertOp, x: Array) -> Array:
    with np.errstate(invalid="ignore", over="ignore"):
        result = x.astype(dtype_of(op.destination_type))
    if isinstance(op.destination_type, BFloat16Type):
        return np.asarray(of_bf16_words(bf16_words(result)))
    return result


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


@meaning(nn.PowerOp)
def power(op: nn.PowerOp, a: Array, b: Array) -> Array:
    with np.errstate(all="ignore"):
        if a.dtype.kind == "f":
            return np.power(a, b)
        return np.power(a.astype(np.float64), b).astype(a.dtype)


@meaning(nn.SquaredDifferenceOp)
def squared_difference(op: nn.SquaredDifferenceOp, a: Array, b: Array) -> Array:
    return np.square(a - b)


@meaning(nn.FloorModOp)
def floor_mod(op: nn.FloorModOp, a: Array, b: Array) -> Array:
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.mod(a, b)
