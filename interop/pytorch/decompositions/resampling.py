"""Images of PyTorch resized with antialiasing, as products with matrices where OpenVINO's front end has no rule."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from importlib import import_module
from typing import Any

from .table import decomposes_call, decomposes_overload


def _triangle(x: Any) -> Any:
    return (1 - x.abs()).clamp(min=0)


def _cubic(x: Any) -> Any:
    """Keys' cubic with a = -0.5, as Pillow has it; that without antialiasing has -0.75."""
    a, x = -0.5, x.abs()
    near = ((a + 2) * x - (a + 3)) * x * x + 1
    far = a * (((x - 5) * x + 8) * x - 4)
    return near * (x < 1) + far * ((x >= 1) & (x < 2))


_FILTERS: dict[str, tuple[Callable[[Any], Any], int]] = {
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
    if not x.is_floating_point():
        raise ValueError(
            f"interpolate: antialiasing of {x.dtype} rounds between; convert to float32"
        )
    rows, columns = (
        _weights(mode, int(before), int(after), align_corners, factor).to(x.dtype)
        for before, after, factor in zip(x.shape[2:], size, (height, width), strict=True)
    )
    return rows @ x @ columns.T


def _weights(mode: str, before: int, after: int, align_corners: bool, factor: float | None) -> Any:
    """
    A row for each element after: the filter about its place before, stretched where sizes shrink; its sum is 1. It is
    computed by operators, since PyTorch 2.13 takes no new tensors into a program.
    """
    torch = import_module("torch")
    function, reach = _FILTERS[mode]
    if align_corners:
        step = (before - 1) / (after - 1) if after > 1 else 0.0
    else:
        step = 1 / factor if factor else before / after
    stretch = max(step, 1.0)
    places = (torch.arange(after, dtype=torch.float64).unsqueeze(1) + 0.5) * step
    first = (places - reach * stretch + 0.5).floor().clamp(min=0)
    end = (places + reach * stretch + 0.5).floor().clamp(max=before)
    elements = torch.arange(before, dtype=torch.float64)
    inside = (elements >= first) & (elements < end)
    weights = function((elements - places + 0.5) / stretch) * inside
    return weights / weights.sum(1, keepdim=True)


def _exported(mode: str, x: Any, size: Any, align_corners: bool, factors: Any) -> Any:
    height, width = factors or (None, None)
    if size is None:
        size = [int(x.shape[2] * height), int(x.shape[3] * width)]
    return _resized(mode, x, size, align_corners, height, width)


for _mode in _FILTERS:
    decomposes_overload(f"_upsample_{_mode}2d_aa.default")(partial(_resized, _mode))
    decomposes_overload(f"_upsample_{_mode}2d_aa.vec")(partial(_exported, _mode))
