"""ROI align: regions of interest, each pooled to the same number of bins by interpolation."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ArrayAttr,
    IntAttr,
    StringAttr,
    TensorType,
    UnitAttr,
    i1,
    i64,
)
from xdsl.ir import Block, Region, SSAValue
from xdsl.irdl import operand_def, traits_def
from xdsl.rewriter import InsertPoint

from ... import infra
from ...compatible import compatible_shapes
from ...inferred import (
    INDEX,
    SAME_ELEMENT,
    Constants,
    TensorOp,
    choice,
    floating,
    shape_of,
    spelled,
)
from ...names import Names
from ...operation import op_definition
from ...properties import flag_prop, integer_prop, number_prop, word_prop
from ...traits import HasWindow
from ..derived import DerivedOp
from ..expression import Expression, constant
from ..pixels import Pixels, greatest, total
from ..shaped import InputOp
from ..trigonometry import CosOp, SinOp
from ..writer import SharingWriter, Writer

MOST_POINTS = 1024
"""How many points a bin has at most in one dimension, where their number follows from its size."""


def check_regions(op: TensorOp, image: SSAValue, regions: SSAValue, width: int) -> None:
    """Raises VerifyException where there are no images and regions of so many numbers, all floating-point ones."""
    floating(op, image)
    floating(op, regions)
    shapes = shape_of(image), shape_of(regions)
    if len(shapes[0]) != 4 or len(shapes[1]) != 2 or shapes[1][1] not in (width, DYNAMIC_INDEX):
        raise op.op_error(
            f"takes images [batch, channels, height, width] and regions [number, {width}], not "
            f"{spelled(shapes[0])} and {spelled(shapes[1])}"
        )


@dataclass(frozen=True)
class Placed:
    """Regions `[region]` in their images: how high and wide each is, and where points behind its beginning lie."""

    height: Expression
    width: Expression
    locate: Callable[[Expression, Expression], tuple[Expression, Expression]]
    """Distances `[region, row, column]` from the beginning, down and across, to rows and columns of the image."""


def behind(values: Expression, rank: int) -> Expression:
    """Numbers of regions, which broadcast over all other dimensions."""
    return values.reshaped(*values.shape, *[1] * (rank - 1))


def check_ratio(op: TensorOp, ratio: int) -> None:
    """Raises VerifyException where a bin cannot have so many points in each dimension."""
    if ratio < 0:
        raise op.op_error(
            f"sampling_ratio {ratio}; it is a number of points, or 0: as many as a bin is large"
        )


class AlignOp(InputOp, DerivedOp, ABC):
    """
    Regions in bins, each the mean or the greatest of what is read between pixels.

    A bin has `sampling_ratio`² points. With a ratio of 0 it has as many rows and columns of points as it is high and
    wide, rounded up, but at most 1024; a bin without points is 0.
    """

    WIDTH: ClassVar[int]
    """How many numbers describe a region."""

    NEEDS_KNOWN_SHAPES: ClassVar = True

    rois = operand_def(SAME_ELEMENT)
    batch_indices = operand_def(INDEX)
    pooled_h = integer_prop()
    pooled_w = integer_prop()
    sampling_ratio = integer_prop()
    spatial_scale = number_prop()

    traits = traits_def(HasWindow())

    @property
    def pooling(self) -> str:
        """What a bin is: the mean of its points (`avg`), their greatest (`max`), or the greatest weighted pixel."""
        return "avg"

    @abstractmethod
    def place(self, regions: Expression) -> Placed:
        """Where regions `[region, number]` lie."""

    def infer_shape(self, constants: Constants) -> Sequence[int]:
        check_regions(self, self.input, self.rois, self.WIDTH)
        height, width = self.bins
        if min(height, width) < 1:
            raise self.op_error(f"{height}x{width} bins; there must be some")
        check_ratio(self, self.sampling_ratio.value.data)
        type = floating(self, self.input)
        rois, indices = shape_of(self.rois)[0], shape_of(self.batch_indices)
        if not compatible_shapes(indices, (rois,)):
            raise self.op_error(
                f"batch_indices {spelled(indices)} need one number for each of {rois} regions"
            )
        count = indices[0] if rois == DYNAMIC_INDEX else rois
        return (count, type.get_shape()[1], height, width)

    @property
    def bins(self) -> tuple[int, int]:
        """How many bins a region has, down and across."""
        return self.pooled_h.value.data, self.pooled_w.value.data

    def decompose(self, write: Writer) -> SSAValue:
        ratio = self.sampling_ratio.value.data
        bins = self._sampled(write, ratio) if ratio else self._sampled_by_size(write)
        if self.pooling == "max":  # not below 0, as OpenVINO has it
            bins = bins.at_least(0)
        return bins.transposed(0, 3, 1, 2).value

    def _sampled(self, write: Writer, ratio: int) -> Expression:
        """Bins `[region, row, column, channel]` of as many points each, which are all read at once."""
        placed = self.place(Expression(write, self.rois))
        (count,), (rows, columns) = placed.height.shape, self.bins

        def distances(size: Expression, bins: int) -> Expression:
            points = bins * ratio
            steps = size.constant((1, points), [(i + 0.5) / points for i in range(points)])
            return size.reshaped(count, 1) * steps

        lines = distances(placed.height, rows), distances(placed.width, columns)
        values = self._read(self.input, self.batch_indices, placed, *lines)
        values = values.reshaped(count, rows, ratio, columns, ratio, values.shape[3])
        return values.sum(2, 4) * (1 / ratio**2) if self.pooling == "avg" else values.most(2, 4)

    def _sampled_by_size(self, write: Writer) -> Expression:
        """Bins of as many points as they are large: each iteration of a loop reads one point of each bin."""
        placed = self.place(Expression(write, self.rois))
        (count,), channels = placed.height.shape, shape_of(self.input)[1]
        rows, columns = self._points(placed)
        number = rows * columns
        none = -math.inf if self.pooling == "weighted_max" else 0
        start = number.constant((1, 1, 1, 1), [none]).broadcast(count, *self.bins, channels).value
        operands = self.input, self.rois, self.batch_indices, start
        block = Block(arg_types=[*(each.type for each in operands), TensorType(i64, [])])
        image, rois, images, bins, iteration = block.args
        inner = Expression(SharingWriter(InsertPoint.at_end(block)), bins)
        read = self._point(image, inner.on(rois), images, inner.on(iteration), none)
        joined = inner + read if self.pooling == "avg" else inner.at_least(read)
        block.add_op(infra.YieldOp(joined.value))
        loop = infra.LoopOp.create(
            operands=[number.most(0).to(i64).value, constant(write, i1, (), [1]), *operands],
            result_types=[start.type],
            properties={
                "inputs": ArrayAttr([*[infra.InvariantAttr()] * 3, infra.MergedAttr(IntAttr(0))]),
                "outputs": ArrayAttr([infra.IterationAttr(IntAttr(0), IntAttr(-1))]),
                "body_names": ArrayAttr(map(StringAttr, ("image", "rois", "images", "bins"))),
                "current_iteration": UnitAttr(),
            },
            regions=[Region(block)],
        )
        found, number = number.on(write.builder.insert(loop).results[0]), behind(number, 4)
        if self.pooling == "avg":
            return found / number.at_least(1)
        return (number > 0).where(found, 0)

    def _points(self, placed: Placed) -> list[Expression]:
        """How many rows and columns of points each region's bins have."""
        sizes = zip((placed.height, placed.width), self.bins, strict=True)
        points = [(size / bins).ceiling() for size, bins in sizes]
        return [(each > 0).where(each, 0).at_most(MOST_POINTS) for each in points]

    def _point(
        self,
        image: SSAValue,
        rois: Expression,
        images: SSAValue,
        iteration: Expression,
        none: float,
    ) -> Expression:
        """The point of each bin that has the number of this iteration, row by row; `none` behind the last one."""
        placed = self.place(rois)
        (count,), (rows, columns) = placed.height.shape, self._points(placed)
        number = iteration.to(rows.element)
        row = (number / columns.at_least(1)).floor()
        column = number - row * columns

        def distances(
            size: Expression, bins: int, points: Expression, point: Expression
        ) -> Expression:
            within = ((point + 0.5) / points.at_least(1)).reshaped(count, 1)
            first = size.constant((1, bins), range(bins))
            return (first + within) * (size / bins).reshaped(count, 1)

        lines = (
            distances(placed.height, self.bins[0], rows, row),
            distances(placed.width, self.bins[1], columns, column),
        )
        is_there = number < rows * columns
        return behind(is_there, 4).where(self._read(image, images, placed, *lines), none)

    def _read(
        self,
        image: SSAValue,
        images: SSAValue,
        placed: Placed,
        down: Expression,
        across: Expression,
    ) -> Expression:
        """What is read at rows `[region, row]` and columns `[region, column]` behind the beginnings of regions."""
        (count, rows), (_, columns) = down.shape, across.shape
        points = placed.locate(
            down.reshaped(count, rows, 1).broadcast(count, rows, columns),
            across.reshaped(count, 1, columns).broadcast(count, rows, columns),
        )
        pixels = Pixels.shared(down.write, image, down.on(images), rows * columns)
        joined = greatest if self.pooling == "weighted_max" else total
        flat = (each.reshaped(1, count * rows * columns) for each in points)
        values = pixels.within(*flat, joined=joined)
        return values.reshaped(count, rows, columns, values.shape[2])


