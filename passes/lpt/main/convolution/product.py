"""The template of the laws of convolutions: dequantization of both operands moves behind the sum."""

from __future__ import annotations

import math
from abc import abstractmethod
from typing import TypeVar

import numpy as np
from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import Attribute
from xdsl.pattern_rewriter import PatternRewriter

from .....dialects.inferred import shape_of, spelled
from .....dialects.nn.convolution import ConvolutionBase, Filters
from .....reference.arrays import Array
from ...dequantization import NO_ZERO_POINT, Dequantization, dequantize
from ...plan import LptPlan
from ...products import asymmetric, overflow, unsupported, why_in_float
from ...transformation import Transformation, replace

ConvolutionT = TypeVar("ConvolutionT", bound=ConvolutionBase)


class MoveDequantizeAfterAnyConvolution(Transformation[ConvolutionT]):
    """
    `conv(dq(x), dq(w)) = dq'(conv(x, w))`: the sum of codes is exact in i32. `scale' = scale_x scale_w`, because
    neither varies along the dimensions of the sum.

    `w` may have a scale for each output channel, and `x` one for each group. `w` has no zero point.
    """

    @abstractmethod
    def zero_points(
        self, op: ConvolutionT, data: Dequantization, weights: Dequantization
    ) -> Array | str:
        """What the zero points of the data add to the sums; or why that is no constant."""

    def outside(self, op: ConvolutionT, data: Dequantization) -> dict[str, Attribute]:
        """The properties that make what lies outside of the data stand for 0."""
        return {}

    def transform(self, op: ConvolutionT, plan: LptPlan, rewriter: PatternRewriter) -> str | None:
        if "column_scale" in op.properties:
            return ""
        sides: list[Dequantization] = []
        for port, value in enumerate(op.operands[:2]):
            side = Dequantization.on(value)
            if side is None:
                return why_in_float(plan, value, port)
            if (reason := unsupported(op, plan, port, side)) is not None:
                return reason
            sides.append(side)
        data, weights = sides
        filters = op.split_filters(shape_of(op.operands[1]))
        if (reason := self.varies(op, filters, data, weights)) is not None:
            return reason
        if (reason := overflow(data, weights, summed(filters))) is not None:
            return reason
        zero_point = NO_ZERO_POINT if data.is_symmetric else self.zero_points(op, data, weights)
        if isinstance(zero_point, str):
            return zero_point
        if (reason := asymmetric(weights)) is not None:
            return reason
        moved, scale = self.on_codes(op, filters, data, weights)
        replace(op, moved, [dequantize(moved.result, scale, zero_point, data.element)], rewriter)
        return None

    def varies(
        self, op: ConvolutionT, filters: Filters, data: Dequantization, weights: Dequantization
    ) -> str | None:
        """Why a scale cannot be taken out of the sum."""
        return varies_in_data(op, filters, data) or varies_in_weights(op, weights)

    def on_codes(
        self, op: ConvolutionT, filters: Filters, data: Dequantization, weights: Dequantization
    ) -> tuple[ConvolutionT, Array]:
        """The operation on codes, and the scale of its result."""

        groups = of_groups(filters, data.scale)
        assert groups is not None, "scales of one group are one"
        scale = of_channels(filters, groups * of_filters(op, weights.scale.astype(np.float64)))
        properties = {**op.properties, **self.outside(op, data)}
        return type(op).of(data.codes, weights.codes, *op.operands[2:], **properties), scale


def summed(filters: Filters) -> int:
    """How many products are summed at most, or DYNAMIC_INDEX."""
    sizes = (filters.inputs, *filters.kernel)
    return DYNAMIC_INDEX if DYNAMIC_INDEX in sizes else math.prod(sizes)


def axes_of(op: ConvolutionBase) -> Filters:
    """Which dimension of the filters is which."""
    return op.split_filters(tuple(range(len(shape_of(op.operands[1])))))


def varies_in_data(op: ConvolutionBase, filters: Filters, data: Dequantization) -> str | None:
    """Why a scale of the data cannot be taken out of the sum."""
    rank = len(shape_of(op.operands[0]))
    if any(data.varies_along(axis) for axis in (0, *range(2, rank))):
        return (
            "input 0 has scales along another dimension than its channels; quantize it per tensor"
        )
    if of_groups(filters, data.scale) is None:
        return (
            "input 0 is quantized per channel along the dimension that is summed over; "
            "quantize it per tensor"
        )
    return None


def varies_in_weights(op: ConvolutionBase, weights: Dequantization) -> str | None:
    """Why a scale of the weights cannot be taken out of the sum."""
    axes = axes_of(op)
    if any(weights.varies_along(axis) for axis in (axes.inputs, *axes.kernel)):
        return (
            f"input 1 has scales of shape {spelled(weights.scale.shape)}, which vary along the dimensions that are "
            "summed over; quantize it per tensor or per output channel"
        )
    return None


def of_groups(filters: Filters, array: Array) -> Array | None:
    """What belongs to the channels of the data, as `[group, 1]`; None where it differs within a group."""
    if array.ndim == 0:
        return array
    each = array.reshape(-1, array.size if filters.inputs == DYNAMIC_INDEX else filters.inputs)
    return each[:, :1] if (each == each[:, :1]).all() else None


def of_filters(op: ConvolutionBase, array: Array) -> Array:
    """What belongs to the filters, as `[group, output]`."""
    return array if array.ndim == 0 else array.reshape(array.shape[0] if op.GROUPED else 1, -1)


def of_channels(filters: Filters, array: Array) -> Array:
    """What belongs to `[group, output]`, as it lies in the result."""
    if array.ndim == 0:
        return array
    whole = np.broadcast_to(array, (filters.groups, filters.outputs))
    return whole.reshape(1, -1, *(1 for _ in filters.kernel))
