"""Which taps of a convolution see only padding, and for which outputs: regions, each a convolution of fewer taps."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import product
from math import prod
from typing import Self, TypeAlias

from ...dialects.inferred import static_shape
from ...dialects.nn.convolution import ForwardConvolution

START_POSITIONS = 8
"""The cost of reading a region's filters and filling registers, in positions, about."""

WORTH = 0.9
"""Taps are left out only if that leaves at most this part of the multiply-accumulates."""

MANY = 1 << 8
"""The number of convolutions whose regions are remembered: in a network, few differ."""

MOST_CUTS = 16
"""The most places along one dimension between which regions are chosen."""

MOST_REGIONS = 1 << 7
"""The most regions of one convolution: each is a kernel, which takes some milliseconds to compile."""


@dataclass(frozen=True)
class WindowDimension:
    """One spatial dimension of a convolution: output p reads inputs `p * stride + tap * dilation - before`."""

    taps: int
    stride: int
    dilation: int
    before: int
    size: int
    result: int

    @classmethod
    def each(cls, op: ForwardConvolution) -> list[Self]:
        """The dimensions of a convolution whose sizes are known."""
        kernel = op.split_filters(static_shape(op.filters)).kernel
        window, sizes = op.window(kernel), static_shape(op.input)[2:]
        before = [first for first, _ in window.padding(sizes)]
        results = static_shape(op.result)[2:]
        fields = (kernel, window.strides, window.dilations, before, sizes, results)
        return [cls(*numbers) for numbers in zip(*fields, strict=True)]

    @cached_property
    def reads(self) -> Sequence[tuple[int, int]]:
        """For each output, the first and the last tap that reads an input; (taps, -1) if there is none."""
        found = list[tuple[int, int]]()
        for start in range(-self.before, self.result * self.stride - self.before, self.stride):
            low = max(-(start // self.dilation), 0)
            high = min((self.size - 1 - start) // self.dilation, self.taps - 1)
            found.append((low, high) if low <= high else (self.taps, -1))
        return found

    def readers(self, tap: int) -> int:
        """The number of outputs for which a tap reads an input."""
        start = tap * self.dilation - self.before
        first = max(-(start // self.stride), 0)
        last = min((self.size - 1 - start) // self.stride, self.result - 1)
        return max(last - first + 1, 0)

    def live(self, first: int, last: int) -> tuple[int, int]:
        """The first and the last tap that reads an input for one of these outputs; the first tap if there is none."""
        reads = self.reads[first : last + 1]
        low = min((low for low, _ in reads), default=self.taps)
        high = max((high for _, high in reads), default=-1)
        return (low, high) if low <= high else (0, 0)

    @cached_property
    def cuts(self) -> Sequence[int]:
        """The outputs that need other taps than the output before."""
        live = [each if each[1] >= 0 else (0, 0) for each in self.reads]
        return [p for p in range(1, self.result) if live[p] != live[p - 1]]


def live_part(lines: Sequence[WindowDimension]) -> float:
    """The part of all products whose taps read an input."""
    return prod(
        sum(map(line.readers, range(line.taps))) / (line.result * line.taps) for line in lines
    )


@dataclass(frozen=True)
class Segment:
    """Outputs `first` to `last` of a line, which need the taps from `low` to `high`."""

    line: WindowDimension
    first: int
    last: int
    low: int
    high: int

    @classmethod
    def of(cls, line: WindowDimension, first: int, last: int) -> Self:
        return cls(line, first, last, *line.live(first, last))

    @property
    def count(self) -> int:
        """The number of outputs."""
        return self.last - self.first + 1

    @property
    def taps(self) -> int:
        return self.high - self.low + 1

    @property
    def span(self) -> int:
        """The number of inputs from the first to the last that is read."""
        line = self.line
        return (self.count - 1) * line.stride + (self.taps - 1) * line.dilation + 1

    @property
    def pads(self) -> tuple[int, int]:
        """The padding before the first and after the last input; negative where inputs are left out."""
        line = self.line
        begin = line.before - self.first * line.stride - self.low * line.dilation
        end = self.last * line.stride + self.high * line.dilation - line.before - (line.size - 1)
        return begin, end


@dataclass(frozen=True)
class Regions:
    """The segments of each dimension. A region is a combination of one segment of each."""

    segments: tuple[tuple[Segment, ...], ...]

    @classmethod
    @lru_cache(MANY)
    def choose(cls, *lines: WindowDimension, divided: int, batch: int = 1) -> Self | None:
        """
        The regions, at most `MOST_REGIONS`, with the fewest multiplications for so many images; only the first so many
        `divided` dimensions have several. None where the whole convolution takes about as few.
        """
        choices = [_choices(line, is_divided=d < divided) for d, line in enumerate(lines)]
        few = (
            choice
            for choice in product(*choices)
            if prod(len(segments) for segments, _, _ in choice) <= MOST_REGIONS
        )
        best = min(few, key=lambda choice: _cost(choice, batch))
        everything = START_POSITIONS + batch * prod(line.result for line in lines)
        if _cost(best, batch) > WORTH * everything * prod(line.taps for line in lines):
            return None
        return cls(tuple(segments for segments, _, _ in best))

    def parts(self) -> Iterator[tuple[Segment, ...]]:
        """The regions."""
        return product(*self.segments)


def _cost(choice: Sequence[_Choice], batch: int) -> int:
    """
    Positions times taps of all regions, about, `START_POSITIONS` more in each, given the choice for each dimension: the
    sum of products over all regions is the product of sums.
    """
    starts = START_POSITIONS * prod(taps for _, taps, _ in choice)
    return starts + batch * prod(products for _, _, products in choice)


_Choice: TypeAlias = tuple[tuple[Segment, ...], int, int]
"""Segments of a line, and the sums of their taps, and of their positions times taps."""


def _choices(line: WindowDimension, *, is_divided: bool) -> list[_Choice]:
    """
    The whole line or, if it may be divided, segments between some of its cuts too: those with fewer products than all
    of as few taps.
    """
    cuts = line.cuts if is_divided and len(line.cuts) <= MOST_CUTS else ()
    ends = (0, *cuts, line.result)
    best: list[list[_Choice]] = [[((), 0, 0)]]  # up to each end
    for end in ends[1:]:
        found = list[_Choice]()
        for first, before in zip(ends, best, strict=False):
            each = Segment.of(line, first, end - 1)
            found += [
                ((*segments, each), taps + each.taps, products + each.count * each.taps)
                for segments, taps, products in before
            ]
        best.append(_undominated(found))
    return best[-1]


def _undominated(choices: Sequence[_Choice]) -> list[_Choice]:
    """Those with fewer products than all of as few taps; the one of fewer segments where both are the same."""
    found = list[_Choice]()
    for choice in sorted(choices, key=lambda each: (*each[1:], len(each[0]))):
        if not found or choice[2] < found[-1][2]:
            found.append(choice)
    return found
