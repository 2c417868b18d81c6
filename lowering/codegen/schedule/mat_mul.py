"""How a matrix product goes over its points."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Self

from xdsl.ir import Attribute

from ....dialects.kernel import PackedLayout
from ...machine import Isa, Product
from ...tuning_configuration import TuningConfiguration
from .costs import (
    INDEPENDENT_ACCUMULATORS,
    LONGEST_EPILOGUE,
    MOST_VECTORS,
    NEAR_BYTES,
    check_block,
    check_lanes,
    most_rows,
    panel_bytes,
    tiles_cycles,
)

INDEPENDENT_VECTORS = 8
"""Vectors of units beside each other where there is one row: as many sums keep two pipelined units busy."""

MOST_PREFETCHING_BLOCKS = 4
"""Blocks that prefetch parts of a tile; with more, the code would depend on the number of rows."""

UNROLLED_MACS = 64
"""Multiply-accumulates in one iteration over k: enough to hide the loop."""

STREAMED_MACS = 8
"""
The same for one row: each of their loads goes on by at most 512 bytes an iteration, near enough for what prefetches
into the first-level cache (by instruction, up to 2 KiB).
"""


@dataclass(frozen=True)
class MatMulShape:
    """
    What of a matrix product its schedule depends on: `rows` x `columns` points in each of the groups, and of each
    product a depth and a pair of element types (a, b).
    """

    rows: int
    columns: int
    depths: Sequence[int]
    groups: int
    kinds: Sequence[tuple[Attribute, Attribute]]


@dataclass(frozen=True)
class MatMulSchedule:
    """
    A register tile has MR `rows`, NR `vectors` of units in each group, and takes KR = `step` elements of k at once.
    `rows` lists the values of MR: the largest, its half and so on to 1, for rows that larger tiles leave.
    `unroll` steps of k make an iteration. An integer sum has so many independent `accumulators`,
    added at the end; step n of k adds to number n modulo those.

    `panel` rows go through all tiles of units before the next rows do. Each of `prefetching_blocks` blocks of rows
    prefetches a part of the next tile's weights; 0 is no prefetch. Where it is `serpentine`, every second call
    traverses the tiles backwards, so that it starts with weights that are still in the cache. With
    `epilogue_in_loop`, the epilogue is a loop over the rows of a block.
    """

    lanes: int
    step: int
    vectors: int
    rows: tuple[int, ...]
    accumulators: int
    unroll: int
    products: tuple[Product, ...]
    epilogue_in_loop: bool
    panel: int
    prefetching_blocks: int
    serpentine: bool

    @classmethod
    def candidates(cls, isa: Isa, shape: MatMulShape) -> list[TuningConfiguration]:
        """All that may be chosen for weights that are packed, the cheapest first."""
        blocks = _ranked(isa, shape, isa.products(shape.kinds), None)
        return [TuningConfiguration(vectors, (block,)) for vectors, block in blocks]

    @classmethod
    def choose(cls, isa: Isa, shape: MatMulShape, offsets: Sequence[int] | None = None) -> Self:
        """For weights that may be packed and an a that may be offset, unless `offsets` are decided."""
        return cls._of(isa, shape, isa.products(shape.kinds, None, offsets), None, 0, None)

    @classmethod
    def follow(
        cls,
        isa: Isa,
        shape: MatMulShape,
        packed: PackedLayout | None,
        offsets: Sequence[int],
        operations: int,
        block: Sequence[int] | None = None,
    ) -> Self:
        """
        The same for a body of so many operations, where layout, offsets and perhaps the rows of a block are decided.
        A block of more rows than there are is none. Raises DiagnosticException where they were decided for another
        instruction set.
        """
        if packed is not None:
            check_lanes("kernel.mat_mul: weights", isa, packed.lanes)
        step, vectors = (None, None) if packed is None else (packed.step, packed.vectors)
        products = isa.products(shape.kinds, step, offsets)
        if block is not None and vectors is not None:
            check_block("kernel.mat_mul", isa, vectors * shape.groups, block, len(products))
        return cls._of(isa, shape, products, vectors, operations, block)

    @classmethod
    def _of(
        cls,
        isa: Isa,
        shape: MatMulShape,
        products: tuple[Product, ...],
        vectors: int | None,
        operations: int,
        measured: Sequence[int] | None,
    ) -> Self:
        rows, depths, groups = shape.rows, shape.depths, shape.groups
        step = products[0].mac.step
        ranked = _ranked(isa, shape, products, vectors)
        vectors, block = next(
            (found for found in ranked if measured is not None and found[1:] == tuple(measured)),
            ranked[0],
        )
        sums = groups * vectors * block
        exact = all(product.kind[0][0] in "iu" for product in products)
        whole = max(1, max(depths) // step)
        accumulators = min(max(1, INDEPENDENT_ACCUMULATORS // sums), whole) if exact else 1
        macs = STREAMED_MACS if rows == 1 else UNROLLED_MACS
        unroll = max(1, min(macs // sums, whole) // accumulators) * accumulators
        epilogue_in_loop = block > 1 and block * vectors * operations > LONGEST_EPILOGUE
        row = sum(depths) * _bytes(products)
        weights = row * groups * shape.columns
        panel = max(1, panel_bytes(weights) // max(1, row) // block) * block
        blocks = min(panel, rows) // block
        prefetching_blocks = (
            min(blocks, MOST_PREFETCHING_BLOCKS) if block > 1 and weights > NEAR_BYTES else 0
        )
        serpentine = rows <= panel and weights > NEAR_BYTES
        return cls(
            isa.lanes,
            step,
            vectors,
            tuple(_sizes(block)),
            accumulators,
            unroll,
            products,
            epilogue_in_loop,
            panel,
            prefetching_blocks,
            serpentine,
        )

    @property
    def layout(self) -> PackedLayout:
        """How weights are packed for this schedule."""
        return PackedLayout(self.lanes, self.step, self.vectors)

    @property
    def offsets(self) -> list[int]:
        """What is added to the codes of each a."""
        return [product.offset for product in self.products]


def _bytes(products: Sequence[Product]) -> int:
    return max(int(product.kind[0][1:]) for product in products) // 8


def _ranked(
    isa: Isa, shape: MatMulShape, products: Sequence[Product], vectors: int | None
) -> list[tuple[int, int]]:
    """Vectors and rows of blocks, the cheapest first; of equally cheap ones that of more rows."""
    rows, groups = shape.rows, shape.groups
    units = max(1, -(-shape.columns // isa.lanes))
    if vectors is None and rows == 1:
        return [(found, 1) for found in _side_by_side(isa, units, len(products), groups)]
    steps = [-(-depth // products[0].mac.step) for depth in shape.depths]
    wanted = range(1, MOST_VECTORS // groups + 1) if vectors is None else [vectors]

    def cost(block: tuple[int, int]) -> float:
        vectors, most = block
        return sum(
            count * tiles_cycles(products, steps, size, vectors, units, groups)
            for count, size in _parts(rows, most)
        )

    return sorted(_blocks(isa, rows, units, products, groups, wanted or [1]), key=cost)


def _side_by_side(isa: Isa, units: int, products: int, groups: int) -> list[int]:
    """
    Vectors for one row: few tiles and little padding are cheap, as each tile costs about as much as one padded vector.
    """
    most = max(1, min(INDEPENDENT_VECTORS // groups, (isa.registers - 4) // (products * groups)))

    def cost(vectors: int) -> int:
        tiles = -(-units // vectors)
        return tiles * vectors + tiles

    return sorted(range(min(most, units), 0, -1), key=cost)


def _blocks(
    isa: Isa,
    rows: int,
    units: int,
    products: Sequence[Product],
    groups: int,
    wanted: Sequence[int],
) -> Iterator[tuple[int, int]]:
    """Vectors and rows of blocks that fit into registers; of equally good ones the first is taken."""
    for vectors in wanted:
        if vectors > 1 and len(wanted) > 1 and vectors > units:
            break
        most = min(rows, most_rows(isa, vectors * groups, len(products)))
        yield from ((vectors, block) for block in range(max(1, most), 0, -1))


def _sizes(block: int) -> Iterator[int]:
    """A block, its half, and so on to one row."""
    while block:
        yield block
        block //= 2


def _parts(rows: int, block: int) -> Iterator[tuple[int, int]]:
    """How many blocks there are of which size."""
    for size in _sizes(block):
        count, rows = divmod(rows, size)
        yield count, size
