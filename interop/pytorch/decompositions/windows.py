"""Windows and points of PyTorch's tensors that are looked up."""

from __future__ import annotations

from importlib import import_module
from itertools import product
from typing import Any

from .table import decomposes_overload, decomposes_unread


@decomposes_overload("unfold.default")
def _unfold(x: Any, dimension: int, size: int, step: int) -> Any:
    """Windows of `size` elements along a dimension, each `step` behind the one before, as a last dimension."""
    if x.dim() == 0:
        return x.reshape(1)[:size]
    if not isinstance(x.shape[dimension], int):
        return NotImplemented
    torch, dimension = import_module("torch"), dimension % x.dim()
    first = torch.arange((x.shape[dimension] - size) // step + 1) * step
    places = first.unsqueeze(1) + torch.arange(size)
    windows = x.index_select(dimension, places.flatten())
    shape = [*x.shape[:dimension], *places.shape, *x.shape[dimension + 1 :]]
    return windows.reshape(shape).movedim(dimension + 1, -1)


@decomposes_unread("diagonal.default", "diagonal_copy.default")
def _diagonal(x: Any, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Any:
    """The elements of matrices that lie `offset` to the right of the diagonal, as a last dimension."""
    x = x.movedim((dim1, dim2), (-2, -1))
    rows, columns = x.shape[-2:]
    first, next = (offset if offset >= 0 else -offset * columns), columns + 1
    count = max(0, min(rows, columns - offset) if offset >= 0 else min(rows + offset, columns))
    return x.flatten(-2)[..., first : first + count * next : next][..., :count]


_BILINEAR, _NEAREST = range(2)
_ZEROS, _BORDER, _REFLECTION = range(3)
"""As ATen numbers them."""


@decomposes_overload("grid_sampler_3d.default")
def _grid_sample(
    x: Any, grid: Any, interpolation_mode: int, padding_mode: int, align_corners: bool
) -> Any:
    """Points of volumes [N, C, D, H, W] at places [N, D', H', W', 3], whose last dimension names W first."""
    torch = import_module("torch")
    sizes = x.shape[2:]
    places = [
        _place(grid[..., 2 - d], size, padding_mode, align_corners) for d, size in enumerate(sizes)
    ]
    if interpolation_mode == _NEAREST:
        return _looked_up(x, [place.round() for place in places])
    lower = [place.floor() for place in places]
    result = None
    for corner in product((0, 1), repeat=3):
        weight = torch.ones_like(places[0])
        for place, low, up in zip(places, lower, corner, strict=True):
            weight = weight * (place - low if up else 1 - (place - low))
        found = _looked_up(x, [low + up for low, up in zip(lower, corner, strict=True)])
        part = found * weight.unsqueeze(1)
        result = part if result is None else result + part
    return result


def _place(at: Any, size: int, padding_mode: int, align_corners: bool) -> Any:
    """A place from -1 to 1 as an index, which padding moves inside."""
    at = (at + 1) / 2 * (size - 1) if align_corners else ((at + 1) * size - 1) / 2
    if padding_mode == _ZEROS:
        return at
    if padding_mode == _REFLECTION:
        low, span = (0, size - 1) if align_corners else (-0.5, size)
        if span == 0:
            return at * 0
        turn = (at - low).abs().remainder(2 * span)
        at = low + span - (turn - span).abs()
    return at.clamp(0, size - 1)


def _looked_up(x: Any, places: list[Any]) -> Any:
    """The elements at indices, 0 where one lies outside."""
    torch = import_module("torch")
    index, inside = torch.zeros_like(places[0]), torch.ones_like(places[0], dtype=torch.bool)
    for place, size in zip(places, x.shape[2:], strict=True):
        inside = inside & (place >= 0) & (place <= size - 1)
        index = index * size + place.clamp(0, size - 1)
    rows, channels = x.shape[:2]
    flat = index.to(torch.int64).reshape(rows, 1, -1).expand(rows, channels, -1)
    found = x.flatten(2).gather(2, flat).reshape(rows, channels, *index.shape[1:])
    return found * inside.unsqueeze(1).to(x.dtype)