@op_definition
class RoiAlignOp(AlignOp):
    """
    Each region of interest, `[left, top, right, bottom]` times `spatial_scale`, in `pooled_h` times `pooled_w` bins
    of `sampling_ratio`² points each, whose mean or greatest value (`max`: not below 0, as OpenVINO has it) counts. With
    `weighted_max` it is the greatest pixel of those around the points, each times what it weighs, as ONNX has it.

    With `aligned_mode` `half_pixel_for_nn` scaled regions are moved by -0.5, with `half_pixel` regions by 0.5
    before, too; with `asymmetric` they are not, but at least 1 wide and high.

        %y = nn.roi_align %x, %rois, %images {pooled_h = 2 : i64, pooled_w = 2 : i64, sampling_ratio = 2 : i64,
              spatial_scale = 0.5 : f64, mode = "avg", aligned_mode = "half_pixel"}
            : (tensor<2x3x6x8xf32>, tensor<4x4xf32>, tensor<4xi32>) -> tensor<4x3x2x2xf32>
    """

    name = "nn.roi_align"
    NAMES: ClassVar = Names("ROIAlign-9", "", "", "RoiAlign-22")
    WIDTH: ClassVar[int] = 4

    mode = word_prop()
    aligned_mode = word_prop("asymmetric")

    def infer_shape(self, constants: Constants) -> Sequence[int]:
        choice(self, "mode", "avg", "max", "weighted_max")
        choice(self, "aligned_mode", "asymmetric", "half_pixel_for_nn", "half_pixel")
        return super().infer_shape(constants)

    @property
    def pooling(self) -> str:
        return self.mode.data

    def place(self, regions: Expression) -> Placed:
        mode = self.aligned_mode.data
        if mode == "half_pixel":
            regions = regions + 0.5
        regions = regions * self.spatial_scale.value.data - (0 if mode == "asymmetric" else 0.5)
        left, top, right, bottom = regions.columns()
        width, height = right - left, bottom - top
        if mode == "asymmetric":
            width, height = width.at_least(1), height.at_least(1)
        return Placed(
            height, width, lambda down, across: (down + behind(top, 3), across + behind(left, 3))
        )


