"""Reshapes that merge neighbouring dimensions, and kernels that iterate over the dimensions before merging."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import Self

from xdsl.ir import Block, Operation

from ...dialects import kernel
from ...dialects.inferred import Shape, shape_of
from ...dialects.kernel import Access, Term

Split = Mapping[int, Shape]
"""The dimensions of a domain or a window that are split, with the sizes of their parts."""


@dataclass(frozen=True)
class Collapse:
    """A reshape. Each dimension of its result is a run of dimensions of its input: `runs`, by dimension."""

    op: kernel.ReshapeOp
    source: Shape
    runs: tuple[tuple[int, ...], ...]

    @classmethod
    def of(cls, op: Operation | Block) -> Self | None:
        """The collapse that a reshape is."""
        if not isinstance(op, kernel.ReshapeOp):
            return None
        source = tuple(shape_of(op.input))
        runs = runs_of(source, shape_of(op.result))
        return None if runs is None else cls(op, source, runs)

    def split(self, access: Access, domain: Sequence[int]) -> dict[int, Shape] | None:
        """
        How a domain along which the result is read must be split into the dimensions of the input. None where a merged
        dimension is not read from begin to end.
        """
        found: dict[int, Shape] = {}
        for number, term in enumerate(access.terms):
            sizes = self.merged(number)
            if len(sizes) < 2:
                continue
            if term.dim is None or term != Term(term.dim) or domain[term.dim] != prod(sizes):
                return None
            if term.dim in found:
                return None
            found[term.dim] = sizes
        return found

    def read(self, access: Access, split: Split) -> Access:
        """The access to the input, after the domain was split."""
        terms = [Term(None)] * len(self.source)
        for number, term in enumerate(access.terms):
            (first, *_), several = places(term, split), len(self.merged(number)) > 1
            inside = [d for d in self.runs[number] if self.source[d] != 1]
            for n, d in enumerate(inside):
                terms[d] = Term(first.dim + n) if several and first.dim is not None else first
        return Access(rank_after(access.rank, split), tuple(terms))

    def merged(self, dim: int) -> Shape:
        """The sizes that a dimension of the result is merged of, without those of 1."""
        return tuple(self.source[d] for d in self.runs[dim] if self.source[d] != 1)


def runs_of(source: Shape, target: Sequence[int]) -> tuple[tuple[int, ...], ...] | None:
    """For each size of the target, the run of sizes of the source whose product it is."""
    if 0 in source:
        return None
    runs: list[tuple[int, ...]] = []
    at = 0
    for size in target:
        begin, covered = at, 1
        if size == 1 and at < len(source) and source[at] == 1:
            at += 1
        while covered < size and at < len(source):
            covered *= source[at]
            at += 1
        if covered != size:
            return None
        runs.append(tuple(range(begin, at)))
    return tuple(runs) if all(size == 1 for size in source[at:]) else None


def rank_after(rank: int, split: Split) -> int:
    """The number of dimensions after the split."""
    return rank + sum(len(sizes) - 1 for sizes in split.values())


def places(term: Term, split: Split) -> list[Term]:
    """The terms that replace one: several where its dimension is split."""
    if term.dim is None:
        return [term]
    first = term.dim + sum(len(sizes) - 1 for dim, sizes in split.items() if dim < term.dim)
    if term.dim in split:
        return [Term(first + n) for n in range(len(split[term.dim]))]
    return [Term(first, term.step, term.offset)]


def sizes_after(sizes: Sequence[int], split: Split) -> Shape:
    """A domain or window after the split."""
    return tuple(part for d, size in enumerate(sizes) for part in split.get(d, (size,)))


def uses(access: Access, split: Split) -> bool:
    """Whether an access depends on a dimension that is split."""
    return any(term.dim in split for term in access.terms)


def renumbered(access: Access, split: Split) -> Access:
    """An access that depends on no split dimension, in the new domain."""
    terms = tuple(place for term in access.terms for place in places(term, split))
    return Access(rank_after(access.rank, split), terms)
