"""Operators of PyTorch of which OpenVINO's front end leaves arguments out or reads them otherwise."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial
from importlib import import_module
from typing import Any

from .table import decomposes, decomposes_call, decomposes_overload, decomposes_unread


@decomposes("round.decimals")
def _round(x: Any, *, decimals: int = 0) -> Any:
    """The front end leaves `decimals` out."""
    if not decimals:
        return x.round()
    factor = 10.0 ** abs(decimals)
    return (x * factor).round() / factor if decimals > 0 else (x / factor).round() * factor


@decomposes_call("row_stack")
@decomposes("vstack.default")
def _vstack(tensors: Sequence[Any]) -> Any:
    """The front end joins vectors end to end."""
    rows = [each.reshape(1, -1) if each.dim() < 2 else each for each in tensors]
    return import_module("torch").cat(rows, 0)


@decomposes("softplus.default")
def _softplus(x: Any, beta: float = 1, threshold: float = 20) -> Any:
    """The front end leaves out that what is greater than `threshold` stays."""
    if threshold >= 20:
        return NotImplemented
    scaled = x * beta
    return import_module("torch").where(scaled > threshold, x, scaled.exp().log1p() / beta)


@decomposes("any.dims")
def _any(x: Any, dim: Any = None, keepdim: bool = False) -> Any:
    """The front end takes the first of several dimensions alone."""
    if not isinstance(dim, list | tuple):
        return NotImplemented
    dims: list[int] = [*dim] or [*range(x.dim())]
    axes = sorted((axis % max(x.dim(), 1) for axis in dims), reverse=True)
    result = x != 0
    for axis in axes:
        result = result.any(axis, keepdim)
    return result


@decomposes("all.dims")
def _all(x: Any, dim: Any = None, keepdim: bool = False) -> Any:
    found = _any(x == 0, dim, keepdim)
    return found if found is NotImplemented else ~found


@decomposes("cdist.default", "_cdist_forward.default")
def _cdist(a: Any, b: Any, p: float = 2.0, compute_mode: Any = None) -> Any:
    """The front end computes the distance for `p` of 2 from differences that have a sign, for others, too."""
    if p == 2:
        return NotImplemented
    differences = (a.unsqueeze(-2) - b.unsqueeze(-3)).abs()
    if p == 0:
        return (differences != 0).to(a.dtype).sum(-1)
    if p == 1:
        return differences.sum(-1)
    return differences.amax(-1) if math.isinf(p) else (differences**p).sum(-1) ** (1 / p)


def _average_pool(
    dims: int,
    x: Any,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
    divisor_override: Any = None,
) -> Any:
    """Where sizes are rounded up and padding counts, the front end divides the sums of last windows otherwise."""
    if not (ceil_mode and count_include_pad) or divisor_override:
        return NotImplemented
    kernel, pad = _sizes(kernel_size, dims), _sizes(padding, dims)
    steps = _sizes(stride, dims) if stride else kernel
    functional = import_module("torch.nn.functional")
    around = [size for size in reversed(pad) for _ in range(2)]
    pool = getattr(functional, f"avg_pool{dims}d")
    result = pool(functional.pad(x, around), kernel, steps, 0, True, False)
    # A window that begins behind the input and the padding in front of it is left out.
    begins = (
        slice((x.shape[axis] + before - 1) // step + 1)
        for axis, before, step in zip(range(-dims, 0), pad, steps, strict=True)
    )
    return result[(..., *begins)]


def _sizes(given: Any, dims: int) -> list[int]:
    """One number for each dimension; there may be one for all."""
    sizes: list[int] = [*given] if isinstance(given, list | tuple) else [given]
    return sizes * dims if len(sizes) == 1 else sizes


for _dims in (1, 2, 3):
    decomposes(f"avg_pool{_dims}d.default")(partial(_average_pool, _dims))


@decomposes_call("instance_norm")
def _instance_norm(
    x: Any, running_mean: Any = None, running_var: Any = None, *rest: Any, **named: Any
) -> Any:
    """The front end takes running statistics although the input's are asked for; of an exported program it does not."""
    asked = named.get("use_input_stats", rest[2] if len(rest) > 2 else True)
    if asked and running_mean is not None:
        raise ValueError("instance_norm is given statistics that it does not use")
    return NotImplemented


@decomposes_call("unfold")
def _unfold(x: Any, *args: Any, **named: Any) -> Any:
    """The front end computes the number of columns from the batch; of an exported program it does not."""
    if x.dim() == 4 and x.shape[0] == 0:
        raise ValueError("unfold is given an empty batch")
    return NotImplemented


