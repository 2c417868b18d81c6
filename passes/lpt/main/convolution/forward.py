"""The template of Convolution and GroupConvolution: zero points of the data become a constant correction."""

from __future__ import annotations

import numpy as np
from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import Attribute

from .....dialects.inferred import Shape, shape_of
from .....dialects.nn import ConstantOp, constant_of
from .....dialects.nn.convolution import ForwardConvolution
from .....dialects.nn.window import Window
from .....dialects.properties import integer
from .....reference.arrays import Array, array_of, blob_of
from .....reference.nn.convolution import convolution
from ...dequantization import Dequantization
from .product import (
    ConvolutionT,
    MoveDequantizeAfterAnyConvolution,
    axes_of,
    of_channels,
    of_filters,
)


class MoveDequantizeAfterForwardConvolution(MoveDequantizeAfterAnyConvolution[ConvolutionT]):
    """
    Zero points `z` of the data are `conv(z, w)` behind the sum, whether or not channels share one. Where all are
    one code, padding reads as that code (`pad_value`) and the sum of the filters tells all; else padding,
    which is 0, has none.
    """

    def outside(self, op: ConvolutionT, data: Dequantization) -> dict[str, Attribute]:
        assert isinstance(op, ForwardConvolution)
        filters, sizes = op.split_filters(shape_of(op.filters)), shape_of(op.input)[2:]
        code = data.code_of_zero
        if not code or not is_padded(op.window(filters.kernel), sizes):
            return {}
        return {"pad_value": integer(code)}

    def factors(self, codes: Array, weights: Dequantization) -> Array:
        """What each element of the data is multiplied by: the filters' codes, whose scale follows the sum."""
        return codes

    def zero_points(
        self, op: ConvolutionT, data: Dequantization, weights: Dequantization
    ) -> Array | str:
        assert isinstance(op, ForwardConvolution)
        axes, filters = axes_of(op), op.split_filters(shape_of(op.filters))
        blob, (_, _, *sizes) = constant_of(weights.codes), shape_of(op.input)
        padded = is_padded(op.window(filters.kernel), tuple(sizes))
        if not data.holds_zero:
            why = "so padding has no code" if padded else "so its zero point is none of its codes"
            return f"input 0 is quantized to an interval without 0, {why}; widen the interval to 0"
        if blob is None:
            return (
                "input 0 is quantized with a zero point, and input 1 is not a constant to fold it "
                "with; quantize input 0 symmetrically around 0"
            )
        points = times_zero_points(op, self.factors(array_of(blob), weights), data.zero_point)
        if data.code_of_zero or not padded:
            return of_channels(filters, of_filters(op, points.sum(axes.kernel)))
        if DYNAMIC_INDEX in sizes:
            return (
                "input 0 is quantized with a zero point and padded, and its size is unknown; fix its "
                "spatial size or quantize it symmetrically around 0"
            )
        operands = (np.ones((1, filters.groups, *sizes)), points)
        constants = [ConstantOp(blob_of(operand)) for operand in operands]
        found = convolution(type(op).of(*constants, **op.properties), *operands)
        assert isinstance(found, np.ndarray)
        return found


def times_zero_points(op: ForwardConvolution, filters: Array, zero_point: Array) -> Array:
    """The filters times the zero points of their channels, at each position of the kernel."""
    axis = axes_of(op).inputs
    if zero_point.ndim == 0:
        return filters.sum(axis, dtype=np.float64, keepdims=True) * zero_point
    shape = [1] * filters.ndim
    shape[0], shape[axis] = filters.shape[0] if op.GROUPED else 1, filters.shape[axis]
    return (filters * zero_point.astype(np.float64).reshape(shape)).sum(axis, keepdims=True)


def is_padded(window: Window, sizes: Shape) -> bool:
    """Whether any window may reach over the edges of the input."""
    if window.auto_pad.startswith("same") and DYNAMIC_INDEX in sizes:
        return any(extent != 1 for extent in window.extents)
    return any(map(any, window.padding(sizes)))