@op_definition
class RoiAlignRotatedOp(AlignOp):
    """
    Each region of interest, `[middle x, middle y, width, height, angle]`, as `nn.roi_align` has it with
    `half_pixel_for_nn` and `avg`, rotated by the angle around its middle, clockwise or not.

        %y = nn.roi_align_rotated %x, %rois, %images {pooled_h = 2 : i64, pooled_w = 2 : i64,
              sampling_ratio = 2 : i64, spatial_scale = 0.5 : f64, clockwise_mode = true}
            : (tensor<2x3x6x8xf32>, tensor<4x5xf32>, tensor<4xi32>) -> tensor<4x3x2x2xf32>
    """

    name = "nn.roi_align_rotated"
    NAMES: ClassVar = Names("ROIAlignRotated-15")
    WIDTH: ClassVar[int] = 5

    clockwise_mode = flag_prop(False)

    def place(self, regions: Expression) -> Placed:
        *sizes, angle = regions.columns()
        if self.clockwise_mode:
            angle = angle * -1
        x, y, width, height = (each * self.spatial_scale.value.data for each in sizes)
        sine, cosine = (
            each.on(each.write(kind, each.value)) for each, kind in ((angle, SinOp), (angle, CosOp))
        )

        def locate(down: Expression, across: Expression) -> tuple[Expression, Expression]:
            down = down - behind(height * 0.5, 3)
            across = across - behind(width * 0.5, 3)
            sines, cosines = behind(sine, 3), behind(cosine, 3)
            return (
                down * cosines - across * sines + behind(y - 0.5, 3),
                down * sines + across * cosines + behind(x - 0.5, 3),
            )

        return Placed(height, width, locate)
