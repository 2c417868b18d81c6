"""Deformable convolutions: computed offsets say where the input is read."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import prod
from typing import ClassVar

from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import SSAValue
from xdsl.irdl import operand_def, opt_operand_def

from ..compatible import compatible_shapes
from ..inferred import SAME_ELEMENT, Constants, floating, shape_of, spelled, static_shape
from ..names import Names
from ..operation import op_definition
from ..properties import flag_prop, integer_prop
from .derived import DerivedOp
from .expression import Expression, concatenated
from .matrix import MatMulOp
from .pixels import Pixels, weighted
from .shaped import InputOp
from .window import WindowedOp, checked_positions
from .writer import Writer


@op_definition
class DeformableConvolutionOp(InputOp, WindowedOp, DerivedOp):
    """
    `result[n, o, p] = sum_{i, k} mask[n, k, p] * input[n, i, p * stride + k * dilation - pad + offset[n, k, p]] *
    filters[o, i, k]`

    The input is read between pixels. Outside of it there are zeros: with `bilinear_interpolation_pad` beginning behind
    the outer pixels, else all that lies outside is 0 and the last pixels repeat. Offsets (in turn of rows and columns)
    and masks are different for each of `deformable_group` groups of channels; of `group` groups of channels, each has
    filters of its own.

        %y = nn.deformable_convolution %x, %offsets, %w {strides = array<i64: 1, 1>, pads_begin = array<i64: 0, 0>,
              pads_end = array<i64: 0, 0>, dilations = array<i64: 1, 1>, group = 1 : i64,
              deformable_group = 1 : i64, bilinear_interpolation_pad = false}
            : (tensor<1x2x4x5xf32>, tensor<1x8x3x4xf32>, tensor<3x2x2x2xf32>) -> tensor<1x3x3x4xf32>
    """

    name = "nn.deformable_convolution"
    NAMES: ClassVar = Names("DeformableConvolution-8", "", "", "DeformConv-22")

    offsets = operand_def(SAME_ELEMENT)
    filters = operand_def(SAME_ELEMENT)
    mask = opt_operand_def(SAME_ELEMENT)
    group = integer_prop(1)
    deformable_group = integer_prop(1)
    bilinear_interpolation_pad = flag_prop(False)

    def infer_shape(self, constants: Constants) -> Sequence[int]:
        floating(self, self.input)
        shape, filters = shape_of(self.input), shape_of(self.filters)
        if len(shape) != 4 or len(filters) != 4:
            raise self.op_error(
                "takes images [batch, channels, height, width] and filters [outputs, inputs, "
                f"rows, columns], not {spelled(shape)} and {spelled(filters)}"
            )
        groups, kinds = self.group.value.data, self.deformable_group.value.data
        if min(groups, kinds) < 1 or any(
            size != DYNAMIC_INDEX and (size % groups or size % kinds)
            for size in (shape[1], filters[0] * kinds)
        ):
            raise self.op_error(
                f"{shape[1]} channels and {filters[0]} filters do not go into {groups} groups "
                f"and {kinds} groups of offsets"
            )
        if DYNAMIC_INDEX not in (shape[1], filters[1]) and shape[1] != filters[1] * groups:
            raise self.op_error(
                f"{shape[1]} channels for filters {spelled(filters)} of {groups} groups"
            )
        positions = checked_positions(self, self.window(filters[2:]), shape[2:])
        is_known = DYNAMIC_INDEX not in filters[2:]
        wanted = [("offsets", self.offsets, 2 * kinds * prod(filters[2:]))]
        if self.mask is not None:
            wanted.append(("mask", self.mask, kinds * prod(filters[2:])))
        for name, value, channels in wanted:
            fit = (shape[0], channels if is_known else DYNAMIC_INDEX, *positions)
            if not compatible_shapes(shape_of(value), fit):
                raise self.op_error(f"{name} {spelled(shape_of(value))} must be {spelled(fit)}")
        return (shape[0], filters[0], *positions)

    def decompose(self, write: Writer) -> SSAValue:
        batch, channels, *_ = static_shape(self.input)
        outputs, _, *kernel = static_shape(self.filters)
        groups, kinds = self.group.value.data, self.deformable_group.value.data
        _, _, rows, columns = static_shape(self.offsets)
        taps, points = prod(kernel), rows * columns
        parts = [
            self._read(write, kind, (rows, columns), tuple(kernel)) for kind in range(kinds)
        ]  # [batch, tap * point, channel of a kind]
        seen = concatenated(2, *parts).reshaped(batch, taps, points, groups, channels // groups)
        seen = seen.transposed(0, 3, 2, 4, 1)
        seen = seen.reshaped(batch, groups, points, channels // groups * taps)
        filters = Expression(write, self.filters)
        filters = filters.reshaped(groups, outputs // groups, channels // groups * taps)
        sums = write(MatMulOp, filters.value, seen.value, transpose_b=True)
        return write.reshaped(sums, (batch, outputs, rows, columns))

    def _read(
        self, write: Writer, kind: int, sizes: tuple[int, int], kernel: tuple[int, ...]
    ) -> Expression:
        """What all elements of the window see of the channels of a kind: `[batch, tap * point, channel]`."""
        batch, channels, height, width = static_shape(self.input)
        taps, points = prod(kernel), prod(sizes)
        each = channels // self.deformable_group.value.data
        image = Expression(write, self.input).slice(1, kind * each, (kind + 1) * each)
        offsets = Expression(write, self.offsets).slice(1, 2 * kind * taps, 2 * (kind + 1) * taps)
        offsets = offsets.reshaped(batch, taps, 2, points)
        y, x = (
            (
                offsets.slice(2, d, d + 1).reshaped(batch, taps * points)
                + offsets.constant((1, taps * points), self._places(d, sizes, kernel))
            )
            for d in range(2)
        )
        pixels = Pixels.of(write, image.value)
        if self.bilinear_interpolation_pad:
            values = pixels.between(y, x)
        else:
            inside = (y >= 0) & (y < height) & (x >= 0) & (x < width)
            values = pixels.between(y.at_most(height - 1), x.at_most(width - 1))
            values = weighted(inside).where(values, 0)
        if self.mask is not None:
            mask = Expression(write, self.mask).slice(1, kind * taps, (kind + 1) * taps)
            values = values * mask.reshaped(batch, taps * points, 1)
        return values

    def _places(self, d: int, sizes: tuple[int, int], kernel: tuple[int, ...]) -> list[float]:
        """Where each element of each window lies in a dimension, without offsets."""
        window = self.window(kernel)
        before, _ = window.padding(static_shape(self.input)[2:])[d]
        return [
            point[d] * window.strides[d] + tap[d] * window.dilations[d] - before
            for tap, point in product(product(*map(range, kernel)), product(*map(range, sizes)))
        ]
