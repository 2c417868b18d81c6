"""
Orders in which `vpmaddubsw` is exact: it adds two products of a code and a weight in 16 bits, so that two weights whose
sum is too large lie apart.

A code is at most 255: a sum of two products fits if the positive weights of both are at most 128 together, and the
negative ones at least -128. In each two blocks of a row, codes of the first one are matched with codes of the second
one, such that this holds for all units of some tiles. A row has as many blocks as it can be divided into; which two are
matched is tried at random, from the same seed always.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar

from ...dialects.inferred import Shape
from ...dialects.kernel import ConvolutionLayout, PackedLayout
from ...dialects.kernel.packed_layout import BLOCK, ENTRY_BYTES, Matched, stored_tiles

if TYPE_CHECKING:
    from ...reference.arrays import Array, Pieces

L = TypeVar("L", ConvolutionLayout, PackedLayout)

LARGEST_SUM = 128
"""Of two weights of one sign, times codes up to 255: 128 * 255 < 1 << 15."""

ROUNDS = 10
"""How often blocks that do not match are exchanged for others."""

FEW = 4
"""So many pairs of blocks are dealt in enough ways."""

FEWEST_MATCHES, FEWEST_OF_ONE = 0.85, 0.9
"""The share of blocks that match at once from which on it pays to go on; and where one tile has an order."""

SAMPLE = 64
"""Pairs of blocks that tell whether the others may match."""

ALL_CODES = (1 << BLOCK) - 1
"""The mask of all codes of a block."""

STEPS = 3 * BLOCK
"""How often a code of a pair of blocks is placed before these do not match."""

AT_ONCE = 128
"""Pairs of blocks whose sums stay in a near cache."""

TILES = (4, 2, 1)
"""How many tiles may have an order in common: the more, the less work it is, and the fewer orders there are."""

FEWEST_ROWS = 160
"""Rows from which on it pays to look for orders: for BERT's 128, compiling took twice as long, a call 0.93 times."""


@dataclass(frozen=True)
class Orders:
    """
    Of each chunk of tiles, which blocks are the `first` and `second` ones that are matched, [chunks, pairs], and the
    `order` of the second ones, [chunks, pairs, BLOCK].
    """

    first: Array
    second: Array
    order: Array


