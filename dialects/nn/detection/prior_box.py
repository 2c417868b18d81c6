"""Boxes of several sizes around the middle of each cell, from which detectors of objects start."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from math import sqrt
from typing import TYPE_CHECKING, Any, ClassVar

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ArrayAttr,
    BoolAttr,
    Float64Type,
    FloatAttr,
    TensorType,
    f32,
)
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import operand_def, result_def

from ...blob import BlobAttr
from ...inferred import INDEX, Constants, shape_of
from ...names import Names
from ...operation import op_definition
from ...properties import flag_prop, number_prop, numbers_prop
from ..derived import DerivedOp
from ..writer import Writer

NUMBERS = ArrayAttr[FloatAttr[Float64Type]]
"""A list of numbers."""

Extent = tuple[float, float]
"""Width and height of a box."""

Place = tuple[float, float, float, float]
"""Where the middle of a box lies from that of its cell, in x and y, and its width and height."""


def _listed(numbers: NUMBERS) -> list[float]:
    return [float(number.value.data) for number in numbers]


class PriorOp(DerivedOp, ABC):
    """Boxes for cells `[height, width]` of an image `[height, width]`, and their variances."""

    output_size = operand_def(INDEX)
    image_size = operand_def(INDEX)
    result = result_def(TensorType.constr(f32))
    if TYPE_CHECKING:
        clip: BoolAttr  # each operation has a default of its own
    offset = number_prop()
    variance = numbers_prop(())

    @abstractmethod
    def extents(self, height: float) -> list[Extent]:
        """The boxes of each cell, in pixels of an image of that height."""

    def dense(self) -> list[Place]:
        """Boxes of each cell that come first, in pixels: those that begin outside of the image begin at its border."""
        return []

    @abstractmethod
    def middle(self, cell: int, cells: int, image: int, is_row: bool) -> float:
        """Where the middle of the boxes of a cell lies in a dimension, in pixels."""

    def infer_types(self, constants: Constants) -> Sequence[Attribute]:
        for name, value in (("output_size", self.output_size), ("image_size", self.image_size)):
            if shape_of(value) not in ((2,), (DYNAMIC_INDEX,)):
                raise self.op_error(f"{name} is a {value.type}; it must be two sizes")
        if len(self.variance) not in (0, 1, 4):
            raise self.op_error(f"{len(self.variance)} variances; use 1 or 4")
        sizes, count = constants(self.output_size), len(self.dense()) + len(self.extents(1))
        if sizes is None:
            return [TensorType(f32, (2, DYNAMIC_INDEX))]
        return [TensorType(f32, (2, 4 * sizes[0] * sizes[1] * count))]

    def decompose(self, write: Writer) -> SSAValue:
        """It is a constant."""
        rows, columns = self.known(self.output_size, "output_size")
        height, width = self.known(self.image_size, "image_size")
        boxes = [limit for box in self._boxes(rows, columns, height, width) for limit in box]
        if self.clip:
            boxes = [min(max(limit, 0.0), 1.0) for limit in boxes]
        variances = _listed(self.variance) or [0.1]
        repeated = variances * (len(boxes) // len(variances))
        type: TensorType[Any] = TensorType(f32, (2, len(boxes)))
        return write.constant(BlobAttr.of(type, [*boxes, *repeated]))

    def _boxes(
        self, rows: int, columns: int, height: int, width: int
    ) -> Iterator[tuple[float, float, float, float]]:
        extents, dense = self.extents(height), self.dense()
        for row in range(rows):
            y = self.middle(row, rows, height, True)
            for column in range(columns):
                x = self.middle(column, columns, width, False)
                for dx, dy, w, h in dense:
                    left, top, right, bottom = _limits(x + dx, y + dy, w, h, width, height)
                    yield max(left, 0.0), max(top, 0.0), min(right, 1.0), min(bottom, 1.0)
                for w, h in extents:
                    yield _limits(x, y, w, h, width, height)


def _limits(
    x: float, y: float, w: float, h: float, width: int, height: int
) -> tuple[float, float, float, float]:
    """Of a box, as parts of an image."""
    return (
        (x - w / 2) / width,
        (y - h / 2) / height,
        (x + w / 2) / width,
        (y + h / 2) / height,
    )


@op_definition
class PriorBoxClusteredOp(PriorOp):
    """
    Of each cell, boxes of the sizes `width` and `height` in pixels, around `(cell + offset) * step`; row 0 of the
    result has their limits (left, top, right, bottom, as parts of the image), row 1 their variances.

    `step_w` and `step_h` of 0 are `step`, and that of 0 is the size of the image by that of the cells. With `clip`,
    the default, limits stay within the image.

        %cells = nn.constant dense<[2, 3]> : tensor<2xi64>
        %image = nn.constant dense<[20, 30]> : tensor<2xi64>
        %y = nn.prior_box_clustered %cells, %image {width = [8.0 : f64, 12.0 : f64], height = [6.0 : f64, 20.0 : f64],
              clip = true, step = 0.0 : f64, step_w = 0.0 : f64, step_h = 0.0 : f64, offset = 0.5 : f64,
              variance = [0.1 : f64]} : (tensor<2xi64>, tensor<2xi64>) -> tensor<2x48xf32>
    """

    name = "nn.prior_box_clustered"
    NAMES: ClassVar = Names("PriorBoxClustered-1")

    width = numbers_prop()
    height = numbers_prop()
    clip = flag_prop(True)
    step = number_prop(0.0)
    step_w = number_prop(0.0)
    step_h = number_prop(0.0)

    def infer_types(self, constants: Constants) -> Sequence[Attribute]:
        if len(self.width) != len(self.height):
            raise self.op_error(f"{len(self.width)} widths for {len(self.height)} heights")
        return super().infer_types(constants)

    def extents(self, height: float) -> list[Extent]:
        return list(zip(_listed(self.width), _listed(self.height), strict=True))

    def middle(self, cell: int, cells: int, image: int, is_row: bool) -> float:
        own = (self.step_h if is_row else self.step_w).value.data
        step = own or self.step.value.data or image / cells
        return (cell + self.offset.value.data) * step


@op_definition
class PriorBoxOp(PriorOp):
    """
    Of each cell, for each `min_size` m, a square of that side, one of side `√(m * max_size)`, and boxes of area m² for
    each ratio of sides in `aspect_ratio` but 1 (with `flip` for `1 / ratio`, too), in this order, or squares of
    `max_size` last without `min_max_aspect_ratios_order`. Row 0 of the result has their limits (left, top, right,
    bottom, as parts of the image), row 1 their variances.

    Before these, of each `fixed_size` n (without a fraction) and each `fixed_ratio`, or 1 and each `aspect_ratio`,
    come boxes of area n², `density`² next to each other in a square of side n, that end at the border of the image.

    Boxes lie around `(cell + offset) * step`; a step of 0 takes the middle of cells. Without `scale_all_sizes`
    there are ratios of the first size only, and sizes and step are parts of the image's height.

        %cells = nn.constant dense<[2, 3]> : tensor<2xi64>
        %image = nn.constant dense<[20, 30]> : tensor<2xi64>
        %y = nn.prior_box %cells, %image {min_size = [8.0 : f64], max_size = [16.0 : f64],
              aspect_ratio = [2.0 : f64], flip = true, clip = false, step = 0.0 : f64, offset = 0.5 : f64,
              variance = [0.1 : f64]} : (tensor<2xi64>, tensor<2xi64>) -> tensor<2x96xf32>
    """

    name = "nn.prior_box"
    NAMES: ClassVar = Names("PriorBox-8")

    min_size = numbers_prop(())
    max_size = numbers_prop(())
    aspect_ratio = numbers_prop(())
    density = numbers_prop(())
    fixed_ratio = numbers_prop(())
    fixed_size = numbers_prop(())
    flip = flag_prop(False)
    clip = flag_prop(False)
    step = number_prop(0.0)
    scale_all_sizes = flag_prop(True)
    min_max_aspect_ratios_order = flag_prop(True)

    def infer_types(self, constants: Constants) -> Sequence[Attribute]:
        sizes, densities = _listed(self.fixed_size), _listed(self.density)
        if len(sizes) != len(densities) or any(int(each) < 1 for each in densities):
            raise self.op_error(
                f"{len(sizes)} fixed_size need as many density of at least 1, not {densities}"
            )
        if not self.scale_all_sizes and len(self.max_size):
            raise self.op_error("max_size is not supported without scale_all_sizes; leave it out")
        return super().infer_types(constants)

    @property
    def ratios(self) -> list[float]:
        """The aspect ratios other than 1, each once."""
        found = [1.0]
        for ratio in _listed(self.aspect_ratio):
            if all(abs(ratio - each) >= SAME for each in found):
                found += [ratio, 1 / ratio] if self.flip else [ratio]
        return found[1:]

    def dense(self) -> list[Place]:
        fixed, boxes = _listed(self.fixed_ratio), list[Place]()
        for size, many in zip(_listed(self.fixed_size), _listed(self.density), strict=True):
            count, begin = int(many), -(int(size) // 2)
            step = int(size / count)
            places = [begin + step / 2 + i * step for i in range(count)]
            shapes = [(size * sqrt(ratio), size / sqrt(ratio)) for ratio in fixed or self.ratios]
            if not fixed:
                shapes.insert(0, (int(size), int(size)))
            boxes += [(x, y, *shape) for shape in shapes for y in places for x in places]
        return boxes

    def extents(self, height: float) -> list[Extent]:
        unit = 1 if self.scale_all_sizes else height
        sizes, most = [size * unit for size in _listed(self.min_size)], _listed(self.max_size)
        boxes: list[Extent] = []
        for i, size in enumerate(sizes):
            between = [(side, side) for last in most[i : i + 1] for side in [sqrt(size * last)]]
            base = size if self.scale_all_sizes else sizes[0]
            shaped: list[Extent] = []
            if self.scale_all_sizes or i == len(sizes) - 1:
                shaped = [(base * sqrt(ratio), base / sqrt(ratio)) for ratio in self.ratios]
            first, last = (
                (between, shaped) if self.min_max_aspect_ratios_order else (shaped, between)
            )
            boxes += [(size, size), *first, *last]
        return boxes

    def middle(self, cell: int, cells: int, image: int, is_row: bool) -> float:
        step = self.step.value.data
        if not step:
            return (cell + 0.5) * image / cells
        if not self.scale_all_sizes:
            step *= self.known(self.image_size, "image_size")[0]
        return (cell + self.offset.value.data) * step


SAME = 1e-6
"""What two ratios differ by less are equal."""
