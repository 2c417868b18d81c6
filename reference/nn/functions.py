"""Functions of one number."""

from __future__ import annotations

import numpy as np

from ...dialects import nn
from ..arrays import Array
from ..meaning import meaning
from ..scalar import error_function


@meaning(nn.ExpOp)
def exp(op: nn.ExpOp, x: Array) -> Array:
    with np.errstate(over="ignore", under="ignore"):
        return np.exp(x)


@meaning(nn.LogOp)
def log(op: nn.LogOp, x: Array) -> Array:
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.log(x)


@meaning(nn.SqrtOp)
def sqrt(op: nn.SqrtOp, x: Array) -> Array:
    with np.errstate(invalid="ignore"):
        return np.sqrt(x)


@meaning(nn.ErfOp)
def erf(op: nn.ErfOp, x: Array) -> Array:
    return error_function(x.astype(np.float64)).astype(x.dtype)


@meaning(nn.AbsOp)
def abs_(op: nn.AbsOp, x: Array) -> Array:
    return np.abs(x)


@meaning(nn.NegativeOp)
def negative(op: nn.NegativeOp, x: Array) -> Array:
    return np.negative(x)


@meaning(nn.FloorOp)
def floor(op: nn.FloorOp, x: Array) -> Array:
    return np.floor(x) if x.dtype.kind == "f" else x


@meaning(nn.CeilingOp)
def ceiling(op: nn.CeilingOp, x: Array) -> Array:
    return np.ceil(x) if x.dtype.kind == "f" else x


@meaning(nn.SignOp)
def sign(op: nn.SignOp, x: Array) -> Array:
    return np.sign(x)


@meaning(nn.RoundOp)
def round_(op: nn.RoundOp, x: Array) -> Array:
    if x.dtype.kind != "f":
        return x
    if op.mode.data == "half_to_even":
        return np.rint(x)
    with np.errstate(invalid="ignore"):
        fraction, whole = np.modf(x)
        return whole + (np.abs(fraction) >= 0.5) * np.sign(x)
