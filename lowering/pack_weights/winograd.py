"""Filters transformed for Winograd's algorithm, laid out as `WinogradLayout` says."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.ir import Attribute

from ...dialects import kernel
from ...dialects.elements import limits_of
from ...dialects.kernel import WinogradLayout
from ..codegen.schedule.winograd import WinogradShape, winograd_candidates
from ..machine import Isa
from ..tuning_configuration import TuningConfiguration

if TYPE_CHECKING:
    from ...reference.arrays import Array

GAIN = 1.1
"""How many times fewer cycles are worth larger filters."""


def winograd_layouts(op: kernel.ConvolutionOp, isa: Isa, cycles: float) -> list[WinogradLayout]:
    """All layouts that are cheaper than so many cycles by enough, the cheapest first."""
    found = winograd_candidates(isa, WinogradShape.of(op))
    return [layout for cost, layout in found if cost * GAIN < cycles]


def sums_fit(filters: Array, layout: WinogradLayout, code: Attribute) -> bool:
    """Whether the bits that are left of the sums of codes say what these are, whatever the codes."""
    import numpy as np

    limits = np.array(limits_of(code))
    bits = 32 - layout.transforms(True).lost_bits
    parts = filters.reshape(len(filters), -1)
    up, down = (np.sum(part, 1, np.int64) for part in (np.maximum(parts, 0), np.minimum(parts, 0)))
    lowest, highest = (up * a + down * b for a, b in (limits, limits[::-1]))
    return bool(np.all(-(1 << bits - 1) <= lowest) and np.all(highest < 1 << bits - 1))


def configuration_of(layout: WinogradLayout) -> TuningConfiguration:
    """What may be chosen of a layout."""
    return TuningConfiguration(layout.nr_vectors, (layout.tile, layout.tile, layout.rows))


def pack_winograd(filters: Array, layout: WinogradLayout) -> Array:
    """Transforms and packs filters [N, 3, 3, C]; zeros fill what lies past the last unit or channel."""
    import numpy as np

    from ...reference.arrays import paged_zeros

    of_codes = filters.dtype.kind in "iu"
    matrix = np.array(layout.transforms(of_codes).filter, np.float64)
    both = np.kron(matrix, matrix)
    units, *_, channels = filters.shape
    shape = layout.shape(units, channels)
    packed = paged_zeros(shape, np.dtype(np.int16) if of_codes else filters.dtype)
    width = layout.nr_vectors * layout.lanes
    taps = filters.reshape(units, -1, channels)
    for tile, place in enumerate(packed.reshape(len(packed), -1, shape[2], width, layout.kr)):
        found = both @ taps[tile * width : (tile + 1) * width].astype(np.float64)
        for k in range(layout.kr):
            part = found[..., k :: layout.kr].transpose(1, 2, 0)
            place[:, : part.shape[1], : len(found), k] = part
    return packed
