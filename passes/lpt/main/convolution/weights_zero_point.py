"""Convolutions with filters around a zero point."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from xdsl.dialects.builtin import DYNAMIC_INDEX, StringAttr, i8
from xdsl.ir import SSAValue
from xdsl.pattern_rewriter import PatternRewriter

from .....dialects.blob import BlobAttr
from .....dialects.inferred import NAME, friendly_name, shape_of, tensor
from .....dialects.nn import (
    ConstantOp,
    ConvolutionOp,
    MultiplyOp,
    Nn,
    SliceOp,
    SubtractOp,
    constant_of,
)
from .....dialects.nn.convolution import BackwardConvolution, ConvolutionBase
from .....reference.arrays import Array, array_of, blob_of
from ...dequantization import NO_ZERO_POINT, Dequantization, dequantize
from ...plan import LptPlan
from ...products import overflow, unsupported
from ...transformation import Transformation
from .product import (
    axes_of,
    of_channels,
    of_filters,
    summed,
    varies_in_data,
    varies_in_weights,
)


class SplitZeroPointOffFilters(Transformation[ConvolutionBase]):
    """
    `conv(x, dq(w)) = y[:o] - y[o] * scale * zero_point` where `y = conv(x, dq'([w, 1]))`: a filter of ones, in addition
    to the `o` filters without their zero points, sums each window. In groups and in transposed convolutions, ones have
    a convolution of their own: `conv(x, dq(w)) = conv(x, dq'(w)) - conv(x, 1) * scale * zero_point`.

    For constant i8 filters that may have a scale each, and data that can be multiplied as codes.

    Declines computed or u8 filters; those of one element; convolutions that stay in floating point.
    """

    name: ClassVar[str] = "weights_zero_point"

    def transform(
        self, op: ConvolutionBase, plan: LptPlan, rewriter: PatternRewriter
    ) -> str | None:
        data, weights = (Dequantization.on(value) for value in op.operands[:2])
        if data is None or weights is None or weights.is_symmetric:
            return ""
        if not becomes_low(op, plan, data, weights):
            return ""  # why is what the law of convolutions says
        split = beside if isinstance(op, ConvolutionOp) else apart
        sums, product = split(op, weights, rewriter)
        difference = SubtractOp.of(sums, product)
        if (name := friendly_name(op)) is not None:
            difference.attributes[NAME] = StringAttr(name)
        rewriter.replace(op, difference)
        return None


def beside(
    op: ConvolutionBase, weights: Dequantization, rewriter: PatternRewriter
) -> tuple[SSAValue, SSAValue]:
    """One convolution: the sums of the filters without zero points, and those of the ones times what these were."""
    codes = array_of(known_blob(weights))
    outputs = codes.shape[0]
    scale = np.broadcast_to(
        weights.scale.astype(np.float64), (outputs, *(1 for _ in codes.shape[1:]))
    )
    every = convolution(
        op,
        np.concatenate([codes, np.ones_like(codes[:1])]),
        np.concatenate([scale, np.ones_like(scale[:1])]),
        weights,
        rewriter,
    )
    name_sums(op, every)
    sums, window = (
        channels(every.result, first, last, rewriter)
        for first, last in ((0, outputs), (outputs, outputs + 1))
    )
    return sums, times_zero_points(op, window, weights, rewriter)


def apart(
    op: ConvolutionBase, weights: Dequantization, rewriter: PatternRewriter
) -> tuple[SSAValue, SSAValue]:
    """Two convolutions; in groups, that of ones has as many filters as there are, to which it need not be broadcast."""
    codes = array_of(known_blob(weights))
    sums = convolution(op, codes, weights.scale, weights, rewriter)
    name_sums(op, sums)
    outputs = axes_of(op).outputs
    ones = np.ones_like(codes if op.GROUPED else codes.take([0], outputs))
    window = convolution(op, ones, np.ones(()), weights, rewriter)
    return sums.result, times_zero_points(op, window.result, weights, rewriter)


def convolution(
    op: ConvolutionBase,
    codes: Array,
    scale: Array,
    weights: Dequantization,
    rewriter: PatternRewriter,
) -> ConvolutionBase:
    """Inserts the convolution with other filters, of these codes and scales."""
    filters = ConstantOp(blob_of(codes, i8))
    values = dequantize(filters.result, scale, NO_ZERO_POINT, weights.element)
    found = type(op).of(op.operands[0], values.result, *op.operands[2:], **op.properties)
    rewriter.insert((filters, values, found))
    return found


def name_sums(op: ConvolutionBase, sums: ConvolutionBase) -> None:
    """What is said of a convolution holds for that of its filters, whose name says that zero points are missing."""
    sums.attributes |= op.attributes
    if (name := friendly_name(op)) is not None:
        sums.attributes[NAME] = StringAttr(f"{name}/sums")


def times_zero_points(
    op: ConvolutionBase, window: SSAValue, weights: Dequantization, rewriter: PatternRewriter
) -> SSAValue:
    """The sums of windows times the zero points of the filters, in values."""
    filters = op.split_filters(shape_of(op.operands[1]))
    each = weights.scale.astype(np.float64) * weights.zero_point
    points = of_channels(filters, of_filters(op, each))
    shift = ConstantOp(blob_of(points, weights.element))
    product = MultiplyOp.of(window, shift)
    rewriter.insert((shift, product))
    return product.result


def becomes_low(
    op: ConvolutionBase, plan: LptPlan, data: Dequantization, weights: Dequantization
) -> bool:
    """Whether the convolution would be one of codes if its filters had no zero point."""
    shape, takes = shape_of(op.operands[1]), plan.precisions(op, "input1")
    if plan.config.leaves_out(op.name.removeprefix(f"{Nn.name}."), op):
        return False
    if plan.needs_per_tensor(op, "input1"):
        return False  # the filter of ones has a scale of its own
    if constant_of(weights.codes) is None or tensor(weights.codes).element_type != i8:
        return False
    if takes is not None and i8 not in takes:
        return False
    if unsupported(op, plan, 0, data) is not None or not becomes_constant(op, data):
        return False
    filters = op.split_filters(shape)
    if summed(filters) == filters.outputs == 1:
        return False  # nothing is summed, and a convolution with ones would be no operation
    return (
        varies_in_data(op, filters, data) is None
        and varies_in_weights(op, weights) is None
        and overflow(data, weights, summed(filters)) is None
    )


def becomes_constant(op: ConvolutionBase, data: Dequantization) -> bool:
    """Whether zero points of the data are taken off by a constant, or by the operation."""
    is_sized = DYNAMIC_INDEX not in shape_of(op.operands[0])[2:]
    if isinstance(op, BackwardConvolution):
        return is_sized or data.code_of_zero is not None
    return data.holds_zero and (is_sized or data.is_symmetric)


def known_blob(weights: Dequantization) -> BlobAttr:
    """The codes of constant filters."""
    blob = constant_of(weights.codes)
    assert blob is not None
    return blob


def channels(value: SSAValue, first: int, last: int, rewriter: PatternRewriter) -> SSAValue:
    """The channels of a result from `first` up to `last`."""
    numbers = [
        ConstantOp(blob_of(np.asarray([number], np.int64))) for number in (first, last, 1, 1)
    ]
    part = SliceOp.of(value, *numbers)
    rewriter.insert((*numbers, part))
    return part.result
