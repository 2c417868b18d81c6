"""Filters transformed for Winograd's algorithm, laid out as `WinogradLayout` says."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...dialects import kernel
from ...dialects.kernel import WinogradLayout, winograd_transforms
from ..codegen.schedule.winograd import WinogradShape, winograd_candidates
from ..machine import Isa
from ..tuning_configuration import TuningConfiguration

if TYPE_CHECKING:
    from ...reference.arrays import Array

GAIN = 1.1
"""How many times fewer cycles are worth larger filters."""


def winograd_layouts(op: kernel.ConvolutionOp, isa: Isa, cycles: float) -> list[WinogradLayout]:
    """All layouts that are cheaper than so many cycles by enough, the cheapest first."""
    batch, height, width, units = op.shape
    shape = WinogradShape((batch, height, width), op.channels, units)
    found = winograd_candidates(isa, shape)
    return [layout for cost, layout in found if cost * GAIN < cycles]


def configuration_of(layout: WinogradLayout) -> TuningConfiguration:
    """What may be chosen of a layout."""
    return TuningConfiguration(layout.nr_vectors, (layout.tile, layout.tile, layout.rows))


def pack_winograd(filters: Array, layout: WinogradLayout) -> Array:
    """Transforms and packs filters [N, 3, 3, C]; zeros fill what lies past the last unit."""
    import numpy as np

    matrix = np.array(winograd_transforms(layout.tile).filter)
    units, *_, channels = filters.shape
    tiles, points, _, nr_vectors, lanes, _ = layout.shape(units, channels)
    both = np.kron(matrix, matrix)
    moved = filters.reshape(units, -1, channels).transpose(1, 2, 0).astype(np.float64)
    whole = (both @ moved.reshape(both.shape[1], -1)).reshape(points, channels, units)
    width = nr_vectors * lanes
    padded = np.zeros((points, channels, tiles * width), filters.dtype)
    padded[..., :units] = whole
    packed = padded.reshape(points, channels, tiles, nr_vectors, lanes, 1)
    return np.ascontiguousarray(packed.transpose(2, 0, 1, 3, 4, 5))
