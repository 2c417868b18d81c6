"""ROI pooling: regions of interest in bins of whole pixels, or interpolated once in each bin."""

from __future__ import annotations

import math
from abc import ABC
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from xdsl.dialects.builtin import DYNAMIC_INDEX, i32, i64
from xdsl.ir import SSAValue
from xdsl.irdl import operand_def, traits_def

from ...inferred import SAME_ELEMENT, Constants, choice, floating, shape_of, spelled
from ...names import Names
from ...operation import op_definition
from ...properties import integer_prop, integers_prop, number_prop, word_prop
from ...traits import HasWindow
from ..derived import DerivedOp
from ..expression import Expression, concatenated, places
from ..functions import RoundOp
from ..pixels import Pixels, weighted
from ..reduce_windows import ReduceWindowsOp
from ..shaped import InputOp
from ..window import sizes_of
from ..writer import Writer
from .regions import check_regions

LEAST = 0.1
"""Pixels that a region has in each dimension for PSROIPooling."""


class BinsOp(InputOp, DerivedOp, ABC):
    """Regions `[image, left, top, right, bottom]` in bins."""

    coords = operand_def(SAME_ELEMENT)
    spatial_scale = number_prop()

    traits = traits_def(HasWindow())

    def bins_shape(self, channels: int, sizes: Sequence[int]) -> Sequence[int]:
        """`[region, channels, *sizes]`. Raises VerifyException where operands do not fit."""
        check_regions(self, self.input, self.coords, 5)
        floating(self, self.input)
        return (shape_of(self.coords)[0], channels, *sizes)

    def limits(self, write: Writer) -> list[Expression]:
        """Image, left, top, right and bottom, `[region]` each."""
        return Expression(write, self.coords).columns()


def whole(value: Expression) -> Expression:
    """The nearest whole number, of two the one away from 0."""
    return value.on(value.write(RoundOp, value.value, mode="half_away_from_zero"))


@dataclass(frozen=True)
class Span:
    """Where bins begin in a dimension of an image, and where they end."""

    begin: Expression
    end: Expression

    @classmethod
    def of_bins(cls, begins: Expression, size: Expression, count: int, limit: int) -> Span:
        """The pixels `[region, bin]` in each of `count` bins of regions."""
        regions = size.shape[0]
        begins, size = begins.reshaped(regions, 1), size.reshaped(regions, 1)
        numbers = size.constant((1, count), range(count))
        low = ((size * numbers) / count + begins).floor()
        high = ((size * (numbers + 1)) / count + begins).ceiling()
        return cls(low.at_least(0).at_most(limit), high.at_least(0).at_most(limit))

    @classmethod
    def of_one(cls, number: Expression, limit: int) -> Span:
        """What lies at a number, if anything does."""
        number = number.at_least(-1).at_most(limit)
        return cls(number, number + 1)

    def reshaped(self, *shape: int) -> Span:
        """The same under another shape."""
        return Span(self.begin.reshaped(*shape), self.end.reshaped(*shape))

    @property
    def size(self) -> Expression:
        """How many pixels lie in a bin."""
        return (self.end - self.begin).at_least(0)


def _reduced(image: Expression, reduction: str, shape: Sequence[int], *spans: Span) -> Expression:
    """
    The elements of an image `[size…, channel]` in each bin, reduced: `[*shape, channel]`. There is a span for each
    size, which broadcasts to the `shape` of bins.
    """
    begins, ends = (
        concatenated(
            len(shape), *(each.to(i32).broadcast(*shape).reshaped(*shape, 1) for each in limits)
        )
        for limits in zip(*((span.begin, span.end) for span in spans), strict=True)
    )
    operands = image.value, begins.value, ends.value
    return image.on(image.write(ReduceWindowsOp, *operands, reduction=reduction))


