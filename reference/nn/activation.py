"""Activation functions with parameters, or beyond the basic ones."""

from __future__ import annotations

import math

import numpy as np

from ...dialects import nn
from ..arrays import Array
from ..functions import complement, logistic
from ..meaning import meaning


@meaning(nn.EluOp)
def elu(op: nn.EluOp, x: Array) -> Array:
    alpha = x.dtype.type(op.alpha.value.data)
    return np.where(x > 0, x, alpha * np.expm1(np.minimum(x, 0)))


@meaning(nn.GeluOp)
def gelu(op: nn.GeluOp, x: Array) -> Array:
    """`x` times what of a normal distribution lies below it."""
    wide = x.astype(np.float64)
    if op.approximation_mode.data == "tanh":
        below = logistic(2 * math.sqrt(2 / math.pi) * (wide + 0.044715 * wide**3))
    else:
        below = complement(-wide / math.sqrt(2)) / 2
    return (wide * below).astype(x.dtype)


@meaning(nn.SoftPlusOp)
def soft_plus(op: nn.SoftPlusOp, x: Array) -> Array:
    return np.logaddexp(0, x.astype(np.float64)).astype(x.dtype)
