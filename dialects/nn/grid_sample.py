"""`nn.grid_sample`: images, read at computed points."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import ClassVar

from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType
from xdsl.ir import SSAValue
from xdsl.irdl import operand_def

from ..compatible import compatible_dims
from ..inferred import Constants, choice, floating, shape_of, spelled
from ..names import Names
from ..operation import op_definition
from ..properties import flag_prop, word_prop
from .derived import DerivedOp
from .expression import Expression
from .pixels import Pixel, Pixels, linear, weighted_sum
from .shaped import InputOp
from .writer import Writer

SHARPNESS = -0.75
"""The parameter of cubic interpolation."""

Place = Callable[[Expression, int], Expression]
"""Where in a dimension of a size an index is read."""


@op_definition
class GridSampleOp(InputOp, DerivedOp):
    """
    `result[n, c, h, w]` is `input[n, c]` at the point `(x, y) = grid[n, h, w]`, where -1 and 1 are the image's
    borders, or with `align_corners` the middle of its outer pixels. Volumes have a depth in front of the height, and
    points `(x, y, z)`.

    `mode` takes the `nearest` pixel (of two, the even one), `bilinear` the four around, `bicubic` sixteen. What lies
    outside of the image is 0 (`padding_mode` `zeros`), the nearest pixel (`border`), or what lies opposite of the
    border (`reflection`, which with `align_corners` leaves the outer pixels themselves out).

        %y = nn.grid_sample %x, %grid {align_corners = false, mode = "bilinear", padding_mode = "zeros"}
            : (tensor<1x3x4x5xf32>, tensor<1x2x3x2xf32>) -> tensor<1x3x2x3xf32>
    """

    name = "nn.grid_sample"
    NAMES: ClassVar = Names("GridSample-9", "", "", "GridSample-22")
    NEEDS_KNOWN_SHAPES: ClassVar = True

    grid = operand_def(TensorType)
    align_corners = flag_prop(False)
    mode = word_prop("bilinear")
    padding_mode = word_prop("zeros")

    def infer_shape(self, constants: Constants) -> Sequence[int]:
        choice(self, "mode", "bilinear", "nearest", "bicubic")
        choice(self, "padding_mode", "zeros", "border", "reflection")
        floating(self, self.input)
        floating(self, self.grid)
        image, grid = shape_of(self.input), shape_of(self.grid)
        rank = len(image)
        if rank not in (4, 5) or len(grid) != rank or grid[-1] not in (rank - 2, DYNAMIC_INDEX):
            raise self.op_error(
                "takes images [batch, channels, height, width] and a grid [batch, height, width, 2], or volumes and a "
                f"grid [batch, depth, height, width, 3], not {spelled(image)} and {spelled(grid)}"
            )
        if not compatible_dims(image[0], grid[0]):
            raise self.op_error(f"a grid for {grid[0]} images reads {image[0]}")
        batch = grid[0] if image[0] == DYNAMIC_INDEX else image[0]
        return (batch, image[1], *grid[1:-1])

    def decompose(self, write: Writer) -> SSAValue:
        image, grid = Pixels.of(write, self.input), Expression(write, self.grid)
        batch, *sizes, rank = grid.shape
        grid = grid.to(image.rows.element).reshaped(batch, prod(sizes), rank)
        point = [
            self._scaled(each, size)
            for each, size in zip(reversed(grid.columns()), image.sizes, strict=True)
        ]
        place = _PLACES[self.padding_mode.data]
        if self.padding_mode.data == "reflection" and self.align_corners:
            place = _reflected_within

        def pixel(*point: Expression) -> Expression:
            return image.at(*map(place, point, image.sizes))

        return image.image(_READERS[self.mode.data](pixel, point), *sizes).value

    def _scaled(self, place: Expression, size: int) -> Expression:
        """Coordinates in pixels; the middle of the first pixel is at 0."""
        if self.align_corners:
            return (place + 1) * ((size - 1) / 2)
        return ((place + 1) * size - 1) * 0.5


def _nearest(pixel: Pixel, point: Sequence[Expression]) -> Expression:
    return pixel(*(each.rounded() for each in point))


def _bicubic(pixel: Pixel, point: Sequence[Expression]) -> Expression:
    return weighted_sum(pixel, point, (-1, 0, 1, 2), _cubic)


def _cubic(t: Expression) -> Sequence[Expression]:
    """The weights of four elements at a place `t` behind the second of them (cubic convolution)."""

    def near(d: Expression) -> Expression:
        return (d * (SHARPNESS + 2) - (SHARPNESS + 3)) * d * d + 1

    def far(d: Expression) -> Expression:
        return ((d * SHARPNESS - 5 * SHARPNESS) * d + 8 * SHARPNESS) * d - 4 * SHARPNESS

    return far(t + 1), near(t), near(1 - t), far(2 - t)


_READERS = {"nearest": _nearest, "bilinear": linear, "bicubic": _bicubic}


def _same(index: Expression, size: int) -> Expression:
    return index


def _clipped(index: Expression, size: int) -> Expression:
    return index.at_least(0).at_most(size - 1)


def _reflected(index: Expression, size: int) -> Expression:
    around = index % (2 * size)
    return (around < size).where(around, (2 * size - 1) - around)


def _reflected_within(index: Expression, size: int) -> Expression:
    if size == 1:
        return index * 0
    around = index % (2 * size - 2)
    return (around < size).where(around, (2 * size - 2) - around)


_PLACES: dict[str, Place] = {"zeros": _same, "border": _clipped, "reflection": _reflected}