@op_definition
class RoiPoolingOp(BinsOp):
    """
    Each region `[image, left, top, right, bottom]` in `output_roi` bins.

    With `max` its limits times `spatial_scale` are rounded (halves away from 0), and the greatest of the pixels of
    each bin, or of parts of it, counts; an empty bin is 0, and so are those of an image that is none. With `bilinear`
    limits go from 0 to 1, and the image is read once for each bin, from border to border of the region; outside it
    is 0.

        %y = nn.roi_pooling %x, %rois {output_roi = array<i64: 2, 2>, spatial_scale = 1.0 : f64, method = "max"}
            : (tensor<8x3x6x8xf32>, tensor<4x5xf32>) -> tensor<4x3x2x2xf32>
    """

    name = "nn.roi_pooling"
    NAMES: ClassVar = Names("ROIPooling-2", "", "", "MaxRoiPool-22")

    output_roi = integers_prop()
    method = word_prop("max")

    def infer_shape(self, constants: Constants) -> Sequence[int]:
        choice(self, "method", "max", "bilinear")
        sizes = sizes_of(self, "output_roi", (1, 1), 1)
        check_regions(self, self.input, self.coords, 5)
        return self.bins_shape(shape_of(self.input)[1], sizes)

    def decompose(self, write: Writer) -> SSAValue:
        rows, columns = sizes_of(self, "output_roi", (1, 1), 1)
        pool = self._read if self.method.data == "bilinear" else self._greatest
        return pool(write, rows, columns).value

    def _greatest(self, write: Writer, rows: int, columns: int) -> Expression:
        image = Expression(write, self.input).transposed(0, 2, 3, 1)
        batch, height, width, _ = image.shape
        scale = self.spatial_scale.value.data
        number, *limits = self.limits(write)
        count = number.shape[0]
        left, top, right, bottom = (whole(limit * scale) for limit in limits)
        x = Span.of_bins(left, (right - left + 1).at_least(1), columns, width)
        y = Span.of_bins(top, (bottom - top + 1).at_least(1), rows, height)
        x, y = x.reshaped(count, 1, columns), y.reshaped(count, rows, 1)
        images = Span.of_one(number.reshaped(count, 1, 1), batch)
        bins = _reduced(image, "max", (count, rows, columns), images, y, x)
        is_of_image = ((number >= 0) & (number < batch)).reshaped(count, 1, 1)
        is_there = (is_of_image & (y.size * x.size > 0)).reshaped(count, 1, rows, columns)
        return is_there.where(bins.transposed(0, 3, 1, 2), 0)

    def _read(self, write: Writer, rows: int, columns: int) -> Expression:
        _, channels, height, width = Expression(write, self.input).shape
        number, left, top, right, bottom = self.limits(write)
        count = number.shape[0]
        y = _line(top * (height - 1), (bottom - top) * (height - 1), rows)
        x = _line(left * (width - 1), (right - left) * (width - 1), columns)
        y = y.reshaped(count, rows, 1).broadcast(count, rows, columns)
        x = x.reshaped(count, 1, columns).broadcast(count, rows, columns)
        pixels = Pixels.shared(write, self.input, number, rows * columns)
        points = _inside(pixels, *(each.reshaped(1, count * rows * columns) for each in (y, x)))
        return points.reshaped(count, rows, columns, channels).transposed(0, 3, 1, 2)


def _line(first: Expression, length: Expression, count: int) -> Expression:
    """Points `[region, point]` from a beginning to its end; the middle where there is one."""
    regions = first.shape[0]
    steps = [i / (count - 1) for i in range(count)] if count > 1 else [0.5]
    fractions = first.constant((1, count), steps)
    return first.reshaped(regions, 1) + length.reshaped(regions, 1) * fractions


def _inside(pixels: Pixels, y: Expression, x: Expression) -> Expression:
    """Bilinear interpolation between pixels, 0 outside of the outer ones."""
    height, width = pixels.sizes
    inside = (y >= 0) & (y <= height - 1) & (x >= 0) & (x <= width - 1)
    return weighted(inside).where(pixels.between(y, x), 0)


