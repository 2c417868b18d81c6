"""
Which taps the positions of some lines need, where the first and the last lines of a convolution's input are zeros.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from ....dialects.kernel import ConvolutionOp, strides_of
from .. import ir
from ..elements import memref
from ..run_time import extent_value, plus
from ..vectors import index, scaled


@dataclass(frozen=True)
class LiveLines:
    """
    The lines of `a` from `first` to `last` may hold anything; all others are zeros. The first loop over taps goes along
    lines: tap t of the positions in line p reads line `p * stride + t * dilation`.
    """

    first: int
    last: int
    stride: int
    dilation: int

    @classmethod
    def of(
        cls, op: ConvolutionOp, positions: Sequence[int], taps: Sequence[tuple[int, int, int]]
    ) -> Self | None:
        """
        The live lines of an operation whose loops over taps are these. None where nothing can be left out, or lines are
        no loop of their own.
        """
        before, after = op.lines_of_zeros
        (count, *_), (stride, *_), (dilation, *_) = op.window()
        if op.offset or not before + after or op.shape[1:-1] != tuple(positions[-2:]) or not taps:
            return None
        lines = dilation * strides_of(memref(op.a))[1]
        if taps[0][:2] != (count, lines):
            return None
        return cls(before, memref(op.a).get_shape()[1] - after - 1, stride, dilation)

    def taps(
        self, b: ir.IRBuilder, taps: int | ir.Value, line: ir.Value, count: int
    ) -> tuple[ir.Value, ir.Value]:
        """
        The first tap that counts and the number of taps from there on, of the positions of `count` lines from `line`
        on. Taps that see only zeros are left out, but one tap always remains.
        """
        most = plus(b, taps, -1)
        start = scaled(b, line, self.stride)
        last_start = b.add(start, index((count - 1) * self.stride))
        missing = b.sub(index(self.first + self.dilation - 1), last_start)
        first = _limited(b, b.sdiv(missing, index(self.dilation)), most)
        reached = b.sdiv(b.sub(index(self.last), start), index(self.dilation))
        last = b.smax(_limited(b, reached, most), first)
        return first, b.add(b.sub(last, first), index(1))


def _limited(b: ir.IRBuilder, number: ir.Value, most: int | ir.Value) -> ir.Value:
    """A number, clamped to 0 … `most`."""
    return b.smin(b.smax(number, index(0)), extent_value(most))
