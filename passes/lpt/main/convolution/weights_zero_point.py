"""Convolution with filters around a zero point."""

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
    SliceOp,
    SubtractOp,
    constant_of,
)
from .....reference.arrays import array_of, blob_of
from ...dequantization import NO_ZERO_POINT, Dequantization, dequantize
from ...plan import LptPlan
from ...products import overflow, unsupported
from ...transformation import Transformation
from .convolution import MoveDequantizeAfterConvolution
from .product import summed, varies_in_data, varies_in_weights


class SplitZeroPointOffFilters(Transformation[ConvolutionOp]):
    """
    `conv(x, dq(w)) = y[:o] - y[o] * scale * zero_point` where `y = conv(x, dq'([w, 1]))`: a filter of ones, in addition
    to the `o` filters without their zero points, sums each window.

    For constant i8 filters that may have a scale each, and data that can be multiplied as codes.

    Declines computed or u8 filters; convolutions that stay in floating point.
    """

    name: ClassVar[str] = "weights_zero_point"
    op: ClassVar[type[ConvolutionOp]] = ConvolutionOp

    def transform(self, op: ConvolutionOp, plan: LptPlan, rewriter: PatternRewriter) -> str | None:
        data, weights = (Dequantization.on(value) for value in (op.input, op.filters))
        if data is None or weights is None or weights.is_symmetric:
            return ""
        if not becomes_low(op, plan, data, weights):
            return ""  # why is what the law of convolutions says
        codes = array_of(known_blob(weights))
        outputs, ones = codes.shape[0], (1,) * (codes.ndim - 1)
        scale, zero_point = (
            np.broadcast_to(array.astype(np.float64), (outputs, *ones))
            for array in (weights.scale, weights.zero_point)
        )
        filters = ConstantOp(blob_of(np.concatenate([codes, np.ones_like(codes[:1])]), i8))
        scales = np.concatenate([scale, np.ones_like(scale[:1])])
        values = dequantize(filters.result, scales, NO_ZERO_POINT, weights.element)
        every = ConvolutionOp.of(op.input, values.result, **op.properties)
        every.attributes |= op.attributes
        rewriter.insert((filters, values, every))
        sums, window = (
            channels(every.result, first, last, rewriter)
            for first, last in ((0, outputs), (outputs, outputs + 1))
        )
        shift = ConstantOp(
            blob_of((scale * zero_point).reshape(1, outputs, *ones[1:]), weights.element)
        )
        product = MultiplyOp.of(window, shift)
        difference = SubtractOp.of(sums, product)
        if (name := friendly_name(op)) is not None:
            every.attributes[NAME] = StringAttr(f"{name}/sums")
            difference.attributes[NAME] = StringAttr(name)
        rewriter.replace(op, [shift, product, difference])
        return None


def becomes_low(
    op: ConvolutionOp, plan: LptPlan, data: Dequantization, weights: Dequantization
) -> bool:
    """Whether the convolution would be one of codes if its filters had no zero point."""
    shape, takes = shape_of(op.filters), plan.precisions(op, "input1")
    if plan.config.leaves_out(MoveDequantizeAfterConvolution.name, op):
        return False
    if plan.needs_per_tensor(op, "input1"):
        return False  # the filter of ones has a scale of its own
    if constant_of(weights.codes) is None or tensor(weights.codes).element_type != i8:
        return False
    if takes is not None and i8 not in takes:
        return False
    if unsupported(op, plan, 0, data) is not None or not data.holds_zero:
        return False
    if not data.is_symmetric and DYNAMIC_INDEX in shape_of(op.input)[2:]:
        return False
    filters = op.split_filters(shape)
    return (
        varies_in_data(op, filters, data) is None
        and varies_in_weights(op, weights) is None
        and overflow(data, weights, summed(filters)) is None
    )


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
