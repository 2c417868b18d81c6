"""Elements of PyTorch by their rank, of which OpenVINO's front end has no rule in exported programs, or a wrong one."""

from __future__ import annotations

from typing import Any

from .table import decomposes


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
