"""
What becomes of a constant's scales when its codes move.

Scales of one dimension may stand for several while a constant is rearranged: those of the channels and
outputs of a depthwise convolution are along one dimension again where its filters are put together.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from ...reference.arrays import Array
from .tensors import Quantization, Tensor


def moved(source: Tensor, permutation: Sequence[int]) -> Quantization | None:
    """A tensor's quantization when its dimensions are permuted; None where its scales would be torn apart."""
    found = source.quantization
    if found is None or len(found.scales) == 1:
        return found
    places = [permutation.index(axis) for axis in _axes(source.shape, found)]
    together = places == list(range(places[0], places[0] + len(places)))
    return Quantization(found.scales, found.zero_points, places[0]) if together else None


def regrouped(source: Tensor, shape: Sequence[int]) -> Quantization | None:
    """A tensor's quantization under another shape; None where its scales are along no dimensions of that."""
    found = source.quantization
    if found is None or len(found.scales) == 1:
        return found
    before = math.prod(source.shape[: found.axis])
    for axis in range(len(shape)):
        other = Quantization(found.scales, found.zero_points, axis)
        if math.prod(shape[:axis]) == before and shape[axis] != 1 and _axes(shape, other):
            return other
    return None


def _axes(shape: Sequence[int], quantization: Quantization) -> range:
    """The dimensions along which a tensor's scales are; empty where these are not as many."""
    first, count = quantization.axis, len(quantization.scales)
    for last in range(first + 1, len(shape) + 1):
        if math.prod(shape[first:last]) == count:
            return range(first, last)
    return range(0)


def is_kept(source: Tensor) -> bool:
    """Whether a file can say a tensor's scales."""
    found = source.quantization
    return found is None or len(found.scales) == 1 or len(found.scales) == source.shape[found.axis]


def real(codes: Tensor) -> Array:
    """What constant codes stand for."""
    data, quantization = codes.data, codes.quantization
    assert data is not None and quantization is not None
    along = [1] * codes.rank
    if len(quantization.scales) > 1:
        for axis in _axes(codes.shape, quantization):
            along[axis] = codes.shape[axis]
    scales, points = (
        np.array(numbers, np.float64).reshape(along if len(numbers) > 1 else ())
        for numbers in (quantization.scales, quantization.zero_points or (0,))
    )
    return ((data - points) * scales).astype(np.float32)
