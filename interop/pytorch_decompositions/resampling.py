"""Images of PyTorch resized with antialiasing, as products with matrices where OpenVINO's front end has no rule."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from importlib import import_module
from typing import Any

import numpy as np
import numpy.typing as npt

from .table import decomposes_call, decomposes_overload


def _triangle(x: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    return np.maximum(1 - np.abs(x), 0)


def _cubic(x: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Keys' cubic with a = -0.5, as Pillow has it; that without antialiasing has -0.75."""
    a, x = -0.5, np.abs(x)
    near = ((a + 2) * x - (a + 3)) * x**2 + 1
    far = a * (((x - 5) * x + 8) * x - 4)
    return np.where(x < 1, near, np.where(x < 2, far, 0))


_FILTERS: dict[str, tuple[Callable[..., npt.NDArray[np.float64]], int]] = {
    "bilinear": (_triangle, 1),
    "bicubic": (_cubic, 2),
}
"""The filter of a mode, and how far it reaches."""


@decomposes_call("interpolate")
def _traced(
    x: Any,
    size: Any = None,
    scale_factor: Any = None,
    mode: str = "nearest",
    align_corners: bool | None = None,
    recompute_scale_factor: bool | None = None,
    antialias: bool = False,
) -> Any:
    """The front end leaves out `align_corners` where there is antialiasing, and takes sizes for factors."""
    by_factors = size is None and not recompute_scale_factor
    if not (antialias and (align_corners or by_factors)):
        return NotImplemented
    given = scale_factor if size is None else size
    pair: list[Any] = [*given] if isinstance(given, list | tuple) else [given, given]
    if size is None:
        sizes = [int(int(each) * by) for each, by in zip(x.shape[2:], pair, strict=True)]
        return _resized(mode, x, sizes, bool(align_corners), *(pair if by_factors else ()))
    return _resized(mode, x, pair, True)


def _resized(
    mode: str, x: Any, size: Any, align_corners: bool, height: Any = None, width: Any = None
) -> Any:
    """`rows · x · columnsᵀ`, of images of a known size."""
    torch = import_module("torch")
    if not x.is_floating_point():
        raise ValueError(
            f"interpolate: antialiasing of {x.dtype} rounds between; convert to float32"
        )
    rows, columns = (
        torch.from_numpy(_weights(mode, int(before), int(after), align_corners, factor))
        for before, after, factor in zip(x.shape[2:], size, (height, width), strict=True)
    )
    return rows.to(x.dtype) @ x @ columns.to(x.dtype).T


def _weights(
    mode: str, before: int, after: int, align_corners: bool, factor: float | None
) -> npt.NDArray[np.float32]:
    """A row for each element after: the filter about its place before, stretched where sizes shrink; its sum is 1."""
    function, reach = _FILTERS[mode]
    if align_corners:
        step = (before - 1) / (after - 1) if after > 1 else 0.0
    else:
        step = 1 / factor if factor else before / after
    stretch = max(step, 1.0)
    places = step * (np.arange(after)[:, None] + 0.5)
    first = np.maximum((places - reach * stretch + 0.5).astype(np.int64), 0)
    end = np.minimum((places + reach * stretch + 0.5).astype(np.int64), before)
    elements = np.arange(before)
    weights = function((elements - places + 0.5) / stretch)
    weights = np.where((elements >= first) & (elements < end), weights, 0.0)
    return (weights / weights.sum(1, keepdims=True)).astype(np.float32)


def _exported(mode: str, x: Any, size: Any, align_corners: bool, factors: Any) -> Any:
    height, width = factors or (None, None)
    if size is None:
        size = [int(x.shape[2] * height), int(x.shape[3] * width)]
    return _resized(mode, x, size, align_corners, height, width)


for _mode in _FILTERS:
    decomposes_overload(f"_upsample_{_mode}2d_aa.default")(partial(_resized, _mode))
    decomposes_overload(f"_upsample_{_mode}2d_aa.vec")(partial(_exported, _mode))
