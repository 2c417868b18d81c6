"""Images in another size: along each axis in turn, a matrix that says what elements are made of."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from xdsl.dialects.builtin import TensorType, f64

from ...dialects import nn
from ...dialects.inferred import check_bytes
from ...dialects.nn.interpolate import scaled
from ..arrays import Array
from ..meaning import meaning


@meaning(nn.InterpolateOp)
def interpolate(
    op: nn.InterpolateOp, x: Array, scales_or_sizes: Array, axes: Array | None = None
) -> Array:
    result = np.pad(x, op.padding(x.ndim))
    along = range(x.ndim) if axes is None else [int(axis) % x.ndim for axis in axes]
    for axis, wanted in op.in_turn(zip(along, scales_or_sizes, strict=True)):
        before = result.shape[axis]
        after, scale = size_and_scale(op, before, wanted)
        if op.mode.data == "nearest":
            result = np.take(result, nearest_elements(op, before, after, scale), axis)
        else:
            weights = weights_between(op, before, after, scale)
            wide = np.moveaxis(result, axis, -1).astype(np.float64) @ weights.T
            result = np.moveaxis(wide, -1, axis)
            if op.rounds_each:
                result = _rounded(result, x.dtype)
    return _rounded(result, x.dtype).astype(x.dtype)


def _rounded(numbers: Array, dtype: np.dtype[Any]) -> Array:
    if dtype.kind in "iu" and numbers.dtype.kind == "f":
        limits = np.iinfo(dtype)
        numbers = np.clip(np.rint(numbers), limits.min, limits.max)
    return numbers.astype(dtype) if dtype.kind in "iu" else numbers


def size_and_scale(op: nn.InterpolateOp, before: int, wanted: Any) -> tuple[int, np.float32]:
    """The size of a dimension of the result, and by how much it is larger than before."""
    if op.shape_calculation_mode.data == "sizes":
        return int(wanted), np.float32(wanted) / np.float32(before)
    return scaled(before, float(wanted)), np.float32(wanted)


def nearest_elements(op: nn.InterpolateOp, before: int, after: int, scale: np.float32) -> Array:
    """Which of the elements before each of those after is, with mode `nearest`."""
    return _nearest(op, _places(op, before, after, scale), before, scale)


def weights_between(op: nn.InterpolateOp, before: int, after: int, scale: np.float32) -> Array:
    """
    `[after, before]`: what each element of the result takes of each of the input, with other modes.

    Raises DiagnosticException where it would be too large.
    """
    check_bytes(op, "a matrix", TensorType(f64, [after, before]))
    if (support := PILLOW.get(op.mode.data)) is not None:
        return _pillow_weights(op, before, after, support)
    return _weights(op, _places(op, before, after, scale), before, float(scale))


def _places(op: nn.InterpolateOp, before: int, after: int, scale: np.float32) -> Array:
    """Where in the input the elements of the result lie; in float32, as ties depend on it."""
    index = np.arange(after, dtype=np.float32)
    if scale == 1 or before == after:
        return index
    half = np.float32(0.5)
    match op.coordinate_transformation_mode.data:
        case "half_pixel":
            return (index + half) / scale - half
        case "pytorch_half_pixel":
            return (index + half) / scale - half if after > 1 else np.zeros_like(index)
        case "asymmetric":
            return index / scale
        case "tf_half_pixel_for_nn":
            return (index + half) / scale
        case _:
            if after == 1:
                return np.zeros_like(index)
            return index * np.float32(before - 1) / np.float32(after - 1)


def _nearest(op: nn.InterpolateOp, places: Array, before: int, scale: np.float32) -> Array:
    match op.nearest_mode.data:
        case "round_prefer_floor":
            chosen = np.ceil(places - np.float32(0.5))
        case "round_prefer_ceil":
            chosen = np.floor(places + np.float32(0.5))
        case "floor":
            chosen = np.floor(places)
        case "ceil":
            chosen = np.ceil(places)
        case _:
            chosen = np.ceil(places) if scale < 1 else np.trunc(places)
    return np.clip(chosen, 0, before - 1).astype(np.int64)


def _weights(op: nn.InterpolateOp, places: Array, before: int, scale: float) -> Array:
    exact = places.astype(np.float64)
    match op.mode.data:
        case "linear":
            narrow = scale if op.antialias else 1.0
            distance = narrow * np.abs(exact[:, None] - np.arange(before))
            reach = max(math.ceil(2 / narrow), 2)
            near = np.abs(np.rint(exact)[:, None] - np.arange(before)) <= reach
            weights = np.maximum(1 - distance, 0) * near
            total = weights.sum(axis=1, keepdims=True)
            return weights / np.where(total == 0, 1, total)
        case "linear_onnx":
            clipped = np.clip(exact, 0, before - 1)
            return np.maximum(1 - np.abs(clipped[:, None] - np.arange(before)), 0)
        case _:
            weights = np.zeros((len(exact), before))
            base, rows = np.floor(exact), np.arange(len(exact))
            for tap, part in enumerate(_cubic(op.cube_coeff.value.data, exact - base)):
                columns = np.clip(base + tap - 1, 0, before - 1).astype(np.int64)
                np.add.at(weights, (rows, columns), part)
            return weights


PILLOW = {"bilinear_pillow": 1.0, "bicubic_pillow": 2.0}
"""How far the filters of Pillow reach, in elements of the smaller one of both images."""


def _pillow_weights(op: nn.InterpolateOp, before: int, after: int, support: float) -> Array:
    """A filter around the middle of each element of the result, wider where the image gets smaller."""
    scale = before / max(after, 1)  # a result of no elements has no scale
    wide = max(scale, 1.0)
    centers = (np.arange(after) + 0.5) * scale
    low = np.maximum((centers - support * wide + 0.5).astype(np.int64), 0)[:, None]
    high = np.minimum((centers + support * wide + 0.5).astype(np.int64), before)[:, None]
    elements = np.arange(before)
    distance = np.abs(elements - centers[:, None] + 0.5) / wide
    weights = np.maximum(1 - distance, 0) if support == 1 else _cubic_filter(distance)
    weights = np.where((elements >= low) & (elements < high), weights, 0)
    return weights / weights.sum(axis=1, keepdims=True)


def _cubic_filter(x: Array) -> Array:
    a = -0.5  # Pillow's, whatever `cube_coeff` says
    near = ((a + 2) * x - (a + 3)) * x * x + 1
    far = (((x - 5) * x + 8) * x - 4) * a
    return np.where(x < 1, near, np.where(x < 2, far, 0))


def _cubic(a: float, t: Array) -> tuple[Array, ...]:
    """The weights of the four elements around a place `t` after the second of them."""
    return (
        a * (t - 1) ** 2 * t,
        ((a + 2) * t - (a + 3)) * t * t + 1,
        (((-a - 2) * t + (2 * a + 3)) * t - a) * t,
        -a * t * t * (t - 1),
    )
