"""
Which taps the positions of a register tile need, where the first and the last elements of a convolution's input are
zeros.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from ....dialects.kernel import ConvolutionOp
from .. import ir
from ..run_time import extent_value, plus
from ..vectors import index, scaled
from .sizes import TapLoop


def loops_of_positions(op: ConvolutionOp, positions: Sequence[int]) -> dict[int, int]:
    """
    Which loop over positions goes along a dimension of them, for those that have several positions; empty where several
    dimensions are one loop.
    """
    sizes = op.shape[:-1]
    several = [d for d, size in enumerate(sizes) if size > 1]
    if [sizes[d] for d in several] != [size for size in positions if size > 1]:
        return {}
    return {d - 1: loop for loop, d in enumerate(several) if d}


@dataclass(frozen=True)
class LiveTaps:
    """
    A loop over taps of which some see only zeros: what `a` has from `first` to `last` along their dimension may be
    anything, all else is zeros. At place p of loop `positions` over positions, tap t reads place
    `p * stride + t * dilation`.
    """

    positions: int
    first: int
    last: int
    stride: int
    dilation: int

    @classmethod
    def of(
        cls,
        op: ConvolutionOp,
        positions: Sequence[int],
        taps: Sequence[TapLoop],
        fewest: Sequence[int],
    ) -> tuple[Self | None, ...]:
        """
        The live taps of each of these loops over taps, up to the last one that has any. None where a loop leaves
        nothing out, since even the `fewest` positions of a register tile, along each loop, reach beyond the zeros.
        """
        if op.offset:
            return ()
        loops = loops_of_positions(op, positions)
        counts, strides, dilations = op.window()
        found: list[Self | None] = []
        several = [d for d, count in enumerate(counts) if count > 1]
        for d, _ in zip(several, taps, strict=False):
            before, after = op.zeros_around[d]
            if d not in loops or (fewest[loops[d]] - 1) * strides[d] >= max(before, after):
                found.append(None)
                continue
            last = op.input_sizes[d] - after - 1
            found.append(cls(loops[d], before, last, strides[d], dilations[d]))
        while found and found[-1] is None:
            found.pop()
        return tuple(found)

    def limits(
        self, b: ir.IRBuilder, taps: int | ir.Value, place: ir.Value, count: int
    ) -> tuple[ir.Value, ir.Value]:
        """
        The first tap that counts and the number of taps from there on, at `count` places from `place` on. Taps that see
        only zeros are left out, but one tap always remains.
        """
        most = plus(b, taps, -1)
        start = scaled(b, place, self.stride)
        last_start = b.add(start, index((count - 1) * self.stride))
        missing = b.sub(index(self.first + self.dilation - 1), last_start)
        first = _limited(b, b.sdiv(missing, index(self.dilation)), most)
        reached = b.sdiv(b.sub(index(self.last), start), index(self.dilation))
        last = b.smax(_limited(b, reached, most), first)
        return first, b.add(b.sub(last, first), index(1))


def _limited(b: ir.IRBuilder, number: ir.Value, most: int | ir.Value) -> ir.Value:
    """A number, clamped to 0 … `most`."""
    return b.smin(b.smax(number, index(0)), extent_value(most))
