"""Sums of a register tile on the stack, over which an epilogue loops."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Self

from . import ir
from .vectors import index, scaled


@dataclass(frozen=True)
class Spilled:
    """
    Vectors of sums at an address, position by position. Each position has so many `vectors` of units, and each of these
    so many `sums`.
    """

    address: ir.Value
    type: ir.Type
    vectors: int
    sums: int

    @classmethod
    def room(
        cls, b: ir.IRBuilder, type: ir.Type, vectors: int, positions: int, sums: int = 1
    ) -> Self:
        """Memory for sums, which nothing has written yet."""
        return cls(b.alloca(type, vectors * positions * sums), type, vectors, sums)

    @classmethod
    def of(
        cls, b: ir.IRBuilder, accumulators: Mapping[tuple[int, int], Sequence[ir.Value]]
    ) -> Self:
        """Stores accumulators, which are listed by vector and position."""
        (first, *_), *_ = accumulators.values()
        last, _ = max(accumulators)
        vectors = last + 1
        positions, sums = len(accumulators) // vectors, len(accumulators[0, 0])
        found = cls.room(b, first.type, vectors, positions, sums)
        for position in range(positions):
            for v in range(vectors):
                for j, value in enumerate(accumulators[v, position]):
                    place = (position * vectors + v) * sums + j
                    b.store(value, b.gep(found.address, index(place), first.type))
        return found

    def load(
        self, b: ir.IRBuilder, first: ir.Value, positions: int
    ) -> dict[tuple[int, int], list[ir.Value]]:
        """The accumulators of so many positions, by vector and position from the first one on."""
        start = b.gep(self.address, scaled(b, first, self.vectors * self.sums), self.type)

        def at(place: int) -> ir.Value:
            return b.load(b.gep(start, index(place), self.type), self.type)

        return {
            (v, position): [
                at((position * self.vectors + v) * self.sums + j) for j in range(self.sums)
            ]
            for v in range(self.vectors)
            for position in range(positions)
        }
