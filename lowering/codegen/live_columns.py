"""Which positions of a line need which taps, where the first and last columns of a convolution's input are zeros."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Self

from ...dialects.kernel import ConvolutionLayout, ConvolutionOp, GroupedLayout
from . import ir
from .microkernel import Accumulators
from .vectors import index

Live = tuple[tuple[int, ...], ...]
"""For each tap, the rows of a register tile that see more than zeros; empty where all rows do for all taps."""


@dataclass(frozen=True)
class LiveColumns:
    """
    Columns of a from `first` to `last` are not known to be zeros. Position p of a line reads column `p * stride + t`
    for each t of the `taps`, which are parts of the inner dimension.
    """

    first: int
    last: int
    stride: int
    taps: int

    @classmethod
    def of(
        cls,
        op: ConvolutionOp,
        positions: Sequence[int],
        depth: int,
        packed: ConvolutionLayout | None,
    ) -> Self | None:
        """
        Those of an operation whose inner dimension has so many elements; None where nothing can be left out: lines are
        no loop of their own, or a line's taps are not what is merged with whole steps of channels.
        """
        before, after = op.columns_of_zeros
        taps, strides, _ = op.window()
        if op.offset or not before + after or op.shape[1:-1] != tuple(positions[-2:]):
            return None
        if packed is None or isinstance(packed, GroupedLayout) or op.channels % packed.kr:
            return None
        if taps[-1] == 1 or depth != op.channels * taps[-1]:
            return None
        width = op.input_sizes[-1]
        return cls(before, width - after - 1, strides[-1], taps[-1])

    def of_tile(self, column: int, lines: int, rows: int) -> Live:
        """Of a register tile of so many lines and rows from a column on."""
        found = [
            [j for j in range(rows) if self.first <= (column + j) * self.stride + t <= self.last]
            for t in range(self.taps)
        ]
        if all(len(each) == rows for each in found):
            return ()
        return tuple(tuple(i * rows + j for i in range(lines) for j in each) for each in found)


def sums_of_one(
    b: ir.IRBuilder,
    live: Mapping[int, Live],
    number: ir.Value,
    sums: Callable[[Live], Accumulators],
) -> Accumulators:
    """What `sums` gives for the taps of one of these tiles: code for the rarest kind, and for the others."""
    kinds = list(live.values())
    rarest, *others = sorted(dict.fromkeys(kinds), key=kinds.count)
    if not others:
        return sums(rarest)
    left = {n: each for n, each in live.items() if each != rarest}
    is_rarest = reduce(
        b.or_, [b.icmp_signed("==", number, index(n)) for n in live if n not in left]
    )
    with b.if_else(is_rarest) as (then, otherwise):
        with then:
            first, first_block = sums(rarest), b.block
        with otherwise:
            second, second_block = sums_of_one(b, left, number, sums), b.block
    found: Accumulators = {}
    for key, value in first.items():
        found[key] = phi = b.phi(value.type)
        phi.add_incoming(value, first_block)
        phi.add_incoming(second[key], second_block)
    return found
