"""Images that are read at points between their pixels."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import i32
from xdsl.ir import SSAValue

from .expression import Expression
from .writer import Writer


@dataclass(frozen=True)
class Pixels:
    """
    Images as rows of pixels, `[batch, y * width + x, channel]`. Points are `[batch, point]`; what is read of
    them is `[batch, point, channel]`.
    """

    rows: Expression
    height: int
    width: int

    @classmethod
    def of(cls, write: Writer, image: SSAValue) -> Pixels:
        """Those of images `[batch, channel, height, width]`."""
        given = Expression(write, image)
        batch, channels, height, width = given.shape
        rows = given.reshaped(batch, channels, height * width).transposed(0, 2, 1)
        return cls(rows, height, width)

    def at(self, y: Expression, x: Expression) -> Expression:
        """The pixels at whole numbers, 0 outside."""
        height, width = self.height, self.width
        inside = (y >= 0) & (y < height) & (x >= 0) & (x < width)
        flat = y.to(i32) * width + x.to(i32)
        return self.rows.gathered(inside.where(flat, height * width), 1, batch=1)

    def between(self, y: Expression, x: Expression) -> Expression:
        """Bilinear interpolation between the four pixels around, those outside being 0."""
        return bilinear(self.at, y, x)

    def image(self, points: Expression, height: int, width: int) -> Expression:
        """What was read of points, in rows of a width, as images."""
        batch, _, channels = points.shape
        return points.transposed(0, 2, 1).reshaped(batch, channels, height, width)


Pixel = Callable[[Expression, Expression], Expression]
"""What is read at rows and columns."""


def bilinear(pixel: Pixel, y: Expression, x: Expression) -> Expression:
    """Between the four pixels around."""
    return weighted_sum(pixel, y, x, (0, 1), lambda t: (1 - t, t))


def weighted_sum(
    pixel: Pixel,
    y: Expression,
    x: Expression,
    taps: Sequence[int],
    weights: Callable[[Expression], Sequence[Expression]],
) -> Expression:
    """
    The pixels around points, each times what its row and its column weigh: `taps` are counted from the pixel above
    and left, and `weights` of how far a point lies behind that are one for each of them.
    """
    top, left = y.floor(), x.floor()
    down, across = weights(y - top), weights(x - left)
    lines = (
        total(
            pixel(top + row, left + column) * weighted(weight)
            for column, weight in zip(taps, across, strict=True)
        )
        for row in taps
    )
    return total(line * weighted(weight) for line, weight in zip(lines, down, strict=True))


def total(parts: Iterable[Expression]) -> Expression:
    """The sum of expressions."""
    first, *rest = parts
    for each in rest:
        first = first + each
    return first


def weighted(weights: Expression) -> Expression:
    """A factor for each point, which broadcasts over channels."""
    return weights.reshaped(*weights.shape, 1)
