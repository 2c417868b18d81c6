"""Bags of embeddings of PyTorch whose padding OpenVINO's front end sums up, and the greatest rows of bags."""

from __future__ import annotations

import math
from importlib import import_module
from typing import Any

from .table import decomposes_call, decomposes_overload

_MODES = ("sum", "mean", "max")
"""As ATen numbers them."""


@decomposes_call("embedding_bag")
def _traced(
    indices: Any,
    weight: Any,
    offsets: Any = None,
    max_norm: Any = None,
    norm_type: float = 2.0,
    scale_grad_by_freq: bool = False,
    mode: str = "mean",
    sparse: bool = False,
    per_sample_weights: Any = None,
    include_last_offset: bool = False,
    padding_idx: int | None = None,
) -> Any:
    if max_norm is not None:
        raise ValueError("embedding_bag changes its table (max_norm); leave max_norm out")
    if padding_idx is None and mode != "max" and not include_last_offset:
        return NotImplemented
    if indices.dim() == 2:
        rows, length = indices.shape
        offsets = import_module("torch").arange(rows) * length
        indices = indices.reshape(-1)
        per_sample_weights = None if per_sample_weights is None else per_sample_weights.reshape(-1)
    padding = -1 if padding_idx is None else padding_idx % weight.shape[0]
    return _bags(mode, weight, indices, offsets, per_sample_weights, include_last_offset, padding)


@decomposes_overload("embedding_bag.padding_idx")
def _exported(weight: Any, *args: Any) -> Any:
    *rest, padding = args
    return _lowered(weight, *rest, -1 if padding is None else padding % weight.shape[0])


@decomposes_overload("_embedding_bag.default", "_embedding_bag_forward_only.default")
def _lowered(
    weight: Any,
    indices: Any,
    offsets: Any,
    scale_grad_by_freq: bool = False,
    mode: int = 0,
    sparse: bool = False,
    per_sample_weights: Any = None,
    include_last_offset: bool = False,
    padding_idx: int = -1,
) -> Any:
    """Of the four results, only the first is used where nothing is trained. Without padding, its index is -1."""
    if padding_idx < 0 and _MODES[mode] != "max" and not include_last_offset:
        return NotImplemented
    result = _bags(
        _MODES[mode], weight, indices, offsets, per_sample_weights, include_last_offset, padding_idx
    )
    return result, *(import_module("torch").empty_like(indices) for _ in range(3))


def _bags(
    mode: str,
    weight: Any,
    indices: Any,
    offsets: Any,
    per_sample_weights: Any,
    include_last_offset: bool,
    padding: int,
) -> Any:
    """
    The rows of each bag, which begins at its offset, summed up; those of the index `padding` are in a bag of their own
    behind the others, which is left out. A bag without rows gives 0.
    """
    torch = import_module("torch")
    if include_last_offset:
        offsets = offsets[:-1]
    bags, width = offsets.shape[0], weight.shape[1]
    places = torch.arange(indices.shape[0])
    bag = (places.unsqueeze(1) >= offsets.unsqueeze(0)).to(torch.int64).sum(1) - 1
    bag = torch.where(indices == padding, torch.full_like(bag, bags), bag)
    rows = weight[indices]
    if per_sample_weights is not None:
        rows = rows * per_sample_weights.unsqueeze(1)
    if mode == "max":
        held = (bag.unsqueeze(0) == torch.arange(bags).unsqueeze(1)).unsqueeze(2)
        greatest = torch.where(held, rows.unsqueeze(0), -math.inf).amax(1)
        return torch.where(held.any(1), greatest, 0)
    zeros, index = torch.zeros(bags + 1, width, dtype=weight.dtype), bag.unsqueeze(1)
    sums = zeros.scatter_add(0, index.expand(-1, width), rows)[:bags]
    if mode == "sum":
        return sums
    count = (bag.unsqueeze(0) == torch.arange(bags).unsqueeze(1)).sum(1, True).clamp(min=1)
    return sums / count
