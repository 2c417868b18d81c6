"""Constants, unary functions, arithmetic with broadcasting, conversion of types."""

from __future__ import annotations

import numpy as np
from xdsl.ir import Attribute

from ...dialects import nn
from ...dialects.elements import bits_of
from ...dialects.inferred import tensor
from ..arrays import Array, array_of, dtype_of, rounded
from ..functions import logistic, power_of, to_integer, truncated_quotient
from ..meaning import meaning


@meaning(nn.ConstantOp)
def constant(op: nn.ConstantOp) -> Array:
    return array_of(op.value)


@meaning(nn.ConvertOp)
def convert(op: nn.ConvertOp, x: Array) -> Array:
    return _converted(x, op.destination_type)


@meaning(nn.BitcastOp)
def bitcast(op: nn.BitcastOp, x: Array) -> Array:
    return x.view(dtype_of(op.destination_type))


@meaning(nn.ConvertLikeOp)
def convert_like(op: nn.ConvertLikeOp, x: Array, like: Array) -> Array:
    return _converted(x, tensor(op.like).element_type)


def _converted(x: Array, element: Attribute) -> Array:
    dtype = dtype_of(element)
    if x.dtype.kind == "f" and dtype.kind in "iu":
        if bits_of(element) < 8:
            return rounded(to_integer(x, np.dtype(np.int32)).astype(dtype), element)
        return to_integer(x, dtype)
    with np.errstate(over="ignore"):
        return rounded(x, element).astype(dtype)


@meaning(nn.ReluOp)
def relu(op: nn.ReluOp, x: Array) -> Array:
    return np.maximum(x, x.dtype.type(0))


@meaning(nn.SigmoidOp)
def sigmoid(op: nn.SigmoidOp, x: Array) -> Array:
    return logistic(x)


@meaning(nn.ClampOp)
def clamp(op: nn.ClampOp, x: Array) -> Array:
    low, high = op.limits
    if x.dtype.kind in "iu":
        limits = np.iinfo(x.dtype)
        low, high = max(np.ceil(low), limits.min), min(np.floor(high), limits.max)
    return np.clip(x, x.dtype.type(low), x.dtype.type(high))


@meaning(nn.DivideOp)
def divide(op: nn.DivideOp, a: Array, b: Array) -> Array:
    with np.errstate(divide="ignore", invalid="ignore"):
        if a.dtype.kind == "f":
            return a / b
        return a // b if op.m_pythondiv else truncated_quotient(a, b)


@meaning(nn.PowerOp)
def power(op: nn.PowerOp, a: Array, b: Array) -> Array:
    with np.errstate(all="ignore"):
        if a.dtype.kind == "f":
            return power_of(a, b)
        below = b < 0
        result = np.power(a, np.where(below, b & 1, b).astype(b.dtype))
        return np.where(below & (np.abs(a) != 1), 0, result).astype(a.dtype)


@meaning(nn.FloorOp)
def floor(op: nn.UnaryOp, x: Array) -> Array:
    return np.floor(x) if x.dtype.kind == "f" else x


@meaning(nn.CeilingOp)
def ceiling(op: nn.UnaryOp, x: Array) -> Array:
    return np.ceil(x) if x.dtype.kind == "f" else x


@meaning(nn.RoundOp)
def round_(op: nn.RoundOp, x: Array) -> Array:
    if x.dtype.kind != "f":
        return x
    if op.mode.data == "half_to_even":
        return np.rint(x)
    with np.errstate(invalid="ignore"):
        fraction, whole = np.modf(x)
        return whole + (np.abs(fraction) >= 0.5) * np.sign(x)
