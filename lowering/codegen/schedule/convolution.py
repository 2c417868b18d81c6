"""How a convolution goes over its points."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, partial
from math import prod
from typing import Literal, Self

from xdsl.ir import Attribute

from ....dialects.kernel import ConvolutionLayout
from ...machine import FIRST_LEVEL_WAY_BYTES, FIRST_LEVEL_WAYS, Isa, ProductInstruction
from ...tuning_configuration import TuningConfiguration
from .costs import (
    AT_ONCE,
    BYTES_PER_CYCLE,
    MOST_NR_VECTORS,
    MOST_SHAPES,
    MOST_STEPS,
    NEAR_BYTES,
    Arrival,
    check_lanes,
    check_mr,
    epilogue_in_loop,
    fills_registers,
    independent_accumulators,
    largest_mr,
    pairs_of_steps,
    panel_bytes,
    parts,
    tiles_cycles,
    unrolled_steps,
)

UNROLLED_MACS = 112
"""Multiply-accumulates in one iteration of the inner loop: enough to hide it."""

MANY_TILES = 8
"""
The number of whole register tiles beside which one with fewer positions takes a small part of the time, and of tiles of
units that threads divide about evenly.
"""

AGAIN_BYTES_PER_CYCLE = 12
"""
So many bytes of all filters arrive in a cycle, about, as each row of register tiles reads them again: pieces of a share
have few rows, which prefetch little of the next tile's filters.
"""

REMOTE_BYTES_PER_CYCLE = 2
"""So many bytes arrive in a cycle, about, that another core has written and still holds."""

Split = Literal["groups", "positions", "tiles"]


@dataclass(frozen=True)
class ConvolutionShape:
    """
    What of a convolution its schedule depends on. `positions` are (…, lines, rows) after merging what is one
    loop; `taps` those that are loops of their own, `depth` the inner dimension; `units` are those of a group.
    Each line touches `line_bytes` of what moves with positions, `input_bytes` of these in a, where they lie `row_bytes`
    apart. Where units of several groups share a vector, a row of a has the channels of all these, and `shuffles` give
    the lanes those of their groups. Of several `columns`, the last of the taps, each has sums of its own.
    """

    groups: int
    positions: tuple[int, ...]
    taps: tuple[int, ...]
    depth: int
    units: int
    line_bytes: int
    row_bytes: int
    shuffles: int = 0
    columns: int = 1
    input_bytes: int = 0

    @property
    def lines(self) -> int:
        """Positions along the last dimension but one."""
        return self.positions[-2]

    @property
    def rows(self) -> int:
        """Positions along the last dimension."""
        return self.positions[-1]

    @property
    def ways(self) -> int:
        """The most positions of a register tile that stay in the first-level cache together."""
        competes = self.row_bytes and self.row_bytes % FIRST_LEVEL_WAY_BYTES == 0
        return FIRST_LEVEL_WAYS if competes else prod(self.positions)


@dataclass(frozen=True)
class ConvolutionSchedule:
    """
    A register tile: NR is `nr_vectors` vectors of units, MR `lines` x `rows` positions; of several lines, it has
    whole ones. `panel` rows of register tiles go through all tiles of units before the next ones do. `unroll` steps
    of the inner dimension make an iteration (`unrolled_steps`); of `shuffles`, all of them. An integer sum has so many
    independent `accumulators`, added at the end. The epilogue is a loop over positions where writing it out would be
    long; that of the rest of positions, which do not fill a register tile, already where they are few. `split` is the
    loop that threads divide. With `prefetches`, the next tile's filters are prefetched meanwhile. What decides no code
    does not tell schedules apart.
    """

    lanes: int
    nr_vectors: int
    lines: int
    rows: int
    accumulators: int
    unroll: int
    panel: int = field(compare=False, repr=False)
    epilogue_in_loop: bool
    rest_in_loop: bool
    split: Split = field(compare=False, repr=False)
    prefetches: bool = field(compare=False, repr=False)
    product: ProductInstruction

    @classmethod
    def candidates(
        cls,
        isa: Isa,
        shape: ConvolutionShape,
        kind: tuple[Attribute, Attribute],
        nr_vectors: int | None = None,
    ) -> list[TuningConfiguration]:
        """All that may be chosen for filters that are packed, the cheapest first; NR may be decided already."""
        (product,) = isa.products([kind])
        tiles = _ranked(isa, shape, product, nr_vectors)
        return [TuningConfiguration(nr_vectors, (lines, rows)) for nr_vectors, lines, rows in tiles]

    @classmethod
    @lru_cache(MOST_SHAPES)
    def cycles(cls, isa: Isa, shape: ConvolutionShape, kind: tuple[Attribute, Attribute]) -> float:
        """What the cheapest takes, about."""
        (product,) = isa.products([kind])
        tiles = _register_tiles(isa, shape, product, range(1, MOST_NR_VECTORS + 1))
        return min(_cost(isa, shape, product, False, *tile) for tile in tiles)

    @classmethod
    def choose(cls, isa: Isa, shape: ConvolutionShape, kind: tuple[Attribute, Attribute]) -> Self:
        """For filters that may be packed and activations that may be offset."""
        (product,) = isa.products([kind])
        return cls._of(isa, shape, product, None, 0)

    @classmethod
    def follow(
        cls,
        isa: Isa,
        shape: ConvolutionShape,
        kind: tuple[Attribute, Attribute],
        packed: ConvolutionLayout | None,
        offset: int,
        operations: int,
        mr: Sequence[int] | None = None,
    ) -> Self:
        """
        For a body of so many operations, where layout, offset and perhaps MR are decided. An MR whose lines
        are not there whole as positions lie in memory is none. Raises DiagnosticException where they were decided for
        another instruction set.
        """
        if packed is not None:
            isa = isa.with_lanes(packed.lanes)
            check_lanes("kernel.convolution: filters", isa, packed.lanes)
        kr, nr_vectors = (None, None) if packed is None else (packed.kr, packed.nr_vectors)
        (product,) = isa.products([kind], kr, [offset])
        if mr is not None and nr_vectors is not None:
            check_mr("kernel.convolution", isa, [product], nr_vectors, mr)
        return cls._of(isa, shape, product, nr_vectors, operations, mr)

    @classmethod
    def _of(
        cls,
        isa: Isa,
        shape: ConvolutionShape,
        product: ProductInstruction,
        nr_vectors: int | None,
        operations: int,
        mr: Sequence[int] | None = None,
    ) -> Self:
        steps = -(-shape.depth // product.mac.kr)
        is_packed = nr_vectors is not None
        ranked = _ranked(isa, shape, product, nr_vectors)
        nr_vectors, lines, rows = next(
            (found for found in ranked if mr is not None and found[1:] == tuple(mr)),
            ranked[0],
        )
        sums = nr_vectors * lines * rows * shape.columns
        exact = product.kind[0][0] in "iu" and shape.columns == 1
        accumulators = min(independent_accumulators([product], sums), steps) if exact else 1
        room = unrolled_steps(isa, product, sums * accumulators, nr_vectors, is_packed)
        most = max(1, min(MOST_STEPS, UNROLLED_MACS // sums, room))
        unroll = steps if shape.shuffles else _unroll(steps, most, accumulators)
        if is_packed and product.mac.adds and not shape.shuffles:
            unroll = pairs_of_steps(unroll, shape.depth // product.mac.kr)
        in_loop = lines * rows > 1 and epilogue_in_loop(sums, operations)
        filters = steps * product.mac.kr * prod(shape.taps) * shape.units * shape.groups
        filters *= int(product.kind[1][1:]) // 8
        panel = max(1, panel_bytes(filters, isa.panel_bytes) // max(1, lines * shape.line_bytes))
        count = max(1, prod(shape.positions[:-2]) * -(-shape.lines // lines))
        panel = -(-count // -(-count // panel))
        prefetches = filters > NEAR_BYTES
        overlapping = _is_overlapping(shape, product)
        cycles = shape.groups * _cost(isa, shape, product, overlapping, nr_vectors, lines, rows)
        is_far = filters > isa.second_level_bytes
        split = _split(shape, (lines, nr_vectors * isa.lanes), filters, cycles, is_far)
        return cls(
            isa.lanes,
            nr_vectors,
            lines,
            rows,
            accumulators,
            unroll,
            panel,
            in_loop,
            _is_few(shape.lines, lines) and _is_few(shape.rows, rows),
            split,
            prefetches,
            product,
        )


def _is_few(positions: int, each: int) -> bool:
    """Whether the rest of positions, after as many whole register tiles as there are, is a small part."""
    whole, rest = divmod(positions, each)
    return not rest or whole >= MANY_TILES


def _split(
    shape: ConvolutionShape, tile: tuple[int, int], filters: int, cycles: float, is_far: bool
) -> Split:
    """
    The loop that two and four threads divide in the least time, where register tiles have so many lines and units, and
    one thread takes so many cycles. Layers mostly divide positions: then threads read what they wrote themselves. Also
    one thread does a piece after the other: tiles where it would read filters beyond the second-level cache (`is_far`)
    for each row of positions, and reads less of the input for each tile.
    """
    lines, width = tile
    outer, tiles = prod(shape.positions[:-2]), -(-shape.units // width)
    rows = outer * -(-shape.lines // lines)
    moving = outer * shape.lines * shape.line_bytes
    if is_far and tiles >= MANY_TILES and rows * filters > tiles * moving:
        return "tiles"
    counts: dict[Split, int] = {"positions": rows, "tiles": tiles, "groups": shape.groups}
    inputs = outer * shape.lines * shape.input_bytes

    def time(split: Split, threads: int) -> float:
        most = -(-counts[split] // threads)
        share = most / max(1, counts[split])
        if split == "positions":
            lines_of_share = min(most * lines, outer * shape.lines)
            share = lines_of_share / max(1, outer * shape.lines)
            waiting = most * filters / AGAIN_BYTES_PER_CYCLE if filters > NEAR_BYTES else 0
            return max(cycles * share, waiting) + filters / BYTES_PER_CYCLE
        read = inputs * (1 if split == "tiles" else share) + (moving - inputs) * share
        remote = read * (threads - 1) / threads
        return (cycles + filters / BYTES_PER_CYCLE) * share + remote / REMOTE_BYTES_PER_CYCLE

    return min(counts, key=lambda split: time(split, 2) + time(split, 4))


def _unroll(steps: int, most: int, accumulators: int) -> int:
    """The most steps in an iteration that leave none over, or, if those are few, that leave some."""
    most = max(most // accumulators, 1)
    whole = [n for n in range(most, 0, -1) if steps % (n * accumulators) == 0]
    unroll = whole[0] if whole and 2 * whole[0] >= most else most
    return unroll * accumulators


def _register_tiles(
    isa: Isa, shape: ConvolutionShape, product: ProductInstruction, wanted: Sequence[int]
) -> Iterator[tuple[int, int, int]]:
    """NR in vectors, lines and rows of what fits into registers: sums, a step's weights and an activation."""
    needed = max(1, -(-shape.units // isa.lanes))
    for nr_vectors in wanted:
        largest = largest_mr(isa, [product], nr_vectors, shape.shuffles, shape.columns)
        most = min(largest, shape.ways)
        if nr_vectors > 1 and len(wanted) > 1 and nr_vectors > needed:
            break
        for rows in range(1, min(max(1, shape.rows), most) + 1):
            yield nr_vectors, 1, rows
        for lines in range(2, min(shape.lines, most // max(1, shape.rows)) + 1):
            yield nr_vectors, lines, shape.rows


def _is_overlapping(shape: ConvolutionShape, product: ProductInstruction) -> bool:
    """Whether the products of a register tile begin while the bodies of the one before are computed."""
    return product.kind[0][0] in "iu" and shape.columns == 1 and not shape.shuffles


@lru_cache(MOST_SHAPES)
def _ranked(
    isa: Isa, shape: ConvolutionShape, product: ProductInstruction, nr_vectors: int | None
) -> Sequence[tuple[int, int, int]]:
    """The register tiles, the cheapest first. Those of codes overlap: what a body computes of a sum is short."""
    wanted = range(1, MOST_NR_VECTORS + 1) if nr_vectors is None else [nr_vectors]
    tiles = _register_tiles(isa, shape, product, wanted)
    overlapping = _is_overlapping(shape, product)
    return sorted(tiles, key=lambda tile: _cost(isa, shape, product, overlapping, *tile))


def _cost(
    isa: Isa,
    shape: ConvolutionShape,
    product: ProductInstruction,
    overlapping: bool,
    nr_vectors: int,
    lines: int,
    rows: int,
) -> float:
    """Cycles of the whole convolution, about."""
    steps = prod(shape.taps) * -(-shape.depth // product.mac.kr)
    units = -(-shape.units // isa.lanes)
    vector_bytes = isa.lanes * product.mac.kr * int(product.kind[1][1:]) // 8
    is_far = steps * nr_vectors * vector_bytes > NEAR_BYTES
    arrival = AT_ONCE
    if is_far and fills_registers(isa, product):
        arrival = Arrival(vector=vector_bytes / BYTES_PER_CYCLE)
    each = partial(tiles_cycles, isa, [product], [steps], arrival=arrival, overlapping=overlapping)
    return prod(shape.positions[:-2]) * sum(
        down * along * each(high * wide, nr_vectors, units)
        for down, high in parts(shape.lines, lines)
        for along, wide in parts(shape.rows, rows)
    )
