"""ConvolutionBackpropData."""

from __future__ import annotations

from typing import ClassVar

from .....dialects.nn import ConvolutionBackpropDataOp
from .backward import MoveDequantizeAfterBackwardConvolution


class MoveDequantizeAfterConvolutionBackpropData(
    MoveDequantizeAfterBackwardConvolution[ConvolutionBackpropDataOp]
):
    """
    `conv(dq(x), dq(w)) = dq'(conv(x - zero_point, w))` for one scale of `x`. The operation subtracts the zero point;
    where that is no code, `conv(zero_point, w)`, a constant, goes off the sums.

    Declines what `convolution` does, but for i8 data and intervals without 0; zero points that are no code of data of
    unknown size.
    """

    name: ClassVar[str] = "convolution_backprop_data"
    op: ClassVar[type[ConvolutionBackpropDataOp]] = ConvolutionBackpropDataOp
