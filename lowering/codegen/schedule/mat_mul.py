"""How a matrix product goes over its points."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Self

from xdsl.dialects.builtin import i8

from ....dialects.kernel import PackedLayout
from ...instructions import BYTE_KINDS, MATCHED_VPMADDUBSW, PAIRED_VPMADDWD
from ...machine import Isa, ProductInstruction, kind_of
from ...tuning_configuration import TuningConfiguration
from .costs import (
    FAR_BYTES,
    MOST_TOGETHER,
    NEAR_BYTES,
    WIDENING,
    check_lanes,
    check_mr,
    epilogue_in_loop,
    independent_accumulators,
    pairs_of_steps,
    panel_bytes,
    unrolled_steps,
)
from .register_tiles import MatMulShape, code_bytes, halves, ranked

FEWEST_WIDENED, FEWEST_WIDENING, FEWEST_WIDENED_ROWS = 16, 48, 8
"""Codes of a row, units and rows from which on it pays to widen the rows apart from the products."""

FEWEST_PAIRED, FEWEST_PAIRING, DEEPEST_PAIRED = 64, 64, 1 << 15
"""Codes of a row and units from which on a fast inner product pays; and codes up to which its sums of codes fit i32."""

MATCHED = (ProductInstruction(("u8", "i8"), MATCHED_VPMADDUBSW, 0),)
"""The instruction for matched weights; the offset of a is added as its codes are ordered."""

MATCHED_VECTORS, FEWEST_MATCHED, FEWEST_MATCHING = 2, 256, 32
"""Vectors of units in a tile of matched weights; codes of a row and units from which on an order pays."""

WORD_BYTES = 2
"""Of a code that was widened."""

WIDENED_BYTES, MATCHED_BYTES, WIDENED_TILES = 1 << 16, 1 << 13, 4
"""
About the bytes of a panel's words, which has so many register tiles at least; and of its codes in an order, which stay
in the first-level cache: they are written for each few tiles of units.
"""

FEW_ROWS = 2
"""
A register tile of several products has half of the registers. Where so few rows fit, widening weights takes longer than
the products of prepared rows.
"""

MOST_PREFETCHING_TILES = 4
"""Register tiles that prefetch parts of the weights; with more, the code would depend on the number of rows."""

UNROLLED_MACS = 64
"""Multiply-accumulates in one iteration over k: enough to hide the loop."""

STREAMED_MACS = 8
"""
The same for one row: each of their loads goes on by at most 512 bytes an iteration, near enough for what prefetches
into the first-level cache (by instruction, up to 2 KiB).
"""


@dataclass(frozen=True)
class MatMulSchedule:
    """
    A register tile has MR rows, NR units (`nr_vectors` vectors) in each group, and takes `kr` elements of k at once.
    `mr` lists the values of MR: the largest, its half and so on to 1, for rows that larger tiles leave, unless these
    are known (`for_rows`).
    `unroll` steps of k make an iteration (`unrolled_steps`). An integer sum has so many independent `accumulators`,
    added at the end; step n of k adds to number n modulo those.

    Where it `widens`, codes of a become words once for all tiles of units (`widened_rows`).

    `panel` rows go through all tiles of units before the next rows do. Each of `prefetching_tiles` register tiles
    prefetches a part of the next tile's weights; 0 is no prefetch. Where it is `serpentine`, every second call
    traverses the tiles backwards, so that it starts with weights that are still in the cache. With
    `epilogue_rows`, the epilogue is a loop over the rows of a register tile, at most so many in each iteration
    (`rows_at_once`): several of one vector, since long bodies overlap. With `prefetches_operands`, what it reads and
    writes is fetched while the sums are computed: it does not stay in the second-level cache. What decides no code does
    not tell schedules apart.
    """

    lanes: int
    kr: int
    nr_vectors: int
    mr: tuple[int, ...]
    accumulators: int
    unroll: int
    products: tuple[ProductInstruction, ...]
    epilogue_rows: int
    panel: int = field(compare=False, repr=False)
    prefetching_tiles: int = field(compare=False, repr=False)
    serpentine: bool
    prefetches_operands: bool
    widens: bool

    @classmethod
    def candidates(cls, isa: Isa, shape: MatMulShape) -> list[TuningConfiguration]:
        """All that may be chosen for weights that are packed, the cheapest first."""
        tiles = ranked(isa, shape, _products(isa, shape), None)
        return [TuningConfiguration(nr_vectors, (mr,)) for nr_vectors, mr in tiles]

    @classmethod
    def paired_candidates(cls, isa: Isa, shape: MatMulShape) -> list[TuningConfiguration]:
        """The same for a fast inner product with weights that are packed for it; none where that does not pay."""
        products = isa.products(shape.kinds)
        if not _pays_to_pair(shape, products):
            return []
        tiles = ranked(isa, shape, _paired(products), None)
        return [TuningConfiguration(nr_vectors, (mr,)) for nr_vectors, mr in tiles]

    @classmethod
    def matched_candidates(cls, isa: Isa, shape: MatMulShape) -> list[TuningConfiguration]:
        """The same for weights that are matched, if there are orders; none where these would not pay."""
        if not _pays_to_match(isa, shape):
            return []
        tiles = ranked(isa, shape, MATCHED, MATCHED_VECTORS)
        return [TuningConfiguration(nr_vectors, (mr,)) for nr_vectors, mr in tiles]

    @classmethod
    def choose(cls, isa: Isa, shape: MatMulShape, offsets: Sequence[int] | None = None) -> Self:
        """For weights that may be packed and an a that may be offset, unless `offsets` are decided."""
        return cls._of(isa, shape, _products(isa, shape, offsets), None, 0, None)

    @classmethod
    def follow(
        cls,
        isa: Isa,
        shape: MatMulShape,
        packed: PackedLayout | None,
        offsets: Sequence[int],
        operations: int,
        mr: Sequence[int] | None = None,
        widens: bool = False,
    ) -> Self:
        """
        The same for a body of so many operations, where layout, offsets and perhaps MR are decided.
        An MR of more rows than there are is none. With `widens`, there is memory for words of a panel of a. Raises
        DiagnosticException where they were decided for another instruction set.
        """
        if packed is not None:
            check_lanes("kernel.mat_mul: weights", isa, packed.lanes)
        if packed is not None and packed.matched_tiles:
            products = MATCHED
        else:
            products = isa.products(shape.kinds, None if packed is None else packed.kr, offsets)
        if packed is not None and packed.fast_inner_product:
            products = _paired(products)
        if mr is not None and packed is not None:
            check_mr("kernel.mat_mul", isa, products, packed.nr_vectors * shape.groups, mr)
        if packed is not None and widens and not packed.matched_tiles:
            products = _widened(shape, products)
        return cls._of(isa, shape, products, packed, operations, mr)

    @classmethod
    def _of(
        cls,
        isa: Isa,
        shape: MatMulShape,
        products: tuple[ProductInstruction, ...],
        packed: PackedLayout | None,
        operations: int,
        measured: Sequence[int] | None,
    ) -> Self:
        rows, groups = shape.rows, shape.groups
        nr_vectors, mr = _register_tile(isa, shape, products, packed, measured)
        accumulators, unroll = _unrolling(isa, shape, products, packed, nr_vectors, mr)
        in_loop = mr > 1 and epilogue_in_loop(mr * nr_vectors, operations)
        epilogue_rows = (MOST_TOGETHER if nr_vectors == 1 else 1) if in_loop else 0
        row = sum(shape.depths) * code_bytes(products)
        codes_per_byte = 1 if packed is None else packed.codes_per_byte
        widens = products[0].kind[0] == "i16" != kind_of(*shape.kinds[0])[0]
        weights = row * groups * shape.columns // codes_per_byte // (WORD_BYTES if widens else 1)
        matched = products == MATCHED
        panel = _panel(
            mr, row, MATCHED_BYTES if matched else WIDENED_BYTES if widens else 0, weights
        )
        tiles = min(panel, rows) // mr
        prefetching_tiles = (
            min(tiles, MOST_PREFETCHING_TILES) if mr > 1 and weights > NEAR_BYTES else 0
        )
        serpentine = rows <= panel and weights > NEAR_BYTES and not matched
        return cls(
            isa.lanes,
            products[0].mac.kr,
            nr_vectors,
            tuple(halves(mr)),
            accumulators,
            unroll,
            products,
            epilogue_rows,
            panel,
            prefetching_tiles,
            serpentine,
            rows * shape.operand_bytes > FAR_BYTES // 2,
            widens,
        )

    def for_rows(self, *counts: int) -> Self:
        """The same for these numbers of rows and no other: what the largest tiles leave of one is a tile."""
        largest = self.mr[0]
        rests = {count % largest for count in counts} - {0}
        return replace(self, mr=(largest, *sorted(rests, reverse=True)))

    def rows_at_once(self, mr: int) -> int:
        """Rows in an iteration of the loop that is the epilogue of a register tile with so many rows: equal parts."""
        return max(n for n in range(1, self.epilogue_rows + 1) if mr % n == 0)

    @property
    def paired(self) -> bool:
        """Whether steps are multiplied two by two, as a fast inner product does."""
        return self.products[0].mac.paired

    @property
    def matched(self) -> bool:
        """Whether codes are ordered for matched weights."""
        return self.products[0].mac.matched

    @property
    def layout(self) -> PackedLayout:
        """How weights are packed for this schedule."""
        return PackedLayout(self.lanes, self.kr, self.nr_vectors)

    @property
    def offsets(self) -> list[int]:
        """What is added to the codes of each a."""
        return [product.offset for product in self.products]


def _register_tile(
    isa: Isa,
    shape: MatMulShape,
    products: tuple[ProductInstruction, ...],
    packed: PackedLayout | None,
    measured: Sequence[int] | None,
) -> tuple[int, int]:
    """NR in vectors and MR: the cheapest of the measured MR, where there is a tile of it, else the cheapest of all."""
    tiles = ranked(isa, shape, products, None if packed is None else packed.nr_vectors)
    return next((tile for tile in tiles if measured and tile[1:] == tuple(measured)), tiles[0])


def _unrolling(
    isa: Isa,
    shape: MatMulShape,
    products: tuple[ProductInstruction, ...],
    packed: PackedLayout | None,
    nr_vectors: int,
    mr: int,
) -> tuple[int, int]:
    """The independent accumulators of each integer sum, and the steps of k in an iteration."""
    columns = shape.groups * nr_vectors
    sums, is_packed = columns * mr, packed is not None
    exact = all(product.kind[0][0] in "iu" for product in products)
    whole = max(1, max(shape.depths) // products[0].mac.kr)
    accumulators = min(independent_accumulators(products, sums), whole) if exact else 1
    macs = STREAMED_MACS if shape.rows == 1 else UNROLLED_MACS
    live = sums * len(products) if mr == 1 else sums
    room = unrolled_steps(isa, products[0], live * accumulators, columns, is_packed)
    unroll = max(1, min(macs // sums, whole, room) // accumulators) * accumulators
    if is_packed and all(product.mac.adds for product in products):
        unroll = max(accumulators, pairs_of_steps(unroll, whole))
    return accumulators, unroll


def _panel(mr: int, row: int, prepared: int, weights: int) -> int:
    """
    Rows of a panel, in whole register tiles; a row and all weights have so many bytes, and a panel of rows that are
    prepared about as many as `prepared`, else 0.
    """
    most = max(prepared, WIDENED_TILES * mr * row) if prepared else panel_bytes(weights)
    return max(1, most // max(1, row) // mr) * mr


def _products(
    isa: Isa, shape: MatMulShape, offsets: Sequence[int] | None = None
) -> tuple[ProductInstruction, ...]:
    """The instructions for weights that may be packed."""
    several = len(shape.kinds) > 1 and 2 * shape.groups * FEW_ROWS >= isa.registers
    is_prepared = shape.rows == 1 or several
    products = isa.products(shape.kinds, None, offsets, single_row=is_prepared)
    return _widened(shape, products)


def _widened(
    shape: MatMulShape, products: tuple[ProductInstruction, ...]
) -> tuple[ProductInstruction, ...]:
    """The instructions on words, where it pays to widen codes of a once for all tiles of units."""
    (product, *others), (depth, *_) = products, shape.depths
    is_plain = not others and shape.groups == 1 and not shape.k_by_n
    is_large = depth >= FEWEST_WIDENED and shape.columns >= FEWEST_WIDENING
    is_large &= shape.rows >= FEWEST_WIDENED_ROWS
    if product.mac.paired or not (
        is_plain and is_large and product.mac.adds and WIDENING.get(product.kind[0])
    ):
        return products
    return (replace(product, kind=("i16", product.kind[1])),)


def _pays_to_pair(shape: MatMulShape, products: tuple[ProductInstruction, ...]) -> bool:
    """Whether steps come in pairs, and rows meet so many units that preparing them takes a small part of the time."""
    (product, *others), (depth, *_) = products, shape.depths
    is_plain = not others and shape.groups == 1 and not shape.k_by_n and product.mac.adds
    is_plain &= all(element in ("i8", "u8") for element in product.kind)
    is_large = depth >= FEWEST_PAIRED and shape.columns >= FEWEST_PAIRING
    is_large &= shape.rows >= FEWEST_WIDENED_ROWS and depth <= DEEPEST_PAIRED
    return is_plain and is_large and depth % (2 * product.mac.kr) == 0


def _pays_to_match(isa: Isa, shape: MatMulShape) -> bool:
    """Whether bytes are multiplied in pairs, and rows meet so many units that ordering them takes a small part."""
    can = any(mac.intrinsic == MATCHED_VPMADDUBSW.intrinsic for mac in isa.macs)
    is_plain = len(shape.kinds) == shape.groups == 1 and not shape.k_by_n
    is_plain = is_plain and kind_of(*shape.kinds[0]) in BYTE_KINDS and shape.kinds[0][1] == i8
    (depth, *_), units = shape.depths, shape.columns
    is_large = depth >= FEWEST_MATCHED and units >= FEWEST_MATCHING
    return can and is_plain and is_large and shape.rows >= FEWEST_WIDENED_ROWS


def _paired(products: tuple[ProductInstruction, ...]) -> tuple[ProductInstruction, ...]:
    """The instruction of a fast inner product."""
    (product,) = products
    return (replace(product, kind=("i16", product.kind[1]), mac=PAIRED_VPMADDWD),)
