"""Bilinear interpolation: images that are read at points between their pixels."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from math import prod

from xdsl.dialects.builtin import i32, i64
from xdsl.ir import SSAValue

from .expression import Expression
from .writer import Writer


@dataclass(frozen=True)
class Pixels:
    """
    Images as rows of pixels, `[batch, y * width + x, channel]`, or of more dimensions. Points are `[batch, point]`;
    what is read of them is `[batch, point, channel]`.
    """

    rows: Expression
    sizes: tuple[int, ...]
    first: Expression | None = None
    """Where in the rows the image begins that a point reads, where all images are in one batch."""

    @classmethod
    def of(cls, write: Writer, image: SSAValue) -> Pixels:
        """The pixels of images `[batch, channel, height, width]`."""
        given = Expression(write, image)
        batch, channels, *sizes = given.shape
        rows = given.reshaped(batch, channels, prod(sizes)).transposed(0, 2, 1)
        return cls(rows, tuple(sizes))

    @classmethod
    def shared(cls, write: Writer, image: SSAValue, which: Expression, points: int) -> Pixels:
        """
        Those that regions read. Region r has so many points, which are one batch `[1, region * point]`, and
        reads image `which[r]`.
        """
        batch, _, height, width = Expression(write, image).shape
        rows = cls.of(write, image).rows
        rows = rows.reshaped(1, batch * height * width, rows.shape[2])
        (regions,) = which.shape
        first = which.to(i32).reshaped(regions, 1) * (height * width)
        first = first.broadcast(regions, points).reshaped(1, regions * points)
        return cls(rows, (height, width), first)

    def at(self, *place: Expression) -> Expression:
        """The pixels at whole numbers, 0 outside."""
        steps = [prod(self.sizes[dim + 1 :]) for dim in range(len(self.sizes))]
        index, rows = total(map(self._along, place, self.sizes, steps)), self.rows.shape[1]
        if self.first is not None:
            index = (index < rows).where(index + self.first.to(index.element), rows)
        return self.rows.gathered(index, 1, batch=1)

    def _along(self, place: Expression, size: int, step: int) -> Expression:
        """What a place in a dimension adds to an index of the rows; outside, a number beyond all of them."""
        rows = self.rows.shape[1]
        index = i32 if (len(self.sizes) + 1) * rows < 1 << 31 else i64
        inside, number = (place >= 0) & (place < size), place.to(index)
        return inside.where(number if step == 1 else number * step, rows)

    def between(self, y: Expression, x: Expression) -> Expression:
        """Bilinear interpolation; pixels outside are 0."""
        return linear(self.at, (y, x))

    def within(self, y: Expression, x: Expression, joined: Join) -> Expression:
        """
        Bilinear interpolation, or its terms joined otherwise, with the outer pixels repeated once; 0 beyond.
        """
        height, width = self.sizes
        inside = (y >= -1) & (y <= height) & (x >= -1) & (x <= width)
        y, x = y.at_least(0).at_most(height - 1), x.at_least(0).at_most(width - 1)
        value = linear(self.at, (y, x), joined)
        return weighted(inside).where(value, 0)

    def image(self, points: Expression, *sizes: int) -> Expression:
        """What was read of points, row by row, as images."""
        batch, _, channels = points.shape
        return points.transposed(0, 2, 1).reshaped(batch, channels, *sizes)


Pixel = Callable[..., Expression]
"""What is read at rows and columns, and further dimensions in front."""


Join = Callable[[Iterable[Expression]], Expression]
"""What becomes of pixels that are weighted: their sum, or the greatest."""


def total(parts: Iterable[Expression]) -> Expression:
    """The sum of expressions."""
    first, *rest = parts
    for each in rest:
        first = first + each
    return first


def greatest(parts: Iterable[Expression]) -> Expression:
    """The greatest of expressions, element by element."""
    first, *rest = parts
    for each in rest:
        first = first.at_least(each)
    return first


def linear(pixel: Pixel, place: Sequence[Expression], joined: Join = total) -> Expression:
    """Between the pixels around."""
    return weighted_sum(pixel, place, (0, 1), lambda t: (1 - t, t), joined)


def weighted_sum(
    pixel: Pixel,
    place: Sequence[Expression],
    taps: Sequence[int],
    weights: Callable[[Expression], Sequence[Expression]],
    joined: Join = total,
) -> Expression:
    """
    The pixels around points, each times what its row and its column weigh: `taps` are counted from the pixel above
    and left, and `weights` of how far a point lies behind that are one for each of them.
    """
    firsts = [each.floor() for each in place]
    lines = [weights(each - first) for each, first in zip(place, firsts, strict=True)]
    return _weighted_sum(pixel, firsts, lines, taps, joined)


def _weighted_sum(
    pixel: Pixel,
    firsts: Sequence[Expression],
    lines: Sequence[Sequence[Expression]],
    taps: Sequence[int],
    joined: Join,
) -> Expression:
    if not firsts:
        return pixel()
    first, *others = firsts
    return joined(
        _weighted_sum(partial(pixel, first + tap), others, lines[1:], taps, joined)
        * weighted(weight)
        for tap, weight in zip(taps, lines[0], strict=True)
    )


def weighted(weights: Expression) -> Expression:
    """A factor for each point, which broadcasts over channels."""
    return weights.reshaped(*weights.shape, 1)
