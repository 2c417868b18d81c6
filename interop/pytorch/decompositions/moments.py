"""Variances and standard deviations of PyTorch, of whose corrections OpenVINO's front end knows only 0 and 1."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, cast

from .table import Decomposition, decomposes


def _moments(
    x: Any,
    dim: Any = None,
    unbiased: bool = True,
    keepdim: bool = False,
    *,
    correction: Any = None,
) -> Any:
    """
    The variance and the mean over `dim`, over all dimensions where it is None or empty: `sum((x - mean)²)` is divided
    by the number of elements less the correction, and by 0 where that is less than 0.
    """
    if isinstance(dim, bool):
        dim, unbiased = None, dim
    if correction is None:
        correction = int(unbiased)
    if x.is_complex() or (dim is not None and correction in (0, 1)):
        return NotImplemented
    dims: Sequence[int] = [dim] if isinstance(dim, int) else [*(dim or range(x.dim()))]
    count = 1
    for axis in dims:
        count = count * x.shape[axis]
    squares = (x - x.mean(dims, True)) ** 2
    return squares.sum(dims, keepdim) / max(count - correction, 0), x.mean(dims, keepdim)


def _variance(*args: Any, **named: Any) -> Any:
    found = _moments(*args, **named)
    return found if found is NotImplemented else found[0]


def _with_root(moments: Decomposition, *args: Any, **named: Any) -> Any:
    """What `moments` gives, and the root of the variance in place of it."""
    found = moments(*args, **named)
    if found is NotImplemented:
        return found
    if isinstance(found, tuple):
        variance, mean = cast("tuple[Any, Any]", found)
        return variance.sqrt(), mean
    return found.sqrt()


for _name, _decomposition in {
    "var": _variance,
    "var_mean": _moments,
    "std": partial(_with_root, _variance),
    "std_mean": partial(_with_root, _moments),
}.items():
    decomposes(*(f"{_name}.{overload}" for overload in ("default", "dim", "correction")))(
        _decomposition
    )
