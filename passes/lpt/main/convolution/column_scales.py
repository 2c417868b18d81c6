"""GroupConvolution whose filters have a scale for each column."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from xdsl.dialects.builtin import f32, f64
from xdsl.pattern_rewriter import PatternRewriter

from .....dialects.inferred import shape_of
from .....dialects.nn import GroupConvolutionOp, constant_of
from .....dialects.nn.convolution import Filters
from .....reference.arrays import Array, blob_of
from ...dequantization import Dequantization
from ...plan import LptPlan
from .forward import MoveDequantizeAfterForwardConvolution
from .product import axes_of, of_channels, of_groups, varies_in_data


class KeepScalesOfColumns(MoveDequantizeAfterForwardConvolution[GroupConvolutionOp]):
    """
    `conv(dq(x), dq(w)) = dq'(conv(x, w))` where `w` has a scale for each index of the kernel's last dimension, as NNCF
    quantizes grouped convolutions: `conv` on codes multiplies the sum of each column by its scale times that of `x`
    (`column_scale`), and `dq'` subtracts the contribution of zero points of `x`.

    Declines what `group_convolution` does, but for these scales; computed filters; values in f64; `update_precisions =
    false`.
    """

    name: ClassVar[str] = "column_scales"
    op: ClassVar[type[GroupConvolutionOp]] = GroupConvolutionOp

    def transform(
        self, op: GroupConvolutionOp, plan: LptPlan, rewriter: PatternRewriter
    ) -> str | None:
        weights = Dequantization.on(op.filters)
        if weights is None or not weights.varies_along(len(shape_of(op.filters)) - 1):
            return ""
        is_in_float = weights.element == f64 or not plan.config.update_precisions
        if constant_of(weights.codes) is None or is_in_float:
            return ""  # why is what the law of one scale for each channel says
        axes = axes_of(op)
        if any(weights.varies_along(axis) for axis in (axes.inputs, *axes.kernel[:-1])):
            return ""
        return super().transform(op, plan, rewriter)

    def varies(
        self,
        op: GroupConvolutionOp,
        filters: Filters,
        data: Dequantization,
        weights: Dequantization,
    ) -> str | None:
        return varies_in_data(op, filters, data)

    def factors(self, codes: Array, weights: Dequantization) -> Array:
        return codes * weights.scale.astype(np.float64)

    def zero_points(
        self, op: GroupConvolutionOp, data: Dequantization, weights: Dequantization
    ) -> Array | str:
        found = super().zero_points(op, data, weights)
        if isinstance(found, str):
            return found
        filters = op.split_filters(shape_of(op.filters))
        return found * of_channels(filters, scale_of_groups(filters, data))

    def on_codes(
        self,
        op: GroupConvolutionOp,
        filters: Filters,
        data: Dequantization,
        weights: Dequantization,
    ) -> tuple[GroupConvolutionOp, Array]:
        scale = scale_of_groups(filters, data)
        if scale.ndim:
            scale = scale.reshape(-1, *[1] * (weights.scale.ndim - 1))
        columns = (weights.scale.astype(np.float64) * scale).astype(np.float32)
        properties = {**op.properties, **self.outside(op, data)}
        properties["column_scale"] = blob_of(columns, f32)
        return GroupConvolutionOp.of(data.codes, weights.codes, **properties), np.ones(())


def scale_of_groups(filters: Filters, data: Dequantization) -> Array:
    """The scale of the data, as `[group, 1]` where it is not one for all."""
    scale = of_groups(filters, data.scale.astype(np.float64))
    assert scale is not None, "scales of one group are one"
    return scale
