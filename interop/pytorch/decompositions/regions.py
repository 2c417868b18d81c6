"""Regions of torchvision in bins that read channels of their own, or whole pixels."""

from __future__ import annotations

import math
from importlib import import_module
from typing import Any

from .table import decomposes_overload


def _pixels(first: Any, size: Any, bins: int, length: int) -> Any:
    """Which of `length` pixels lie in each of the bins of regions: `[region, bin, pixel]`."""
    torch = import_module("torch")
    numbers = torch.arange(bins, dtype=size.dtype)
    begins, sizes = first.unsqueeze(1), (size / bins).unsqueeze(1)
    low = (sizes * numbers).floor() + begins
    high = (sizes * (numbers + 1)).ceil() + begins
    places = torch.arange(length, dtype=size.dtype)
    return (places >= low.unsqueeze(2)) & (places < high.unsqueeze(2))


def _whole(value: Any) -> Any:
    """The nearest whole number, of two the one away from 0."""
    return value.sign() * (value.abs() + 0.5).floor()


def _own_channels(bins: Any, rows: int, columns: int) -> Any:
    """Of `[region, channel, row, column]`, a bin's channel of each group: `[region, group, row, column]`."""
    regions, channels = bins.shape[:2]
    groups, area = channels // (rows * columns), rows * columns
    own = bins.reshape(regions, groups, area * area)[:, :, :: area + 1]
    return own.reshape(regions, groups, rows, columns)


@decomposes_overload("torchvision.ps_roi_align.default")
def _aligned(x: Any, rois: Any, scale: float, rows: int, columns: int, ratio: int) -> Any:
    """The second result says which channels were read, for training."""
    torch = import_module("torch")
    bins = torch.ops.torchvision.roi_align.default(x, rois, scale, rows, columns, ratio, True)
    result = _own_channels(bins, rows, columns)
    return result, torch.zeros_like(result, dtype=torch.int32)


@decomposes_overload("torchvision.ps_roi_pool.default")
def _means(x: Any, rois: Any, scale: float, rows: int, columns: int) -> Any:
    """The mean of the pixels of a bin; an empty one is 0."""
    torch = import_module("torch")
    inside = [each.to(x.dtype) for each in _inside(x, rois, scale, rows, columns, 0)]
    y, x_inside = (each.unsqueeze(1) for each in inside)
    sums = y @ x[rois[:, 0].long()] @ x_inside.transpose(-1, -2)
    count = y.sum(-1).unsqueeze(-1) * x_inside.sum(-1).unsqueeze(-2)
    result = _own_channels(sums / count.clamp(min=1), rows, columns)
    return result, torch.zeros_like(result, dtype=torch.int32)


@decomposes_overload("torchvision.roi_pool.default")
def _greatest(x: Any, rois: Any, scale: float, rows: int, columns: int) -> Any:
    """The greatest pixel of a bin; an empty one is 0."""
    torch = import_module("torch")
    y, x_inside = _inside(x, rois, scale, rows, columns, 1)
    images = x[rois[:, 0].long()].unsqueeze(2)
    of_rows = torch.where(y[:, None, :, :, None], images, -math.inf).amax(3)
    of_bins = torch.where(x_inside[:, None, None], of_rows.unsqueeze(3), -math.inf).amax(4)
    result = torch.where(of_bins == -math.inf, 0, of_bins)
    return result, torch.zeros_like(result, dtype=torch.int32)


def _inside(
    x: Any, rois: Any, scale: float, rows: int, columns: int, further: int
) -> tuple[Any, Any]:
    """Which rows and columns of pixels lie in which of the bins; regions end `further` pixels behind their ends."""
    left, top, right, bottom = (_whole(rois[:, place] * scale) for place in range(1, 5))
    height, width = ((each + further).clamp(min=1) for each in (bottom - top, right - left))
    sizes = x.shape[2:]
    return _pixels(top, height, rows, sizes[0]), _pixels(left, width, columns, sizes[1])
