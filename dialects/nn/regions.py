"""ROI align: regions of interest, each pooled to the same number of bins by interpolation."""

from __future__ import annotations

from abc import ABC
from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import SSAValue
from xdsl.irdl import operand_def, traits_def

from ..inferred import INDEX, SAME_ELEMENT, Constants, TensorOp, choice, floating, shape_of, spelled
from ..names import Names
from ..operation import op_definition
from ..properties import flag_prop, integer_prop, number_prop, word_prop
from ..traits import HasWindow
from .derived import DerivedOp
from .expression import Expression
from .pixels import Pixels, greatest, total
from .shaped import InputOp
from .trigonometry import CosOp, SinOp
from .writer import Writer


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


class AlignOp(InputOp, DerivedOp, ABC):
    """Regions in bins, each the mean or the greatest of what is read between pixels."""

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

    def infer_shape(self, constants: Constants) -> Sequence[int]:
        check_regions(self, self.input, self.rois, self.WIDTH)
        height, width = self.pooled_h.value.data, self.pooled_w.value.data
        if min(height, width) < 1:
            raise self.op_error(f"{height}x{width} bins; there must be some")
        if self.sampling_ratio.value.data < 1:
            raise self.op_error(
                f"sampling_ratio {self.sampling_ratio.value.data}, as many points as a region is "
                "large, is not supported; give it a number"
            )
        type = floating(self, self.input)
        rois, indices = shape_of(self.rois)[0], shape_of(self.batch_indices)
        if len(indices) != 1 or (rois != indices[0] and DYNAMIC_INDEX not in (rois, indices[0])):
            raise self.op_error(
                f"batch_indices {spelled(indices)} need one number for each of {rois} regions"
            )
        count = indices[0] if rois == DYNAMIC_INDEX else rois
        return (count, type.get_shape()[1], height, width)

    def lines(self, size: Expression, bins: int) -> Expression:
        """How far behind the beginning of each region points lie, in one dimension: `[region, bin * point]`."""
        points = bins * self.sampling_ratio.value.data
        steps = size.constant((1, points), [(i + 0.5) / points for i in range(points)])
        return size.reshaped(size.shape[0], 1) * steps

    def grid(self, y: Expression, x: Expression) -> tuple[Expression, Expression]:
        """Rows `[region, row]` and columns `[region, column]` as those of all points `[region, row, column]`."""
        (count, rows), (_, columns) = y.shape, x.shape
        return (
            y.reshaped(count, rows, 1).broadcast(count, rows, columns),
            x.reshaped(count, 1, columns).broadcast(count, rows, columns),
        )

    def pooled(self, write: Writer, y: Expression, x: Expression, mode: str = "avg") -> SSAValue:
        """What is read at points `[region, row, column]`, in bins."""
        count, rows, columns = y.shape
        which = Expression(write, self.batch_indices)
        pixels = Pixels.shared(write, self.input, which, rows * columns)
        points = (each.reshaped(1, count * rows * columns) for each in (y, x))
        values = pixels.within(*points, joined=greatest if mode == "weighted_max" else total)
        ratio, channels = self.sampling_ratio.value.data, values.shape[2]
        values = values.reshaped(count, rows // ratio, ratio, columns // ratio, ratio, channels)
        bins = values.sum(2, 4) * (1 / ratio**2) if mode == "avg" else values.most(2, 4)
        if mode == "max":
            bins = bins.at_least(0)
        return bins.transposed(0, 3, 1, 2).value


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

    def decompose(self, write: Writer) -> SSAValue:
        regions, scale = Expression(write, self.rois), self.spatial_scale.value.data
        mode = self.aligned_mode.data
        if mode == "half_pixel":
            regions = regions + 0.5
        regions = regions * scale - (0 if mode == "asymmetric" else 0.5)
        left, top, right, bottom = regions.columns()
        width, height = right - left, bottom - top
        if mode == "asymmetric":
            width, height = width.at_least(1), height.at_least(1)
        count = left.shape[0]
        y = self.lines(height, self.pooled_h.value.data) + top.reshaped(count, 1)
        x = self.lines(width, self.pooled_w.value.data) + left.reshaped(count, 1)
        return self.pooled(write, *self.grid(y, x), self.mode.data)


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

    def decompose(self, write: Writer) -> SSAValue:
        scale = self.spatial_scale.value.data
        *place, angle = Expression(write, self.rois).columns()
        count = angle.shape[0]
        if self.clockwise_mode:
            angle = angle * -1
        sine, cosine = (
            angle.on(write(kind, angle.value)).reshaped(count, 1, 1) for kind in (SinOp, CosOp)
        )
        x, y, width, height = (each * scale for each in place)
        rows = self.lines(height, self.pooled_h.value.data) - height.reshaped(count, 1) * 0.5
        columns = self.lines(width, self.pooled_w.value.data) - width.reshaped(count, 1) * 0.5
        down, across = self.grid(rows, columns)
        return self.pooled(
            write,
            down * cosine - across * sine + (y - 0.5).reshaped(count, 1, 1),
            down * sine + across * cosine + (x - 0.5).reshaped(count, 1, 1),
        )
