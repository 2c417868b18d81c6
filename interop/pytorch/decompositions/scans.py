"""Running extremes, products and sums of exponentials of PyTorch, in a number of steps that is logarithmic."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from importlib import import_module
from typing import Any

from .elementary import is_narrow, wide
from .table import decomposes_overload


def _scanned(combine: Callable[[Any, Any], Any], x: Any, dim: int) -> Any:
    """`y[i] = combine(x[0], …, x[i])` along `dim`: each step combines with what lies twice as far back."""
    torch, step, length = import_module("torch"), 1, x.shape[dim]
    while step < length:
        head, before, after = (
            x.narrow(dim, start, size)
            for start, size in ((0, step), (0, length - step), (step, length - step))
        )
        x = torch.cat([head, combine(before, after)], dim)
        step *= 2
    return x


def _extreme(name: str, x: Any, dim: int) -> Any:
    """The greatest or the least element so far, and the index of the last of those that equal it."""
    if x.dim() == 0:
        return x.clone(), import_module("torch").zeros_like(x, dtype=import_module("torch").int64)
    if not isinstance(x.shape[dim], int):
        return NotImplemented
    torch = import_module("torch")
    given, x = x.dtype, x.to(torch.int64) if x.dtype == torch.bool else x
    values = _scanned(getattr(torch, name), x, dim)
    places = torch.arange(x.shape[dim]).reshape([-1] + [1] * (x.dim() - 1 - dim % x.dim()))
    attained = torch.where((x == values) | (x != x), places, 0)
    return values.to(given), _scanned(torch.maximum, attained, dim)


for _operator, _name in {"cummax": "maximum", "cummin": "minimum"}.items():
    decomposes_overload(f"{_operator}.default")(partial(_extreme, _name))


@decomposes_overload("cumprod.default")
def _cumprod(x: Any, dim: int, *, dtype: Any = None) -> Any:
    if dtype is not None:
        x = x.to(dtype)
    elif is_narrow(x):
        x = wide(x)
    return _of_a_known_length(import_module("torch").mul, x, dim)


@decomposes_overload("logcumsumexp.default")
def _logcumsumexp(x: Any, dim: int) -> Any:
    return _of_a_known_length(import_module("torch").logaddexp, x, dim)


def _of_a_known_length(combine: Callable[[Any, Any], Any], x: Any, dim: int) -> Any:
    if x.dim() == 0:
        return x.clone()
    return _scanned(combine, x, dim) if isinstance(x.shape[dim], int) else NotImplemented
