"""The shape of a matrix product, and which register tiles it may be computed in, the cheapest first."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from math import gcd

from xdsl.ir import Attribute

from ...machine import (
    CACHE_LINE,
    FIRST_LEVEL_WAY_BYTES,
    FIRST_LEVEL_WAYS,
    Isa,
    ProductInstruction,
)
from .costs import (
    AT_ONCE,
    BYTES_PER_CYCLE,
    LINE_CYCLES,
    MOST_NR_VECTORS,
    MOST_SHAPES,
    NEAR_BYTES,
    Arrival,
    largest_mr,
    tiles_cycles,
)

INDEPENDENT_NR_VECTORS = 8
"""Vectors of units beside each other where there is one row: as many sums keep two pipelined units busy."""

FLOATS_IN_LINE, HALF_LINE_CYCLES = CACHE_LINE // 4, 1
"""
Floats in a cache line, and what it costs to write half of one: when the next tile of units comes to the other half, the
line is no longer near.
"""


@dataclass(frozen=True)
class MatMulShape:
    """
    What of a matrix product its schedule depends on: `rows` x `columns` points in each of the groups, and of each
    product a depth and a pair of element types (a, b). A row of what bodies read and write beside the sums, point by
    point, has so many `operand_bytes`. With `k_by_n`, the elements of a step lie in a line of a matrix.
    """

    rows: int
    columns: int
    depths: Sequence[int]
    groups: int
    kinds: Sequence[tuple[Attribute, Attribute]]
    operand_bytes: int = 0
    k_by_n: bool = False


def code_bytes(products: Sequence[ProductInstruction]) -> int:
    """Bytes of an element of a, of the products' widest."""
    return max(int(product.kind[0][1:]) for product in products) // 8


def ranked(
    isa: Isa, shape: MatMulShape, products: tuple[ProductInstruction, ...], nr_vectors: int | None
) -> Sequence[tuple[int, int]]:
    """NR in vectors and MR of register tiles, the cheapest first."""
    decisive = replace(shape, depths=tuple(shape.depths), kinds=(), operand_bytes=0)
    return cheapest_first(isa, decisive, products, nr_vectors)


@lru_cache(MOST_SHAPES)
def cheapest_first(
    isa: Isa, shape: MatMulShape, products: tuple[ProductInstruction, ...], nr_vectors: int | None
) -> Sequence[tuple[int, int]]:
    """The same for what of a shape decides it; of equally cheap tiles, that of more rows comes first."""
    rows, groups = shape.rows, shape.groups
    units = max(1, -(-shape.columns // isa.lanes))
    if nr_vectors is None and rows == 1:
        return [(found, 1) for found in _side_by_side(isa, units, products, groups)]
    wanted = range(1, MOST_NR_VECTORS // groups + 1) if nr_vectors is None else [nr_vectors]
    ways = _most_ways(shape, products)
    tiles = _register_tiles(isa, rows, units, products, groups, wanted or [1], ways)
    cycles = rows_cycles(isa, replace(shape, rows=0), products)
    return sorted(tiles, key=lambda tile: _in_tiles(cycles, rows, *tile))


def product_cycles(
    isa: Isa,
    shape: MatMulShape,
    products: Sequence[ProductInstruction],
    nr_vectors: int,
    largest: int,
) -> float:
    """Cycles of the whole product in register tiles of at most so many rows, about."""
    decisive = replace(shape, rows=0, depths=tuple(shape.depths), kinds=(), operand_bytes=0)
    cycles = rows_cycles(isa, decisive, tuple(products))
    return _in_tiles(cycles, shape.rows, nr_vectors, largest)


def _in_tiles(
    cycles: Callable[[int, int], float], rows: int, nr_vectors: int, largest: int
) -> float:
    """The cycles of so many rows in register tiles of at most `largest`."""
    return sum(count * cycles(nr_vectors, mr) for count, mr in row_tiles(rows, largest))


@lru_cache(MOST_SHAPES)
def rows_cycles(
    isa: Isa, shape: MatMulShape, products: tuple[ProductInstruction, ...]
) -> Callable[[int, int], float]:
    """
    The cycles of MR rows with all tiles of NR vectors, which do not depend on the rows of the shape: products of
    several sizes share what was computed once.
    """
    units = max(1, -(-shape.columns // isa.lanes))
    kr = products[0].mac.kr
    steps = [-(-depth // kr) for depth in shape.depths]
    vector_bytes = isa.lanes * kr * code_bytes(products)
    far = Arrival(LINE_CYCLES if shape.k_by_n else 0, vector_bytes / BYTES_PER_CYCLE)

    @cache
    def cycles(nr_vectors: int, mr: int) -> float:
        tile = sum(steps) * shape.groups * nr_vectors * vector_bytes
        arrival = far if tile > NEAR_BYTES else AT_ONCE
        found = tiles_cycles(isa, products, steps, mr, nr_vectors, units, shape.groups, arrival)
        halves_lines = nr_vectors == 1 < units and 2 * isa.lanes == FLOATS_IN_LINE
        if halves_lines and all(product.kind[0] == "f32" for product in products):
            found += HALF_LINE_CYCLES * mr * units
        return found

    return cycles


def _most_ways(shape: MatMulShape, products: Sequence[ProductInstruction]) -> int:
    """The largest MR whose rows stay in the first-level cache together, if rows of a lie one after the other."""
    strides = [
        depth * int(p.kind[0][1:]) // 8 for depth, p in zip(shape.depths, products, strict=True)
    ]
    sets = (FIRST_LEVEL_WAY_BYTES // gcd(stride, FIRST_LEVEL_WAY_BYTES) for stride in strides)
    return FIRST_LEVEL_WAYS * min(sets)


def _side_by_side(
    isa: Isa, units: int, products: Sequence[ProductInstruction], groups: int
) -> list[int]:
    """
    NR in vectors for one row: few tiles and little padding are cheap, as each tile costs about as much as one
    padded vector. Sums of all products are in registers; those of a row that is prepared wait on the stack, while
    bodies of several vectors overlap.
    """
    waits = all(product.mac.single_row for product in products)
    live = groups if waits else len(products) * groups
    most = max(1, min(INDEPENDENT_NR_VECTORS // groups, (isa.registers - 4) // live))

    def cost(nr_vectors: int) -> int:
        tiles = -(-units // nr_vectors)
        return tiles * nr_vectors + tiles

    return sorted(range(min(most, units), 0, -1), key=cost)


def _register_tiles(
    isa: Isa,
    rows: int,
    units: int,
    products: Sequence[ProductInstruction],
    groups: int,
    wanted: Sequence[int],
    ways: int,
) -> Iterator[tuple[int, int]]:
    """NR in vectors and MR of what fits into registers; of equally good ones the first is taken."""
    for nr_vectors in wanted:
        if nr_vectors > 1 and len(wanted) > 1 and nr_vectors > units:
            break
        most = min(rows, largest_mr(isa, products, nr_vectors * groups), ways)
        yield from ((nr_vectors, mr) for mr in range(max(1, most), 0, -1))


def halves(mr: int) -> Iterator[int]:
    """MR, its half, and so on to one row."""
    while mr:
        yield mr
        mr //= 2


def row_tiles(rows: int, largest: int) -> Iterator[tuple[int, int]]:
    """The register tiles that so many rows take, by MR, the largest first: how many, and MR."""
    for mr in halves(largest):
        count, rows = divmod(rows, mr)
        if count:
            yield count, mr
