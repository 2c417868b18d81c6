"""What Convolution and GroupConvolution share: zero points of the data are a constant."""

from __future__ import annotations

import numpy as np
from xdsl.dialects.builtin import DYNAMIC_INDEX, IntegerAttr
from xdsl.ir import Attribute

from .....dialects.inferred import Shape, shape_of, tensor
from .....dialects.nn import ConstantOp, constant_of
from .....dialects.nn.convolution import ForwardConvolution
from .....dialects.nn.window import Window
from .....reference.arrays import Array, array_of, blob_of, dtype_of
from .....reference.nn.convolution import convolution
from ...dequantization import Dequantization
from .product import (
    ConvolutionT,
    MoveDequantizeAfterConvolution,
    axes_of,
    of_channels,
    of_data,
    of_filters,
)


class MoveDequantizeAfterForwardConvolution(MoveDequantizeAfterConvolution[ConvolutionT]):
    """
    Zero points `z` of the data are `conv(z, w)` behind the sum. Where all are one code, padding reads as that
    code (`pad_value`) and the sum of the filters tells all; else padding, which is 0, has none.
    """

    def outside(self, op: ConvolutionT, data: Dequantization) -> dict[str, Attribute]:
        assert isinstance(op, ForwardConvolution)
        filters, sizes = op.split_filters(shape_of(op.filters)), shape_of(op.input)[2:]
        code = common_code(data)
        if not code or not is_padded(op.window(filters.kernel), sizes):
            return {}
        return {"pad_value": IntegerAttr(code, 64)}

    def zero_points(
        self, op: ConvolutionT, data: Dequantization, weights: Dequantization
    ) -> Array | str:
        assert isinstance(op, ForwardConvolution)
        blob, (_, _, *sizes) = constant_of(weights.codes), shape_of(op.input)
        if blob is None:
            return (
                "input 0 is quantized with a zero point, and input 1 is no constant to fold it "
                "with; quantize input 0 symmetrically around 0"
            )
        axes, filters = axes_of(op), op.split_filters(shape_of(op.filters))
        ones = array_of(blob).sum(axes.inputs, dtype=np.float64, keepdims=True)
        if common_code(data) or not is_padded(op.window(filters.kernel), tuple(sizes)):
            sums = of_filters(op, ones.sum(axes.kernel, keepdims=True))
            return of_channels(filters, of_data(data.zero_point) * sums)
        if DYNAMIC_INDEX in sizes:
            return (
                "input 0 is quantized with a zero point and padded, and its size is unknown; fix its "
                "spatial size or quantize it symmetrically around 0"
            )
        points = of_data(data.zero_point.astype(np.float64)).reshape(-1, *(1 for _ in sizes))
        image = np.broadcast_to(points, (filters.groups, *sizes))[None]
        operands = (np.ascontiguousarray(image), ones)
        constants = [ConstantOp(blob_of(operand)) for operand in operands]
        found = convolution(type(op).of(*constants, **op.properties), *operands)
        assert isinstance(found, np.ndarray)
        return found


def common_code(data: Dequantization) -> int | None:
    """The code that stands for 0 everywhere; None where there is no such one, or it is none of the type."""
    points, limits = data.zero_point, np.iinfo(dtype_of(tensor(data.codes).element_type))
    first = float(points.flat[0]) if points.size else 0.5
    is_code = first.is_integer() and limits.min <= first <= limits.max
    return int(first) if is_code and bool((points == first).all()) else None


def is_padded(window: Window, sizes: Shape) -> bool:
    """Whether any window may reach over the edges of the input."""
    if window.auto_pad.startswith("same") and DYNAMIC_INDEX in sizes:
        return any(extent != 1 for extent in window.extents)
    return any(map(any, window.padding(sizes)))
