"""Reductions; sums are made in float64."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...dialects.nn import reduction as nn
from ..arrays import Array, ends_of_type
from ..functions import to_integer
from ..meaning import meaning


def _along(op: nn.ReduceOp, axes: Array) -> dict[str, Any]:
    return {"axis": tuple(int(axis) for axis in axes.reshape(-1)), "keepdims": bool(op.keep_dims)}


def _wide(x: Array) -> Array:
    return x.astype(np.float64) if x.dtype.kind == "f" else x


@meaning(nn.ReduceSumOp)
def reduce_sum(op: nn.ReduceSumOp, x: Array, axes: Array) -> Array:
    return _wide(x).sum(**_along(op, axes)).astype(x.dtype)


@meaning(nn.ReduceMeanOp)
def reduce_mean(op: nn.ReduceMeanOp, x: Array, axes: Array) -> Array:
    total, parts = (
        part.sum(**_along(op, axes)) for part in (x.astype(np.float64), np.ones_like(x, np.int64))
    )
    means = total / np.maximum(parts, 1)
    return to_integer(means, x.dtype) if x.dtype.kind in "iu" else means.astype(x.dtype)


@meaning(nn.ReduceProdOp)
def reduce_prod(op: nn.ReduceProdOp, x: Array, axes: Array) -> Array:
    with np.errstate(over="ignore"):
        return _wide(x).prod(**_along(op, axes)).astype(x.dtype)


@meaning(nn.ReduceMaxOp)
def reduce_max(op: nn.ReduceMaxOp, x: Array, axes: Array) -> Array:
    return x.max(**_along(op, axes), initial=ends_of_type(x.dtype)[0])


@meaning(nn.ReduceMinOp)
def reduce_min(op: nn.ReduceMinOp, x: Array, axes: Array) -> Array:
    return x.min(**_along(op, axes), initial=ends_of_type(x.dtype)[1])


@meaning(nn.ReduceLogicalAndOp)
def reduce_logical_and(op: nn.ReduceLogicalAndOp, x: Array, axes: Array) -> Array:
    return np.asarray(x.all(**_along(op, axes)))


@meaning(nn.ReduceLogicalOrOp)
def reduce_logical_or(op: nn.ReduceLogicalOrOp, x: Array, axes: Array) -> Array:
    return np.asarray(x.any(**_along(op, axes)))
