"""
Resize as products with matrices `[after, before]`: the weight of each input element for each result element along one
dimension (https://onnx.ai/onnx/operators/onnx__Resize.html).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.floating[Any]]


@dataclass(frozen=True)
class Resampling:
    """How elements along one dimension are computed; `region` is the part that is read, from 0 to 1."""

    mode: str
    transformation: str
    nearest: str
    antialias: bool
    exclude_outside: bool
    cubic: float
    before: int
    after: int
    scale: float
    region: tuple[float, float] = (0, 1)

    def places(self) -> Array:
        """The positions of the result's elements in the input."""
        index, last, wide = np.arange(self.after), self.before - 1, self.scale * self.before
        middle = (index + 0.5) / self.scale - 0.5
        match self.transformation:
            case "half_pixel":
                return middle
            case "half_pixel_symmetric":
                return self.before / 2 * (1 - self.after / wide) + middle
            case "pytorch_half_pixel":
                return np.full(1, -0.5) if wide == 1 else middle
            case "asymmetric":
                return index / self.scale
            case "tf_half_pixel_for_nn":
                return (index + 0.5) / self.scale
            case "align_corners":
                return index * last / (wide - 1) if wide != 1 else np.zeros(self.after)
            case _:  # tf_crop_and_resize
                begin, end = self.region
                if wide == 1:
                    return np.full(self.after, (begin + end) / 2 * last)
                return begin * last + index * (end - begin) * last / (wide - 1)

    def outside(self) -> npt.NDArray[np.bool_]:
        """Which elements of the result lie outside of the cropped region."""
        places = self.places()
        crops = self.transformation == "tf_crop_and_resize"
        return crops & ((places < 0) | (places > self.before - 1))

    def weights(self) -> Array:
        """
        The matrix. A position between two elements has a base, the first of them, and a fraction of the distance to the
        next.
        """
        places = self.places()
        base: npt.NDArray[np.int64] = np.ceil(places).astype(np.int64) - 1
        parts = self._taps(places - base)
        count: int = parts.shape[1]
        taps = base[:, None] + np.arange(count) + (1 - count // 2)
        if self.exclude_outside:
            parts = np.where((taps < 0) | (taps >= self.before), 0, parts)
            parts = parts / parts.sum(axis=1, keepdims=True)
        matrix = np.zeros((self.after, self.before))
        rows = np.broadcast_to(np.arange(self.after)[:, None], taps.shape)
        np.add.at(matrix, (rows, taps.clip(0, self.before - 1)), parts)
        return matrix

    def _taps(self, fraction: Array) -> npt.NDArray[np.float64]:
        """The weights of as many elements before the position as after it; `fraction` is in (0, 1]."""
        if self.mode == "nearest":
            return self._nearest(fraction)
        narrow = min(self.scale, 1.0) if self.antialias else 1.0
        reach = 1 if self.mode == "linear" else 2
        count = 1 - (math.floor(-reach / narrow) + 1)
        distance = np.abs(np.arange(-count, count + 2) - fraction[:, None]) * narrow
        parts = np.maximum(1 - distance, 0) if reach == 1 else self._cubic(distance)
        return parts / parts.sum(axis=1, keepdims=True)

    def _cubic(self, x: Array) -> npt.NDArray[np.float64]:
        a = self.cubic
        near = ((a + 2) * x - (a + 3)) * x * x + 1
        far = ((a * x - 5 * a) * x + 8 * a) * x - 4 * a
        return np.where(x <= 1, near, np.where(x < 2, far, 0))

    def _nearest(self, fraction: Array) -> npt.NDArray[np.float64]:
        match self.nearest:
            case "round_prefer_floor":
                second = fraction > 0.5
            case "round_prefer_ceil":
                second = fraction >= 0.5
            case "floor":
                second = fraction == 1
            case _:
                second = fraction > 0
        return np.stack([~second, second], axis=1).astype(np.float64)


def region_of(values: Any, axes: list[int]) -> dict[int, tuple[float, float]]:
    """The region of each axis in `roi`, which has the starts of all axes and then the ends."""
    return {
        axis: (float(begin), float(end))
        for axis, begin, end in zip(axes, values[: len(axes)], values[len(axes) :], strict=True)
    }
