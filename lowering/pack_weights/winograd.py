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

    from ...reference.arrays import paged_zeros

    matrix = np.array(winograd_transforms(layout.tile).filter)
    both = np.kron(matrix, matrix)
    units, *_, channels = filters.shape
    packed = paged_zeros(layout.shape(units, channels), filters.dtype)
    width = layout.nr_vectors * layout.lanes
    taps = filters.reshape(units, -1, channels)
    for tile, place in enumerate(packed.reshape(len(packed), -1, channels, width)):
        found = both @ taps[tile * width : (tile + 1) * width].astype(np.float64)
        place[..., : len(found)] = found.transpose(1, 2, 0)
    return packed
