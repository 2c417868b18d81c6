"""Deformable pooling of regions of interest: computed offsets move the bins."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import DYNAMIC_INDEX, i32, i64
from xdsl.ir import SSAValue
from xdsl.irdl import opt_operand_def

from ...compatible import compatible_shapes
from ...inferred import SAME_ELEMENT, Constants, choice, shape_of, spelled
from ...names import Names
from ...operation import op_definition
from ...properties import integer_prop, number_prop, word_prop
from ..expression import Expression, constant, places
from ..pixels import Pixels, weighted
from ..writer import Writer
from .roi_pooling import LEAST, BinsOp, whole


@op_definition
class DeformablePsroiPoolingOp(BinsOp):
    """
    Each region `[image, left, top, right, bottom]` in `group_size`² bins, of which bin (i, j) of channel c is the mean
    of `spatial_bins_y` times `spatial_bins_x` points of channel `(c * group_size + i) * group_size + j`, as far as they
    lie in the image; 0 without any.

    Limits are rounded (right and bottom counted in), times `spatial_scale`, and moved by -0.5. Each class, an equal
    part of the `output_dim` channels, has its offsets in turn of columns and rows: in `part_size`² parts, times
    `trans_std`, they move bins by parts of the region's size. Without offsets nothing is moved.

        %y = nn.deformable_psroi_pooling %x, %rois, %offsets {output_dim = 3 : i64, group_size = 2 : i64,
              spatial_scale = 0.5 : f64, mode = "bilinear_deformable", spatial_bins_x = 2 : i64,
              spatial_bins_y = 2 : i64, trans_std = 0.1 : f64, part_size = 2 : i64}
            : (tensor<8x12x6x8xf32>, tensor<4x5xf32>, tensor<4x2x2x2xf32>) -> tensor<4x3x2x2xf32>
    """

    name = "nn.deformable_psroi_pooling"
    NAMES: ClassVar = Names("DeformablePSROIPooling-1")

    offsets = opt_operand_def(SAME_ELEMENT)
    output_dim = integer_prop()
    group_size = integer_prop(1)
    mode = word_prop("bilinear_deformable")
    spatial_bins_x = integer_prop(1)
    spatial_bins_y = integer_prop(1)
    trans_std = number_prop(1.0)
    part_size = integer_prop(1)

    def infer_shape(self, constants: Constants) -> Sequence[int]:
        choice(self, "mode", "bilinear_deformable")
        groups, channels = self.group_size.value.data, self.output_dim.value.data
        shape = shape_of(self.input)
        if len(shape) > 1 and shape[1] not in (channels * groups**2, DYNAMIC_INDEX):
            raise self.op_error(
                f"input {spelled(shape)} has {shape[1]} channels; {channels} of the result read "
                f"{channels * groups**2}"
            )
        if self.offsets is not None:
            given, part = shape_of(self.offsets), self.part_size.value.data
            wanted = (shape_of(self.coords)[0], *given[1:2], part, part)
            if not compatible_shapes(given, wanted) or (
                not given[1]
                or (given[1] != DYNAMIC_INDEX and (given[1] % 2 or channels % (given[1] // 2)))
            ):
                raise self.op_error(
                    f"offsets {spelled(given)} must be [region, 2 * classes, {part}, {part}], "
                    f"{channels} channels being a multiple of classes"
                )
        return self.bins_shape(channels, (groups, groups))

    def decompose(self, write: Writer) -> SSAValue:
        """The channels that a bin of a class reads are an image of their own."""
        groups, channels = self.group_size.value.data, self.output_dim.value.data
        image = Expression(write, self.input)
        batch, _, height, width = image.shape
        number, *limits = self.limits(write)
        count, scale = number.shape[0], self.spatial_scale.value.data
        left, top, right, bottom = map(whole, limits)
        begins = [begin * scale - 0.5 for begin in (top, left)]
        sizes = [
            ((end + 1) * scale - 0.5 - begin).at_least(LEAST)
            for end, begin in zip((bottom, right), begins, strict=True)
        ]
        classes, moves = self._moves(write)
        bins = self.spatial_bins_y.value.data, self.spatial_bins_x.value.data
        full = (count, classes, groups, groups, *bins)
        y, x = (
            self._points(begins[d], sizes[d], d, bins[d], moves[d]).broadcast(*full)
            for d in range(2)
        )
        kinds, each = classes * groups**2, channels // classes
        image = image.reshaped(batch, classes, each, groups, groups, height * width)
        image = image.transposed(0, 1, 3, 4, 2, 5).reshaped(batch * kinds, each, height, width)
        which = number.to(i32).reshaped(count, 1) * kinds + places(write, 1, kinds)
        points = math.prod(bins)
        pixels = Pixels.shared(write, image.value, which.reshaped(count * kinds), points)
        y, x = (part.reshaped(1, math.prod(full)) for part in (y, x))
        inside = (y >= -0.5) & (y <= height - 0.5) & (x >= -0.5) & (x <= width - 0.5)
        read = pixels.between(y.at_least(0).at_most(height - 1), x.at_least(0).at_most(width - 1))
        read = weighted(inside).where(read, 0).reshaped(count * kinds, points, each).sum(1)
        seen = inside.to(read.element).reshaped(count * kinds, points).sum(1, keep=True)
        means = (read / seen.at_least(1)).reshaped(count, classes, groups, groups, each)
        return means.transposed(0, 1, 4, 2, 3).reshaped(count, channels, groups, groups).value

    def _moves(self, write: Writer) -> tuple[int, list[Expression | None]]:
        """How many classes there are, and how far bins of each move in rows and columns: `[region, class, i, j]`."""
        if self.offsets is None:
            return 1, [None, None]
        offsets, groups = Expression(write, self.offsets), self.group_size.value.data
        part = self.part_size.value.data
        chosen = [i * part // groups for i in range(groups)]
        indices = offsets.on(constant(write, i64, (groups,), chosen))
        offsets = offsets.gathered(indices, 2).gathered(indices, 3) * self.trans_std.value.data
        count, pairs, *_ = offsets.shape
        split = offsets.reshaped(count, pairs // 2, 2, groups, groups)
        across, down = (
            split.slice(2, i, i + 1).reshaped(count, pairs // 2, groups, groups) for i in range(2)
        )
        return pairs // 2, [down, across]

    def _points(
        self, begin: Expression, size: Expression, d: int, points: int, moves: Expression | None
    ) -> Expression:
        """Where points lie in a dimension, `[region, class, i, j, row, column]` with ones where they do not differ."""
        groups, count = self.group_size.value.data, begin.shape[0]
        begin, size = (each.reshaped(count, 1, 1, 1, 1, 1) for each in (begin, size))
        shape = [1, 1, 1, 1, 1, 1]
        shape[2 + d], shape[4 + d] = groups, points
        steps = [i / groups + k / (groups * points) for i in range(groups) for k in range(points)]
        place = size * size.constant(shape, steps) + begin
        if moves is None:
            return place
        return place + moves.reshaped(*moves.shape, 1, 1) * size
