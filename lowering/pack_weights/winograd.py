"""Filters transformed for Winograd's algorithm, laid out as `WinogradLayout` says."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod
from typing import TYPE_CHECKING, Any

from xdsl.ir import Attribute

from ...dialects import kernel
from ...dialects.elements import limits_of
from ...dialects.kernel import WinogradLayout
from ...dialects.kernel.winograd import TAPS
from ..codegen.schedule.winograd import WinogradShape, winograd_candidates
from ..machine import Isa
from ..tuning_configuration import TuningConfiguration

if TYPE_CHECKING:
    import numpy as np

    from ...reference.arrays import Array, Pieces

GAIN, GAIN_OF_CODES = 1.1, 0.98
"""
How many times fewer cycles are worth larger filters, in the eyes of a model whose core multiplies two vectors in a
cycle. A Zen 4 multiplies one, so fewer products save more there: with codes, 11 to 28 % of the time where the model
sees 0.98 to 1.1. Where it sees less, they take longer.
"""


def winograd_layouts(op: kernel.ConvolutionOp, isa: Isa, cycles: float) -> list[WinogradLayout]:
    """All layouts that are cheaper than so many cycles by enough, the cheapest first."""
    shape = WinogradShape.of(op)
    gain = GAIN_OF_CODES if shape.of_codes else GAIN
    return [layout for cost, layout in winograd_candidates(isa, shape) if cost * gain < cycles]


def extreme_sums(filters: Array, code: Attribute) -> tuple[int, int]:
    """The least and the greatest sum of codes of this type times the filters of a unit, whatever the codes."""
    import numpy as np

    limits = np.array(limits_of(code))
    parts = filters.reshape(len(filters), -1)
    up, down = (np.sum(part, 1, np.int64) for part in (np.maximum(parts, 0), np.minimum(parts, 0)))
    lowest, highest = (up * a + down * b for a, b in (limits, limits[::-1]))
    return int(lowest.min()), int(highest.max())


def sums_fit(sums: tuple[int, int], layout: WinogradLayout) -> bool:
    """Whether the bits that are left of sums of codes, from the least to the greatest, say what these are."""
    lowest, highest = sums
    half = 1 << 31 - layout.transforms(True).lost_bits
    return -half <= lowest and highest < half


def configuration_of(layout: WinogradLayout) -> TuningConfiguration:
    """What may be chosen of a layout."""
    return TuningConfiguration(layout.nr_vectors, (layout.tile, layout.tile, layout.rows))


def pack_winograd(filters: Array, layout: WinogradLayout) -> Pieces:
    """Filters [N, 3, 3, C] or [N, T, 3, 3, C], transformed as `WinogradLayout` says."""
    import numpy as np

    from ...reference.arrays import Pieces

    if filters.ndim == 5:
        filters = np.moveaxis(filters, 1, 3).reshape(len(filters), TAPS, TAPS, -1)
    units, *_, channels = filters.shape
    dtype = np.dtype(np.int16) if filters.dtype.kind in "iu" else filters.dtype
    shape = layout.shape(units, channels)
    return Pieces(shape, dtype, lambda: _pieces(filters, layout, dtype))


def _pieces(filters: Array, layout: WinogradLayout, dtype: np.dtype[Any]) -> Iterator[Array]:
    """
    A tile of units at a time, by a product for each step: those are too small for BLAS to share them among threads,
    which cost more than they save. All tiles are computed in the same memory: the system takes longer to give it than
    BLAS to fill it. f32 holds what becomes of codes, integers that i16 holds, too.
    """
    import numpy as np

    of_codes = filters.dtype.kind in "iu"
    computed = np.float32 if of_codes else np.float64
    matrix = np.array(layout.transforms(of_codes).filter, computed)
    both = np.kron(matrix, matrix)
    _, _, steps, *vectors, kr = layout.shape(len(filters), filters.shape[-1])
    width = prod(vectors)
    taps = np.zeros((steps, TAPS * TAPS, width, kr), computed)
    found = np.empty((steps, len(both), width * kr), computed)
    for first in range(0, len(filters), width):
        tile = filters[first : first + width].transpose(3, 1, 2, 0)
        tile = tile.reshape(-1, TAPS * TAPS, tile.shape[-1])
        taps[:, :, tile.shape[-1] :] = 0
        for k in range(kr):
            taps[: len(tile[k::kr]), :, : tile.shape[-1], k] = tile[k::kr]
        np.matmul(both, taps.reshape(steps, TAPS * TAPS, width * kr), out=found)
        yield found.transpose(1, 0, 2).astype(dtype, order="C")
