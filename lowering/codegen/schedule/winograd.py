"""Whether a convolution is computed by Winograd's algorithm, and how that goes over its tiles."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from math import prod
from typing import Literal, Self

from xdsl.dialects.builtin import f32

from ....dialects.kernel import INTERPOLATION_POINTS, TAPS, PackedLayout, WinogradLayout
from ...machine import SECOND_LEVEL_BYTES, Isa
from .costs import FAR_BYTES, check_lanes, odd_lines, parts
from .mat_mul import MatMulSchedule, MatMulShape, product_cycles

SCRATCH_BYTES = tuple(SECOND_LEVEL_BYTES * eighths // 8 for eighths in (2, 4, 5))
"""
What the transformed input of a block of tiles may take: it stays in the second-level cache, with room
beside it for filters. Larger blocks read far filters less often.
"""

FLOAT_BYTES = 4

INPUT_CYCLES, OUTPUT_CYCLES = 3, 3
"""What transforming one point of a tile costs, for a vector of channels or units: loads, stores, operations."""

FAR_BYTES_PER_CYCLE = 12
"""What one core reads of filters that only a shared cache or memory holds."""

FEWEST_CHANNELS = 16
"""With fewer channels or units, transforms are most of the work."""

Split = Literal["blocks", "units"]


@dataclass(frozen=True)
class WinogradShape:
    """
    What of a convolution its schedule depends on: `positions` are (batch, height, width) of the output.
    """

    positions: tuple[int, int, int]
    channels: int
    units: int

    def tiles(self, tile: int) -> int:
        """How many tiles of tile x tile positions there are."""
        batch, *sizes = self.positions
        return batch * prod(-(-size // tile) for size in sizes)


@dataclass(frozen=True)
class WinogradSchedule:
    """
    Blocks of `rows` tiles: their input transformed, then for each tile of NR units a product for every point, and the
    output transformed. `row_stride` and `point_stride` are the elements from one tile, and from one point, to the next
    of the transformed input; `sums_stride` those between points of the sums. `split` is the loop that threads divide.
    """

    layout: WinogradLayout
    row_stride: int
    point_stride: int
    sums_stride: int
    split: Split
    product: MatMulSchedule

    @classmethod
    def follow(cls, isa: Isa, shape: WinogradShape, layout: WinogradLayout) -> Self:
        """
        For filters that are packed. Raises DiagnosticException where they were packed for another instruction set.
        """
        check_lanes("kernel.convolution: filters", isa, layout.lanes)
        width, rows = layout.nr_vectors * layout.lanes, layout.rows
        row_stride = _row_stride(shape)
        count = shape.tiles(layout.tile)
        blocks = -(-count // rows)
        tiles = -(-shape.units // width)
        packed = PackedLayout(layout.lanes, layout.kr, layout.nr_vectors)
        product = MatMulSchedule.follow(isa, _product(shape, rows), packed, [0], 1)
        product = product.for_rows(min(rows, count), count % rows)
        return cls(
            layout,
            row_stride,
            odd_lines(rows * row_stride, FLOAT_BYTES),
            odd_lines(rows * width, FLOAT_BYTES),
            "units" if blocks < MANY and tiles > blocks else "blocks",
            replace(product, serpentine=False, panel=-(-rows // product.mr[0]) * product.mr[0]),
        )


MANY = 4
"""Blocks that two threads divide fairly; of fewer, each transforms all input, and computes some units."""


@cache
def winograd_candidates(isa: Isa, shape: WinogradShape) -> Sequence[tuple[float, WinogradLayout]]:
    """What may be chosen, with cycles about, the cheapest first."""
    if min(shape.channels, shape.units) < FEWEST_CHANNELS or not all(shape.positions):
        return ()
    found = [each for tile in INTERPOLATION_POINTS for each in _layouts(isa, shape, tile)]
    return sorted(found, key=lambda each: each[0])


def _layouts(isa: Isa, shape: WinogradShape, tile: int) -> Iterator[tuple[float, WinogradLayout]]:
    """Blocks of about equal size, some of whole register tiles; the smallest first."""
    tiles, points = shape.tiles(tile), (tile + TAPS - 1) ** 2
    seen = set[WinogradLayout]()
    for bytes in SCRATCH_BYTES:
        most = min(tiles, bytes // (points * _row_stride(shape) * FLOAT_BYTES))
        if most < 1:
            continue
        schedule = MatMulSchedule.choose(isa, _product(shape, most))
        mr = schedule.mr[0]
        equal = -(-tiles // -(-tiles // most))
        for rows in (equal // mr * mr, equal, -(-equal // mr) * mr):
            layout = WinogradLayout(isa.lanes, 1, schedule.nr_vectors, tile, rows)
            if 0 < rows <= most and layout not in seen:
                seen.add(layout)
                yield _cost(isa, shape, layout, schedule), layout


def _row_stride(shape: WinogradShape) -> int:
    return odd_lines(shape.channels, FLOAT_BYTES)


def _product(shape: WinogradShape, rows: int) -> MatMulShape:
    """That of one point of all tiles of a block."""
    return MatMulShape(rows, shape.units, [shape.channels], 1, [(f32, f32)])


def _cost(
    isa: Isa, shape: WinogradShape, layout: WinogradLayout, schedule: MatMulSchedule
) -> float:
    """Cycles of the whole convolution, about."""
    tiles, points, vectors = shape.tiles(layout.tile), layout.points, schedule.nr_vectors
    filters = prod(layout.shape(shape.units, shape.channels)) * FLOAT_BYTES
    reading = filters / FAR_BYTES_PER_CYCLE if filters > FAR_BYTES else 0
    channels, units = (-(-n // isa.lanes) for n in (shape.channels, shape.units))
    transforms = points * (channels * INPUT_CYCLES + units * OUTPUT_CYCLES)
    total = tiles * transforms
    for count, rows in parts(tiles, layout.rows):
        product = _product(shape, rows)
        each = product_cycles(isa, product, schedule.products, vectors, schedule.mr[0])
        total += count * max(points * each, reading)
    return total