def matched_layout(weights: Array, layout: L, rows: int) -> tuple[L, Orders] | None:
    """
    The layout and the orders of weights [units, depth] that so many rows meet: one with `matched_tiles`, or None.
    """
    if rows < FEWEST_ROWS:
        return None
    tiles = -(-len(weights) // (layout.lanes * layout.nr_vectors))
    for count in TILES:
        if count <= tiles:
            found = replace(layout, matched_tiles=count)
            if (orders := find_orders(weights, found)) is not None:
                return found, orders
    return None


def find_orders(weights: Array, layout: PackedLayout | ConvolutionLayout) -> Orders | None:
    """The orders of weights [units, depth] of i8, or None where some blocks match no others."""
    import numpy as np

    blocks = _in_chunks(weights, layout)
    chunks: int = blocks.shape[0]
    pairs: int = blocks.shape[2] // 2
    random = np.random.default_rng(0)
    shuffled = random.permuted(np.tile(np.arange(2 * pairs), (chunks, 1)), axis=1)
    first, second = shuffled[:, :pairs].copy(), shuffled[:, pairs:].copy()
    order = np.full((chunks, pairs, BLOCK), -1)
    left = np.arange(chunks * pairs)
    sample = random.permutation(left)[:SAMPLE]
    fewest = FEWEST_MATCHES if layout.matched_tiles > 1 else FEWEST_OF_ONE
    if (_match(blocks, first, second, sample, random)[:, 0] >= 0).mean() < fewest:
        return None
    for _ in range(ROUNDS):
        order.reshape(-1, BLOCK)[left] = _match(blocks, first, second, left, random)
        left = np.flatnonzero(order.reshape(-1, BLOCK)[:, 0] < 0)
        if not left.size:
            return Orders(first, second, order)
        left = _exchange(first, second, left, random)
    return None


def _exchange(first: Array, second: Array, left: Array, random: Any) -> Array:
    """Deals the blocks of each chunk's pairs in `left`, and of others where these are few; gives those pairs."""
    import numpy as np

    _, pairs = first.shape
    found: list[Array] = []
    for chunk, start, end in _runs(left // pairs):
        here = left[start:end] % pairs
        if len(here) < FEW:
            others = random.permutation(pairs)[: FEW - 1]
            here = np.concatenate([here, [n for n in others if n not in here]]).astype(int)
        dealt = random.permutation(np.concatenate([first[chunk, here], second[chunk, here]]))
        first[chunk, here], second[chunk, here] = dealt[: len(here)], dealt[len(here) :]
        found.append(chunk * pairs + here)
    return np.concatenate(found)


def _runs(numbers: Array) -> Iterator[tuple[int, int, int]]:
    """Each number of a sorted array, and the first place and the end of those that equal it."""
    import numpy as np

    starts = [0, *(np.flatnonzero(np.diff(numbers)) + 1).tolist()]
    return zip(numbers[starts].tolist(), starts, [*starts[1:], len(numbers)], strict=True)


def _in_chunks(weights: Array, layout: PackedLayout | ConvolutionLayout) -> Array:
    """Weights as [chunks, units, blocks, BLOCK]; what no unit has, or an earlier block, is zero."""
    import numpy as np

    units, depth = weights.shape
    width, (whole, rest) = layout.nr_vectors * layout.lanes, divmod(depth, BLOCK)
    blocks = np.zeros((units, Matched(depth).blocks, BLOCK), np.int8)
    blocks[:, :whole] = weights[:, : depth - rest].reshape(units, whole, BLOCK)
    if rest:
        blocks[:, whole, BLOCK - rest :] = weights[:, depth - rest :]
    chunk = layout.matched_tiles * width
    in_whole = units - units % width
    found = np.zeros((stored_tiles(layout, units), chunk, *blocks.shape[1:]), np.int8)
    for number, first in enumerate(range(0, in_whole, chunk)):
        part = blocks[first : min(first + chunk, in_whole)]
        found[number, : len(part)] = part
    if in_whole < units:
        found[-1, : units - in_whole] = blocks[in_whole:]
    return found


def _match(blocks: Array, first: Array, second: Array, which: Array, random: Any) -> Array:
    """The orders of these pairs of blocks, [pairs, BLOCK]; -1 for those that do not match."""
    import numpy as np

    found: list[Array] = []
    for start in range(0, len(which), AT_ONCE):
        part = which[start : start + AT_ONCE]
        chunk = part // first.shape[1]
        sides = [blocks[chunk, :, side.reshape(-1)[part]] for side in (first, second)]
        found.append(_allowed(*sides))
    return _perfect_matchings(np.concatenate(found, axis=1), random)


def _allowed(first: Array, second: Array) -> Array:
    """
    For codes i of blocks [pairs, units, BLOCK], a mask of those that may follow, [BLOCK, pairs]. Sums of bytes are less
    by one, so that two of 128 fit; 128 is followed by none.
    """
    import numpy as np

    x, y = (_sizes(side) for side in (first, second))
    y = np.maximum(y, 1) - np.uint8(1)
    sums, largest = np.empty_like(y), np.empty((BLOCK, BLOCK, y.shape[-1]), np.uint8)
    for i, one in enumerate(x):
        np.add(one, y, out=sums)
        np.max(sums, axis=1, out=largest[i])
    bits = np.packbits(largest < LARGEST_SUM, axis=1, bitorder="little").astype(np.int32)
    return bits[:, 0] | bits[:, 1] << 8


def _sizes(weights: Array) -> Array:
    """How large weights [pairs, units, BLOCK] are in either direction: [BLOCK, twice the units, pairs]."""
    import numpy as np

    sides = [np.abs(limit(weights, 0)).view(np.uint8) for limit in (np.maximum, np.minimum)]
    return np.ascontiguousarray(np.concatenate(sides, axis=1).T)


def _perfect_matchings(allowed: Array, random: Any) -> Array:
    """
    Of masks [BLOCK, problems], orders [problems, BLOCK] in which each code i is followed by one of its mask; -1 where
    none was found. A code takes a free place, or else that of another one, which is then placed.
    """
    import numpy as np

    order = np.full((allowed.shape[1], BLOCK), -1)
    possible = allowed.all(0) & (np.bitwise_or.reduce(allowed, 0) == ALL_CODES)
    problems: Array = np.flatnonzero(possible)
    allowed, count, lowest = allowed[:, problems], len(problems), _lowest_bits()
    bits = np.int32(1) << np.arange(BLOCK, dtype=np.int32)
    places = np.full((BLOCK, count), -1, np.int32)
    free = np.full(count, ALL_CODES, np.int32)
    waiting, current = free - 1, np.zeros(count, np.int32)
    here: Array = np.arange(count)
    before = np.zeros(count, np.int32)
    for _ in range(STEPS):
        if not here.size:
            break
        mask = allowed[current, here] & ~before
        open_ones = mask & free[here]
        mask = np.where(open_ones, open_ones, mask)
        turn = random.integers(BLOCK)
        turned = (mask >> turn | mask << BLOCK - turn) & ALL_CODES
        place = (lowest[turned] + turn) % BLOCK
        stays = mask > 0
        here, place, current = here[stays], place[stays], current[stays]
        out = places[place, here]
        places[place, here] = current
        taken = bits[place]
        free[here] &= ~taken
        next_one = np.where(out < 0, lowest[waiting[here]], out)
        before = np.where(out < 0, 0, taken)
        waiting[here] &= np.where(out < 0, waiting[here] - 1, waiting[here])
        going = next_one < BLOCK
        here, current, before = here[going], next_one[going], before[going]
    is_whole = (free == 0) & (places >= 0).all(0)
    is_whole[here] = False
    matched = np.flatnonzero(is_whole)
    order[problems[matched, np.newaxis], places[:, matched].T] = np.arange(BLOCK)
    return order


@cache
def _lowest_bits() -> Array:
    """The number of the lowest bit of each mask; BLOCK of none."""
    import numpy as np

    masks = np.arange(1 << BLOCK, dtype=np.int32)
    return np.where(masks, np.bitwise_count(masks - 1 & ~masks), BLOCK).astype(np.int32)


def pack_matched(
    weights: Array, layout: PackedLayout | ConvolutionLayout, orders: Orders, shape: Shape
) -> Pieces:
    """Weights [units, depth] in these orders: as `shape`, whose last four dimensions are steps and those of a step."""
    from ...reference.arrays import Pieces

    return Pieces(shape, weights.dtype, lambda: _pieces(weights, layout, orders))


def _pieces(
    weights: Array, layout: PackedLayout | ConvolutionLayout, orders: Orders
) -> Iterator[Array]:
    """Packed weights, those of a chunk at a time: its table and its tiles."""
    import numpy as np

    matched, kr = Matched(weights.shape[1]), layout.kr
    starts = np.array([matched.first(block) for block in range(matched.blocks)], np.int32)
    step = (layout.nr_vectors, layout.lanes, kr)
    for number, blocks in enumerate(_in_chunks(weights, layout)):
        first, second, order = (
            each[number] for each in (orders.first, orders.second, orders.order)
        )
        table = np.zeros((len(first), ENTRY_BYTES), np.uint8)
        table[:, :BLOCK] = order
        places = np.stack([starts[first], starts[second]], 1)
        table[:, BLOCK : BLOCK + places.nbytes // len(first)] = places.view(np.uint8)
        room = np.zeros((matched.table_steps(layout), *step), np.int8)
        room.reshape(-1)[: table.size] = table.reshape(-1).view(np.int8)
        follow = np.take_along_axis(blocks[:, second], order[np.newaxis], 2)
        codes = np.stack([blocks[:, first], follow], -1)
        tiles = codes.reshape(layout.matched_tiles, *step[:2], -1, kr).transpose(0, 3, 1, 2, 4)
        yield np.concatenate([room, tiles.reshape(-1, *step)])