@op_definition
class PsroiPoolingOp(BinsOp):
    """
    Each region `[image, left, top, right, bottom]` in `group_size`² bins, each of which reads channels of its own.

    With `average`, bin (i, j) of channel c is the mean of channel `(c * group_size + i) * group_size + j` in the
    pixels of the bin, of a region whose limits are rounded (right and bottom counted in), then times
    `spatial_scale`.
    With `bilinear`, limits go from 0 to 1, the region is cut into `spatial_bins_y` times `spatial_bins_x` parts, of
    which number k reads channels `k * output_dim + c`, once for each bin; their mean counts.

        %y = nn.psroi_pooling %x, %rois {output_dim = 3 : i64, group_size = 2 : i64, spatial_scale = 0.5 : f64,
              spatial_bins_x = 1 : i64, spatial_bins_y = 1 : i64, mode = "average"}
            : (tensor<8x12x6x8xf32>, tensor<4x5xf32>) -> tensor<4x3x2x2xf32>
    """

    name = "nn.psroi_pooling"
    NAMES: ClassVar = Names("PSROIPooling-1")

    output_dim = integer_prop()
    group_size = integer_prop(1)
    spatial_bins_x = integer_prop(1)
    spatial_bins_y = integer_prop(1)
    mode = word_prop("average")

    @property
    def parts(self) -> tuple[int, int]:
        """Rows and columns of the parts into which a region is cut."""
        return self.spatial_bins_y.value.data, self.spatial_bins_x.value.data

    def infer_shape(self, constants: Constants) -> Sequence[int]:
        groups = self.group_size.value.data
        is_mean = choice(self, "mode", "average", "bilinear") == "average"
        each = groups**2 if is_mean else math.prod(self.parts)
        shape, wanted = shape_of(self.input), self.output_dim.value.data * each
        if len(shape) > 1 and shape[1] not in (wanted, DYNAMIC_INDEX):
            raise self.op_error(
                f"input {spelled(shape)} has {shape[1]} channels; {self.output_dim.value.data} "
                f"of the result read {wanted}"
            )
        return self.bins_shape(self.output_dim.value.data, (groups, groups))

    def decompose(self, write: Writer) -> SSAValue:
        read = self._mean if self.mode.data == "average" else self._read
        return read(write, self.group_size.value.data, self.output_dim.value.data).value

    def _mean(self, write: Writer, groups: int, channels: int) -> Expression:
        image = Expression(write, self.input)
        batch, _, height, width = image.shape
        image = image.reshaped(batch, channels, groups, groups, height, width)
        image = image.transposed(0, 2, 3, 4, 5, 1)
        number, *limits = self.limits(write)
        count, scale = number.shape[0], self.spatial_scale.value.data
        left, top, right, bottom = map(whole, limits)
        begins = left * scale, top * scale
        sizes = [
            ((end + 1) * scale - begin).at_least(LEAST)
            for end, begin in zip((right, bottom), begins, strict=True)
        ]
        x = Span.of_bins(begins[0], sizes[0], groups, width).reshaped(count, 1, groups)
        y = Span.of_bins(begins[1], sizes[1], groups, height).reshaped(count, groups, 1)
        images = Span.of_one(number.reshaped(count, 1, 1), batch)
        rows, columns = (
            Span.of_one(number.constant(shape, range(groups)), groups)
            for shape in ((1, groups, 1), (1, 1, groups))
        )
        shape = count, groups, groups
        bins = _reduced(image, "sum", shape, images, rows, columns, y, x)
        pixels = (y.size * x.size).at_least(1).reshaped(count, 1, *shape[1:])
        return bins.transposed(0, 3, 1, 2) / pixels

    def _read(self, write: Writer, groups: int, channels: int) -> Expression:
        (rows, columns), image = self.parts, Expression(write, self.input)
        batch, _, height, width = image.shape
        parts = rows * columns
        image = image.reshaped(batch * parts, channels, height, width)
        number, *limits = self.limits(write)
        left, top, right, bottom = (limit * self.spatial_scale.value.data for limit in limits)
        count = number.shape[0]
        y = _parted(top, bottom, rows, groups, height - 1)
        x = _parted(left, right, columns, groups, width - 1)
        full = count, rows, columns, groups, groups
        y = y.reshaped(count, rows, 1, groups, 1).broadcast(*full)
        x = x.reshaped(count, 1, columns, 1, groups).broadcast(*full)
        which = number.to(i64).reshaped(count, 1) * parts + places(write, 1, parts).to(i64)
        pixels = Pixels.shared(write, image.value, which.reshaped(count * parts), groups**2)
        points = _inside(pixels, *(each.reshaped(1, math.prod(full)) for each in (y, x)))
        means = points.reshaped(count, parts, groups, groups, channels).sum(1) * (1 / parts)
        return means.transposed(0, 3, 1, 2)


def _parted(first: Expression, last: Expression, parts: int, count: int, limit: int) -> Expression:
    """Points `[region, part, point]` of the parts of a region that goes from 0 to 1 of a dimension."""
    regions = first.shape[0]
    begins, length = first.reshaped(regions, 1), (last - first).reshaped(regions, 1) / parts
    starts = begins + length * first.constant((1, parts), range(parts))
    flat = length.broadcast(regions, parts).reshaped(regions * parts)
    line = _line(starts.reshaped(regions * parts) * limit, flat * limit, count)
    return line.reshaped(regions, parts, count)
