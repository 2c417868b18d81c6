"""Comparisons, logic and selection."""

from __future__ import annotations

import numpy as np

from ...dialects import nn
from ..arrays import Array
from ..meaning import meaning


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
