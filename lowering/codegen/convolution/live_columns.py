"""Which taps each position of a line needs, where the first and the last columns of a convolution's input are zeros."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Self

from ....dialects.kernel import ConvolutionLayout, ConvolutionOp, GroupedLayout
from .. import ir
from ..microkernel.microkernel import Accumulators
from ..vectors import index
from .live_taps import loops_of_positions

Live = tuple[tuple[int, ...], ...]
"""For each tap, the rows of a register tile whose products may differ from zero. Empty where all rows need all taps."""


@dataclass(frozen=True)
class LiveColumns:
    """
    The columns of `a` from `first` to `last` may hold anything; all others are zeros. Position p of a line reads column
    `p * stride + t` for each of the `taps` t, which are parts of the inner dimension.
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
        The live columns of an operation whose inner dimension has `depth` elements. None where nothing can be left out:
        where columns are no loop of their own, or the taps of a line are not merged with whole steps of channels.
        """
        before, after = op.zeros_around[-1]
        taps, strides, _ = op.window()
        loops = loops_of_positions(op, positions)
        if op.offset or not before + after or loops.get(len(taps) - 1) != len(positions) - 1:
            return None
        if packed is None or isinstance(packed, GroupedLayout) or op.channels % packed.kr:
            return None
        if taps[-1] == 1 or depth != op.channels * taps[-1]:
            return None
        return cls(before, op.input_sizes[-1] - after - 1, strides[-1], taps[-1])

    def of_tile(self, column: int, lines: int, rows: int) -> Live:
        """The taps that a register tile of so many lines and rows needs, from a column on."""
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
    """The sums of the register tile of this number. There is code for the rarest kind of tile, and for the others."""
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
