"""Images in another size: along each axis in turn, a matrix that says what elements are made of."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
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
    for one in resizings(op, result.shape, along, scales_or_sizes):
        if op.mode.data == "nearest":
            result = np.take(result, nearest_elements(op, one), one.axis)
        else:
            wide = np.moveaxis(result, one.axis, -1).astype(np.float64)
            result = np.moveaxis(wide @ weights_between(op, one).T, -1, one.axis)
            if op.rounds_each:
                result = _rounded(result, x.dtype)
    return _rounded(result, x.dtype).astype(x.dtype)


def _rounded(numbers: Array, dtype: np.dtype[Any]) -> Array:
    if dtype.kind in "iu" and numbers.dtype.kind == "f":
        limits = np.iinfo(dtype)
        numbers = np.clip(np.rint(numbers), limits.min, limits.max)
    return numbers.astype(dtype) if dtype.kind in "iu" else numbers


@dataclass(frozen=True)
class Resizing:
    """What becomes of one axis."""

    axis: int
    before: int
    after: int
    scale: np.float32
    """By how much it is larger than before."""
    narrow: float
    """What `linear` multiplies distances by: the scale with `antialias`, where any of the axes gets smaller."""


def resizings(
    op: nn.InterpolateOp, shape: Sequence[int], axes: Iterable[int], wanted: Iterable[Any]
) -> list[Resizing]:
    """One for each of the axes of a padded input, in the order in which they are computed."""
    pairs = list(zip(axes, wanted, strict=True))
    sizes = [_size_and_scale(op, shape[axis], one) for axis, one in pairs]
    antialias = bool(op.antialias) and any(scale < 1 for _, scale in sizes)
    found = [
        Resizing(axis, shape[axis], after, scale, float(scale) if antialias else 1.0)
        for (axis, _), (after, scale) in zip(pairs, sizes, strict=True)
    ]
    return found[::-1] if op.rounds_each else found


def _size_and_scale(op: nn.InterpolateOp, before: int, wanted: Any) -> tuple[int, np.float32]:
    if op.shape_calculation_mode.data == "sizes":
        return int(wanted), np.float32(wanted) / np.float32(before)
    return scaled(before, float(wanted)), np.float32(wanted)


def nearest_elements(op: nn.InterpolateOp, one: Resizing) -> Array:
    """Which of the elements before each of those after is, with mode `nearest`."""
    places = _places(op, one)
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
            chosen = np.ceil(places) if one.scale < 1 else np.trunc(places)
    return np.clip(chosen, 0, one.before - 1).astype(np.int64)


def weights_between(op: nn.InterpolateOp, one: Resizing) -> Array:
    """
    `[after, before]`: what each element of the result takes of each of the input, with other modes.

    Raises DiagnosticException where it would be too large.
    """
    check_bytes(op, "a matrix", TensorType(f64, [one.after, one.before]))
    if (support := PILLOW.get(op.mode.data)) is not None:
        return _pillow_weights(one, support)
    return _weights(op, one)


def _places(op: nn.InterpolateOp, one: Resizing) -> Array:
    """Where in the input the elements of the result lie; in float32, as ties depend on it."""
    before, after, scale = one.before, one.after, one.scale
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


def _weights(op: nn.InterpolateOp, one: Resizing) -> Array:
    exact, before = _places(op, one).astype(np.float64), one.before
    match op.mode.data:
        case "linear":
            distance = one.narrow * np.abs(exact[:, None] - np.arange(before))
            reach = max(math.ceil(2 / one.narrow), 2)
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


def _pillow_weights(one: Resizing, support: float) -> Array:
    """A filter around the middle of each element of the result, wider where the image gets smaller."""
    before, after = one.before, one.after
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
