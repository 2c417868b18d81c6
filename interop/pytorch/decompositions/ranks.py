"""Elements of PyTorch by their rank, of which OpenVINO's front end has no rule in exported programs, or a wrong one."""

from __future__ import annotations

import math
from importlib import import_module
from typing import Any

from .table import decomposes, decomposes_overload


@decomposes("kthvalue.default")
def _kth_value(x: Any, k: int, dim: int = -1, keepdim: bool = False) -> Any:
    """The k-th least element and its index: the last of the k least."""
    values, indices = (found.narrow(dim, k - 1, 1) for found in x.topk(k, dim, False, True))
    return (values, indices) if keepdim else (values.squeeze(dim), indices.squeeze(dim))


@decomposes("median.default", "median.dim")
def _median(x: Any, dim: int | None = None, keepdim: bool = False) -> Any:
    """The lower one of two medians, and its index; of all elements, without an index."""
    if dim is None:
        return _median(x.flatten(), 0)[0]
    return _kth_value(x, (x.shape[dim] + 1) // 2, dim, keepdim)


@decomposes_overload("nanmedian.default", "nanmedian.dim")
def _nan_median(x: Any, dim: int | None = None, keepdim: bool = False) -> Any:
    """The median of those that are numbers, and its index; NaN where none is."""
    if dim is None:
        return _nan_median(x.flatten(), 0)[0]
    if not x.is_floating_point():
        return _median(x, dim, keepdim)
    torch, numbers = import_module("torch"), x == x
    values, indices = torch.where(numbers, x, math.inf).topk(x.shape[dim], dim, False, True)
    count = numbers.to(torch.int64).sum(dim, True)
    place = (count - 1).clamp(min=0) // 2
    values = torch.where(count > 0, values.gather(dim, place), math.nan)
    indices = indices.gather(dim, place)
    return (values, indices) if keepdim else (values.squeeze(dim), indices.squeeze(dim))


@decomposes_overload("searchsorted.Tensor")
def _search_sorted(
    ordered: Any,
    x: Any,
    *,
    out_int32: bool = False,
    right: bool = False,
    side: str | None = None,
    sorter: Any = None,
) -> Any:
    """How many elements of a row are less than each of `x`, or not greater; of NaN all are."""
    torch = import_module("torch")
    right = right or side == "right"
    if sorter is not None:
        ordered = ordered.gather(-1, sorter)
    if ordered.dim() == 1:
        return torch.bucketize(x, ordered, out_int32=out_int32, right=right)
    row, x = ordered.unsqueeze(-2), x.unsqueeze(-1)
    less = ~(row > x) if right else ~(row >= x)
    return less.to(torch.int64).sum(-1).to(torch.int32 if out_int32 else torch.int64)
