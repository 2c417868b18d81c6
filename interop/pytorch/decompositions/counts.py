"""Elements of PyTorch that are counted: histograms and the most frequent ones."""

from __future__ import annotations

import math
from importlib import import_module
from typing import Any

from .table import decomposes_overload


@decomposes_overload("histc.default")
def _histogram(x: Any, bins: int = 100, min: float = 0, max: float = 0) -> Any:
    """How many elements lie in each of `bins` intervals of `[min, max]`; equal ends ask for those of the elements."""
    torch = import_module("torch")
    flat = x.flatten()
    if min == max:
        low, high = (flat.amin(), flat.amax()) if x.numel() else (flat.new_zeros(()),) * 2
        if min:
            low, high = (torch.full_like(each, min) for each in (low, high))
        same = low == high
        low, high = torch.where(same, low - 1, low), torch.where(same, high + 1, high)
    else:
        low, high = min, max
    inside = (flat >= low) & (flat <= high)
    place = ((flat - low) / (high - low) * bins).floor().clamp(max=bins - 1)
    found = (place == torch.arange(bins, dtype=place.dtype).unsqueeze(1)) & inside
    return found.to(x.dtype).sum(1)


@decomposes_overload("mode.default")
def _mode(x: Any, dim: int = -1, keepdim: bool = False) -> Any:
    """The most frequent element, the least of several, and the index of the last one that equals it."""
    torch = import_module("torch")
    if x.dim() == 0:
        return x.clone(), torch.zeros_like(x, dtype=torch.int64)
    rows = x.movedim(dim, -1)
    counts = (rows.unsqueeze(-1) == rows.unsqueeze(-2)).to(torch.int64).sum(-1)
    frequent = counts == counts.amax(-1, True)
    most = math.inf if x.is_floating_point() else torch.iinfo(x.dtype).max
    values = torch.where(frequent, rows, most).amin(-1, True)
    indices = torch.where(rows == values, torch.arange(rows.shape[-1]), -1).amax(-1, True)
    values, indices = values.movedim(-1, dim), indices.movedim(-1, dim)
    return (values, indices) if keepdim else (values.squeeze(dim), indices.squeeze(dim))
