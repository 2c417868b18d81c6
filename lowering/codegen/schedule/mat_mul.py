"""How a matrix product goes over its points."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from xdsl.ir import Attribute
from xdsl.utils.exceptions import DiagnosticException

from ....dialects.kernel import PackedLayout
from ..isa import Isa, Product

INDEPENDENT_SUMS = 8
"""Accumulators that keep two pipelined units busy: latency 4 times 2 per cycle."""

TILE_VECTORS = 4
"""Vectors of weights that share a broadcast activation where many rows share the weights."""

UNROLLED_MACS = 32
"""Multiply-accumulates in one iteration over k: enough to hide the loop."""

PANEL_BYTES = 1 << 18
"""Activations that all tiles read before the next ones are touched: a part of the second-level cache."""

MOST_ROWS = 14
"""Rows in a block: more would make code longer without making it faster."""

LONGEST_END = 600
"""Operations of bodies at the end of a tile; for more, sums go through memory and a loop over rows."""

ROW_FLOOR = 4
"""Rows that cost as much as one: with fewer, loading the weights takes the time."""


@dataclass(frozen=True)
class MatMulSchedule:
    """
    A tile is `vectors` vectors of units in each group. `rows` rows share a pass over the tile's
    weights; what is left over goes row by row. An integer sum is split into `chains` (every
    chains-th step of k) that are added at the end. `unroll` steps of k make an iteration. `ends_in_loop`
    says that the body is emitted for one row of a block, inside a loop. All tiles go over `panel` rows before
    they go over the next.
    """

    lanes: int
    step: int
    vectors: int
    rows: int
    chains: int
    unroll: int
    products: tuple[Product, ...]
    ends_in_loop: bool
    panel: int

    @classmethod
    def choose(
        cls,
        isa: Isa,
        rows: int,
        columns: int,
        depths: Sequence[int],
        groups: int,
        kinds: Sequence[tuple[Attribute, Attribute]],
    ) -> Self:
        """
        For `rows` x `columns` points, one depth and one pair of element types (a, b) for each product,
        whose weights may be packed and whose a may be offset.
        """
        vectors = _vectors(isa, rows, columns, len(kinds), groups)
        return cls._of(rows, depths, groups, isa, isa.products(kinds), vectors, 0)

    @classmethod
    def follow(
        cls,
        isa: Isa,
        rows: int,
        columns: int,
        depths: Sequence[int],
        groups: int,
        kinds: Sequence[tuple[Attribute, Attribute]],
        packed: PackedLayout | None,
        offsets: Sequence[int],
        operations: int,
    ) -> Self:
        """
        The same for a body of so many operations, where layout and offsets are decided. Raises
        DiagnosticException where they were for another instruction set.
        """
        if packed is None:
            vectors = _vectors(isa, rows, columns, len(kinds), groups)
            products = isa.products(kinds, None, offsets)
            return cls._of(rows, depths, groups, isa, products, vectors, operations)
        if packed.lanes != isa.lanes:
            raise DiagnosticException(
                f"kernel.mat_mul: weights are packed for {packed.lanes} lanes, {isa.name} has "
                f"{isa.lanes}; run pack-weights for {isa.name}"
            )
        products = isa.products(kinds, packed.step, offsets)
        return cls._of(rows, depths, groups, isa, products, packed.vectors, operations)

    @classmethod
    def _of(
        cls,
        rows: int,
        depths: Sequence[int],
        groups: int,
        isa: Isa,
        products: tuple[Product, ...],
        vectors: int,
        operations: int,
    ) -> Self:
        width, step = groups * vectors, products[0].mac.step
        exact = all(product.kind[0][0] in "iu" for product in products)
        # Broadcast activation, weights of one step, accumulators of all products.
        most_rows = max(1, (isa.registers - 2 - width) // (len(products) * width))
        block = _rows(rows, min(most_rows, MOST_ROWS))
        sums = width * block
        steps = max(1, max(depths) // step)
        chains = min(max(1, INDEPENDENT_SUMS // sums), steps) if exact else 1
        unroll = max(1, min(UNROLLED_MACS // sums, steps) // chains) * chains
        ends_in_loop = block > 1 and block * vectors * operations > LONGEST_END
        panel = max(1, PANEL_BYTES // max(1, sum(depths) * _bytes(products)) // block) * block
        return cls(isa.lanes, step, vectors, block, chains, unroll, products, ends_in_loop, panel)

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


def _vectors(isa: Isa, rows: int, columns: int, products: int, groups: int) -> int:
    """Few tiles and little padding: each tile costs about as much as one padded vector."""
    wanted = INDEPENDENT_SUMS if rows == 1 else TILE_VECTORS
    most = max(1, min(wanted // groups, (isa.registers - 4) // (products * groups)))
    needed = max(1, -(-columns // isa.lanes))

    def cost(vectors: int) -> int:
        tiles = -(-needed // vectors)
        return tiles * vectors + tiles

    return min(range(min(most, needed), 0, -1), key=cost)


def _rows(rows: int, most: int) -> int:
    def cost(block: int) -> int:
        return rows // block * max(block, ROW_FLOOR) + rows % block * ROW_FLOOR

    return min(range(max(1, min(rows, most)), 0, -1), key=cost)
