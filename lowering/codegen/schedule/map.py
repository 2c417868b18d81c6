"""How a map goes over its points."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import gcd, prod
from typing import Self

from ...machine import FIRST_LEVEL_WAY_BYTES, FIRST_LEVEL_WAYS, Isa
from .merging import merge_loops

MANY = 16
"""Iterations that a few threads can divide fairly."""


MOST_TILES_ALONG = 4
"""
Transpose tiles that follow each other along vectors: of 8 lanes, two cache lines of f32. Lines of an image may lie as
far apart as those of a cache that share a set; then one would be gone before its other half is read or written.
"""


@dataclass(frozen=True)
class MapSchedule:
    """
    Loops over `outer`, then vectors along `inner`. Strides, in elements, are listed by operand (`outer` then
    by loop). Neighbouring dimensions that all operands step through alike are merged, and those of size 1 are left out.

    Where an operand is contiguous along another dimension, `transposed` is the size of that (else 0): points are
    computed in transpose tiles, which are transposed in registers for that operand. Where that has at most
    `MOST_INTERLEAVED` points, as channels of an image have, tiles have all of them, and lie in memory without gaps.
    """

    outer: tuple[int, ...]
    transposed: int
    inner: int
    outer_strides: tuple[tuple[int, ...], ...]
    transposed_strides: tuple[int, ...]
    inner_strides: tuple[int, ...]

    @classmethod
    def choose(
        cls,
        isa: Isa,
        domain: Sequence[int],
        strides: Sequence[Sequence[int]],
        outs: int = 0,
        often: Sequence[int] = (),
        lookups: int = 0,
    ) -> Self:
        """
        For operands that move by `strides[operand][d]` along dimension d of the domain. There may be transpose tiles
        where the last `outs` operands are written. The first operands are read so `often` at a point; others once.
        The first `lookups` operands are read where indices say, which are as many operands behind them.
        """
        by_dimension = [[operand[d] for operand in strides] for d in range(len(domain))]
        sizes, steps = merge_loops(domain, by_dimension)
        if not sizes:
            sizes, steps = [1], [[0] * len(strides)]
        inner = _vector_dimension(isa, sizes, steps, often, lookups)
        vector_steps = steps.pop(inner)
        size = sizes.pop(inner)
        transposed, transposed_steps = 0, [0] * len(strides)
        level = _transposed_loop(isa, size, sizes, vector_steps, steps, outs) if outs else None
        if level is not None:
            transposed, transposed_steps = sizes.pop(level), steps.pop(level)
        by_operand = tuple(tuple(step[o] for step in steps) for o in range(len(strides)))
        return cls(
            tuple(sizes), transposed, size, by_operand, tuple(transposed_steps), tuple(vector_steps)
        )

    def is_transposed(self, operand: int) -> bool:
        """Whether an operand is contiguous along the transposed dimension, not along the vectors."""
        return self.transposed_strides[operand] == 1 and self.inner_strides[operand] not in (0, 1)

    @property
    def is_interleaved(self) -> bool:
        """Whether tiles have the whole of `transposed`, and loops go over those along `inner` alone."""
        across = [
            step for o, step in enumerate(self.inner_strides) if self.transposed_strides[o] == 1
        ]
        has_no_gaps = all(step in (0, 1, self.transposed) for step in across)
        return 0 < self.transposed <= MOST_INTERLEAVED and has_no_gaps

    def tiles_along(self, isa: Isa, sizes: Sequence[int]) -> int:
        """
        How many transpose tiles follow each other along vectors, for operands of so many bytes an element.

        There are several where going down one that is contiguous along vectors takes larger steps than going down any
        transposed one. Of a transposed one, each tile then reads or writes lines of its own, and those of all these
        tiles stay in half of the first-level cache.
        """
        across = self._bytes(self.inner_strides, sizes, True)
        down = self._bytes(self.transposed_strides, sizes, False)
        if max(across, default=0) >= max(down, default=0):
            return 1
        sets = [FIRST_LEVEL_WAY_BYTES // gcd(FIRST_LEVEL_WAY_BYTES, step) for step in across]
        lines = FIRST_LEVEL_WAYS * min(sets, default=1)
        return max(1, min(MOST_TILES_ALONG, lines // (2 * isa.lanes)))

    def _bytes(
        self, strides: Sequence[int], sizes: Sequence[int], is_transposed: bool
    ) -> list[int]:
        """How far operands move that are transposed, or are not."""
        return [
            abs(step) * size
            for o, (step, size) in enumerate(zip(strides, sizes, strict=True))
            if self.is_transposed(o) == is_transposed
        ]

    def partitioned_loop(self, strip: int, outs: int) -> int | None:
        """
        The loop that threads divide, the strips of so many points of `inner` (or the transpose tiles along
        `transposed`) after all of `outer`: the first long one, or else the longest. Where several points write to one
        element, they stay together.
        """
        goes_down = self.transposed > 0 and not self.is_interleaved
        counts = [*self.outer, (self.transposed if goes_down else self.inner) // strip]
        apart = [
            all(strides[level] for strides in self.outer_strides[-outs:])
            for level in range(len(self.outer))
        ]
        apart.append(all((self.transposed_strides if goes_down else self.inner_strides)[-outs:]))
        levels = [level for level, is_apart in enumerate(apart) if is_apart]
        long = [level for level in levels if counts[level] >= MANY]
        return next(iter(long), max(levels, key=lambda level: counts[level], default=None))


def _vector_dimension(
    isa: Isa,
    sizes: Sequence[int],
    steps: Sequence[Sequence[int]],
    often: Sequence[int],
    lookups: int,
) -> int:
    """Where most accesses are contiguous or repeat and vectors are full; the last of equals."""

    def gain(d: int) -> tuple[float, int]:
        smooth = 0
        for o, step in enumerate(steps[d]):
            jumps = o < lookups and steps[d][lookups + o] != 0
            if step in (0, 1) and not jumps:
                smooth += often[o] if o < len(often) else 1
        used = sizes[d] / (-(-sizes[d] // isa.lanes) * isa.lanes) if sizes[d] else 1.0
        return (smooth * used, d)

    return max(range(len(sizes)), key=gain)


FEWEST_TRANSPOSE_TILES = 16
"""The least number of tiles that is worth their code."""

FULL = 0.5
"""
The least part of all tiles that elements have to fill. Where remainders are not masked, a tile is full along one
dimension at least.
"""

MOST_INTERLEAVED = 4
"""The largest number of vectors that one shuffle, or three, interleave."""


def _transposed_loop(
    isa: Isa,
    size: int,
    sizes: Sequence[int],
    steps: Sequence[int],
    outer: Sequence[Sequence[int]],
    outs: int,
) -> int | None:
    """The loop along which most operands are contiguous that are not so along the vectors, of `size` points."""

    def gain(level: int) -> int:
        return sum(a == 1 and b not in (0, 1) for a, b in zip(outer[level], steps, strict=True))

    level = max(range(len(sizes)), key=gain, default=None)
    if level is None or not gain(level) or not all(steps[-outs:]) or not all(outer[level][-outs:]):
        return None
    high, fewest = sizes[level], FEWEST_TRANSPOSE_TILES * isa.lanes**2
    across = [along for down, along in zip(outer[level], steps, strict=True) if down == 1]
    has_no_gaps = all(along in (0, 1, high) for along in across)
    is_narrow = high <= MOST_INTERLEAVED and has_no_gaps
    if is_narrow:
        return level if size * prod(sizes) >= fewest else None
    if size * prod(sizes) < fewest or (min(size, high) < isa.lanes and not isa.has_evex):
        return None
    tiles = prod(-(-count // isa.lanes) for count in (size, high))
    return level if size * high >= FULL * tiles * isa.lanes**2 else None
