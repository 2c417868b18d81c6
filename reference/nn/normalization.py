"""Normalizations; sums are made in float64."""

from __future__ import annotations

import numpy as np

from ...dialects import nn
from ..arrays import Array
from ..meaning import meaning


def _axes(axes: Array) -> tuple[int, ...]:
    return tuple(int(axis) for axis in axes.reshape(-1))


@meaning(nn.SoftmaxOp)
def softmax(op: nn.SoftmaxOp, x: Array) -> Array:
    axis = op.axis.value.data
    powers = np.exp(x - x.max(axis=axis, keepdims=True, initial=-np.inf))
    return (powers / powers.sum(axis=axis, keepdims=True, dtype=np.float64)).astype(x.dtype)


@meaning(nn.MvnOp)
def mvn(op: nn.MvnOp, x: Array, axes: Array) -> Array:
    if not x.size:
        return x
    wide, along, eps = x.astype(np.float64), _axes(axes), op.eps.value.data
    centered = wide - wide.mean(axis=along, keepdims=True)
    if not op.normalize_variance:
        return centered.astype(x.dtype)
    variance = np.square(centered).mean(axis=along, keepdims=True)
    inside = op.eps_mode.data == "inside_sqrt"
    with np.errstate(divide="ignore", invalid="ignore"):
        scaled = centered / (np.sqrt(variance + eps) if inside else np.sqrt(variance) + eps)
    return scaled.astype(x.dtype)


@meaning(nn.NormalizeL2Op)
def normalize_l2(op: nn.NormalizeL2Op, x: Array, axes: Array) -> Array:
    wide, eps = x.astype(np.float64), op.eps.value.data
    total = np.square(wide).sum(axis=_axes(axes), keepdims=True)
    with np.errstate(divide="ignore", invalid="ignore"):
        norm = np.sqrt(total + eps if op.eps_mode.data == "add" else np.maximum(total, eps))
        return (wide / norm).astype(x.dtype)
