"""Whether a convolution is computed by Winograd's algorithm, and how that goes over its tiles."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import product as every
from math import prod
from typing import Literal, Self

from xdsl.dialects.builtin import IntegerType, f32, i16
from xdsl.ir import Attribute

from ....dialects.elements import bits_of
from ....dialects.kernel import (
    INTERPOLATION_POINTS,
    TAPS,
    ConvolutionOp,
    PackedLayout,
    WinogradLayout,
)
from ...machine import SECOND_LEVEL_BYTES, Isa
from .costs import check_lanes, odd_lines, parts
from .mat_mul import MatMulSchedule
from .register_tiles import MatMulShape, product_cycles

SCRATCH_PARTS: dict[Attribute, tuple[int, ...]] = {f32: (8, 16, 20), i16: (4, 8, 12)}
"""
What the transformed input of a block of tiles may take of the second-level cache, in parts of 32. There is room beside
it for filters and sums, twice as large as codes are. Larger blocks read far filters less often.
"""

NARROW_VECTORS, NARROW_PARTS = 2, (4, 6, 9, 12)
"""
The vectors of units, and such parts, where register tiles of codes are narrow, with 16 registers: the transformed input
is read more often.
"""

NARROW_FAR_PARTS, ONLY_FAR_PARTS = 9, 18
"""From what part on it then comes from a farther cache, and that of the only block of few tiles."""

NARROW_FILTERS_PER_CYCLE = 24
"""Bytes of filters that are read of a shared cache meanwhile."""

SUM_BYTES = 4
"""Of a float or of an integer that codes are summed up in."""

INPUT_CYCLES, OUTPUT_CYCLES = 3, 3
"""What transforming one point of a tile costs, for a vector of channels or units: loads, stores, operations."""

FAR_BYTES_PER_CYCLE = 12
"""What one core reads of a shared cache."""

EXPOSED = 0.25
"""
The part of it that products of codes do not hide, on Emerald Rapids: 256 to 256 channels at 32 x 32 take 1.58 ms in 8
blocks of 8 tiles, 1.10 in 4 of 16. Register tiles of floats have more rows, and multiply longer by what they read.
"""

SHARED_BYTES = 16 << 20
"""
Filters of more do not stay in a cache that is shared with others while a block reads them: half that of a Zen 3, whose
other half has what lies beside.
"""

FEWEST_CHANNELS = 16
"""With fewer channels or units, transforms are most of the work."""

Split = Literal["blocks", "units"]


@dataclass(frozen=True)
class WinogradShape:
    """
    What of a convolution its schedule depends on: `positions` are (images, height, width) of the output. Planes of a
    volume are images, and those that a window reads are `channels` side by side. It is one `of_codes` or of floats.
    """

    positions: tuple[int, int, int]
    channels: int
    units: int
    of_codes: bool = False

    @classmethod
    def of(cls, op: ConvolutionOp) -> Self:
        """The shape of an operation."""
        *images, height, width, units = op.shape
        is_of_codes = isinstance(op.accumulator, IntegerType)
        channels = op.plane_taps * op.channels
        return cls((prod(images), height, width), channels, units, is_of_codes)

    def tiles(self, tile: int) -> int:
        """How many tiles of tile x tile positions there are."""
        batch, *sizes = self.positions
        return batch * prod(-(-size // tile) for size in sizes)

    @property
    def element(self) -> Attribute:
        """What the transformed input and the transformed filters are made of."""
        return i16 if self.of_codes else f32

    @property
    def bytes(self) -> int:
        """Of such an element."""
        return bits_of(self.element) // 8


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
        row_stride = _row_stride(shape, layout.kr)
        count = shape.tiles(layout.tile)
        blocks = -(-count // rows)
        tiles = -(-shape.units // width)
        product = _follow(isa, shape, rows, layout.kr, layout.nr_vectors)
        product = product.for_rows(min(rows, count), count % rows)
        return cls(
            layout,
            row_stride,
            odd_lines(rows * row_stride, shape.bytes),
            odd_lines(rows * width, SUM_BYTES),
            "units" if blocks < MANY and tiles > blocks else "blocks",
            replace(product, serpentine=False, panel=-(-rows // product.mr[0]) * product.mr[0]),
        )


SQUARE = 4
"""
Vectors and rows of the register tiles of products of codes, where there are registers enough: the output's transform
finds as many vectors side by side as are packed at once.
"""

SQUARE_REGISTERS = 32
"""Registers that are enough for it."""

MANY_TILES = 24
"""Tiles of which it is no matter that a few are left over; filters are read again for these."""

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
    (product,) = isa.products([(shape.element, shape.element)])
    kr = product.mac.kr
    seen = set[WinogradLayout]()
    sizes = dict.fromkeys((isa.second_level_bytes, SECOND_LEVEL_BYTES))
    scratch = NARROW_PARTS if _is_narrow(isa, shape) else SCRATCH_PARTS[shape.element]
    for size, part in every(sizes, scratch):
        bytes = size * part // 32
        most = min(tiles, bytes // (points * _row_stride(shape, kr) * shape.bytes))
        if most < 1:
            continue
        schedule = _choose(isa, shape, tile, most, kr)
        mr = schedule.mr[0]
        equal = -(-tiles // -(-tiles // most))
        for rows in (equal // mr * mr, equal, -(-equal // mr) * mr):
            layout = WinogradLayout(isa.lanes, kr, schedule.nr_vectors, tile, rows)
            if 0 < rows <= most and layout not in seen:
                seen.add(layout)
                yield _cost(isa, shape, layout, schedule), layout


def _row_stride(shape: WinogradShape, kr: int) -> int:
    return odd_lines(depth(shape.channels, kr), shape.bytes)


def depth(channels: int, kr: int) -> int:
    """The depth of the products: whole steps."""
    return -(-channels // kr) * kr


def _product(shape: WinogradShape, rows: int, kr: int) -> MatMulShape:
    """The product at one point of all tiles of a block."""
    kinds = [(shape.element, shape.element)]
    return MatMulShape(rows, shape.units, [depth(shape.channels, kr)], 1, kinds)


def _choose(isa: Isa, shape: WinogradShape, tile: int, rows: int, kr: int) -> MatMulSchedule:
    """How the products of so many tiles are computed."""
    tiles = shape.tiles(tile)
    is_even = tiles % SQUARE == 0 or tiles >= MANY_TILES
    if is_even and shape.units % (SQUARE * isa.lanes) == 0 and _has_squares(isa, shape):
        return _follow(isa, shape, rows, kr, SQUARE)
    if _is_narrow(isa, shape) and shape.units >= NARROW_VECTORS * isa.lanes:
        return _follow(isa, shape, rows, kr, NARROW_VECTORS)
    return MatMulSchedule.choose(isa, _product(shape, rows, kr))


def _follow(isa: Isa, shape: WinogradShape, rows: int, kr: int, nr_vectors: int) -> MatMulSchedule:
    """The same where NR is decided."""
    packed = PackedLayout(isa.lanes, kr, nr_vectors)
    mr = (SQUARE,) if nr_vectors == SQUARE and _has_squares(isa, shape) else None
    return MatMulSchedule.follow(isa, _product(shape, rows, kr), packed, [0], 1, mr)


def _has_squares(isa: Isa, shape: WinogradShape) -> bool:
    return shape.of_codes and isa.registers >= SQUARE_REGISTERS


def _is_narrow(isa: Isa, shape: WinogradShape) -> bool:
    return shape.of_codes and isa.registers < SQUARE_REGISTERS


def _cost(
    isa: Isa, shape: WinogradShape, layout: WinogradLayout, schedule: MatMulSchedule
) -> float:
    """Cycles of the whole convolution, about."""
    tiles, points, vectors = shape.tiles(layout.tile), layout.points, schedule.nr_vectors
    channels, units = (-(-n // isa.lanes) for n in (shape.channels, shape.units))
    transforms = points * (channels * INPUT_CYCLES + units * OUTPUT_CYCLES)
    total = tiles * transforms
    rate = NARROW_FILTERS_PER_CYCLE if _is_narrow(isa, shape) else FAR_BYTES_PER_CYCLE
    filters = prod(layout.shape(shape.units, shape.channels)) * shape.bytes
    exposed = EXPOSED if shape.of_codes else 0
    for count, rows in parts(tiles, layout.rows):
        product = _product(shape, rows, layout.kr)
        each = product_cycles(isa, product, schedule.products, vectors, schedule.mr[0])
        far = _far_scratch(isa, shape, layout, rows) * -(-units // vectors)
        computing = points * each + far / FAR_BYTES_PER_CYCLE
        total += count * _block_cycles(isa, computing, filters, rate, exposed)
    return total + _first_cycles(isa, filters, rate)


def reading_cycles(isa: Isa, filters: int) -> float:
    """
    What a core waits for filters of so many bytes: those of a network are in memory, or in a shared cache where nobody
    measured that.
    """
    if filters <= isa.second_level_bytes:
        return 0
    return filters / (isa.memory_bytes_per_cycle or FAR_BYTES_PER_CYCLE)


def _first_cycles(isa: Isa, filters: int, rate: int) -> float:
    """How much longer than others the first block waits for filters."""
    again = _block_cycles(isa, 0, filters, rate) if isa.memory_bytes_per_cycle else 0
    return max(0, reading_cycles(isa, filters) - again)


def _block_cycles(isa: Isa, computing: float, filters: int, rate: int, exposed: float = 0) -> float:
    """
    A block that computes for so many cycles, and is not the first one to read so many bytes of filters: at this `rate`
    where they are in a shared cache, of which time at least a part is `exposed`.
    """
    if filters <= isa.second_level_bytes:
        return computing
    reading = filters / rate
    if not isa.memory_bytes_per_cycle:
        return max(computing, reading) + exposed * reading
    return computing + (reading if filters <= SHARED_BYTES else reading_cycles(isa, filters))


def _far_scratch(isa: Isa, shape: WinogradShape, layout: WinogradLayout, rows: int) -> int:
    """The bytes of a block's transformed input, which each tile of units reads, where they do not stay near."""
    bytes = layout.points * rows * _row_stride(shape, layout.kr) * shape.bytes
    if _is_narrow(isa, shape):
        is_only = rows == shape.tiles(layout.tile) and rows < MANY_TILES
        far = ONLY_FAR_PARTS if is_only else NARROW_FAR_PARTS
        return bytes if 32 * bytes >= isa.second_level_bytes * far else 0
    nearest = isa.second_level_bytes * max(SCRATCH_PARTS[shape.element]) // 32
    return bytes if bytes > nearest else 0