@decomposes("cumsum.default")
def _cumsum(x: Any, dim: int, *, dtype: Any = None) -> Any:
    """The front end adds booleans and narrow integers up in their own type; PyTorch does so in 64 bits."""
    return NotImplemented if dtype or not is_narrow(x) else wide(x).cumsum(dim)


@decomposes("prod.default", "prod.dim_int")
def _prod(x: Any, *args: Any, dtype: Any = None, **named: Any) -> Any:
    """Products are alike."""
    return NotImplemented if dtype or not is_narrow(x) else wide(x).prod(*args, **named)


def is_narrow(x: Any) -> bool:
    return not (x.is_floating_point() or x.is_complex() or x.element_size() == 8)


def wide(x: Any) -> Any:
    return x.to(import_module("torch").int64)


@decomposes_call("frac")
@decomposes_overload("frac.default")
def _frac(x: Any) -> Any:
    return x - _trunc(x)


@decomposes_overload("trunc.default")
def _trunc(x: Any) -> Any:
    """The front end has no rule for it in exported programs."""
    return NotImplemented if not x.is_floating_point() else x.sign() * x.abs().floor()


@decomposes_overload("exp2.default")
def _exp2(x: Any) -> Any:
    return import_module("torch").pow(2.0, x)


@decomposes_overload("sub.Scalar")
def _subtract(x: Any, other: Any, alpha: Any = 1) -> Any:
    return x - other * alpha


@decomposes_overload("addbmm.default")
def _addbmm(x: Any, a: Any, b: Any, *, beta: Any = 1, alpha: Any = 1) -> Any:
    product = import_module("torch").bmm(a, b).sum(0) * alpha
    return x * beta + product if beta else product


@decomposes_overload("masked_select.default")
def _masked_select(x: Any, mask: Any) -> Any:
    x, mask = import_module("torch").broadcast_tensors(x, mask)
    return x[mask]


@decomposes_overload("index_reduce.default")
def _index_reduce(
    x: Any, dim: int, index: Any, source: Any, reduce: str, *, include_self: bool = True
) -> Any:
    shape = [-1 if axis == dim % x.dim() else 1 for axis in range(x.dim())]
    places = index.to(import_module("torch").int64).reshape(shape).expand(source.shape)
    return x.scatter_reduce(dim, places, source, reduce, include_self=include_self)


@decomposes_overload("scatter_reduce.two")
def _scatter_reduce(
    x: Any, dim: int, index: Any, source: Any, reduce: str, *, include_self: bool = True
) -> Any:
    """Elements that are not reduced with what others are become what changes none of those."""
    if include_self:
        return NotImplemented
    torch = import_module("torch")
    if reduce == "mean":
        x = x.scatter(dim, index, 0)
        sums = x.scatter_reduce(dim, index, source, "sum")
        counts = torch.zeros_like(x).scatter_reduce(dim, index, torch.ones_like(source), "sum")
        counts = counts.clamp(min=1)
        return sums / counts if x.is_floating_point() else sums // counts
    if x.is_floating_point():
        least, most = -math.inf, math.inf
    else:
        least, most = torch.iinfo(x.dtype).min, torch.iinfo(x.dtype).max
    neutral = {"sum": 0, "prod": 1, "amax": least, "amin": most}[reduce]
    return x.scatter(dim, index, neutral).scatter_reduce(dim, index, source, reduce)


@decomposes("bilinear.default")
def _bilinear(input1: Any, input2: Any, weight: Any, bias: Any = None) -> Any:
    """`y[…, k] = Σ x[…, i] * weight[k, i, j] * z[…, j] + bias[k]`"""
    results, size, others = weight.shape
    rows = input1 @ weight.permute(1, 0, 2).reshape(size, results * others)
    sums = (rows.unflatten(-1, (results, others)) * input2.unsqueeze(-2)).sum(-1)
    return sums if bias is None else sums + bias


@decomposes_unread("masked_scatter.default")
def _masked_scatter(x: Any, mask: Any, source: Any) -> Any:
    """Elements of the source, in a row, at those places that the mask names."""
    torch = import_module("torch")
    x, mask = torch.broadcast_tensors(x, mask)
    places = (mask.flatten().to(torch.int64).cumsum(0) - 1).clamp(min=0)
    return torch.where(mask, source.flatten()[places].reshape(mask.shape), x)
