"""ConvolutionBackpropData."""

from __future__ import annotations

from typing import ClassVar

from .....dialects.nn import ConvolutionBackpropDataOp
from .backward import MoveDequantizeAfterBackwardConvolution


class MoveDequantizeAfterConvolutionBackpropData(
    MoveDequantizeAfterBackwardConvolution[ConvolutionBackpropDataOp]
):
    """
    `conv(dq(x), dq(w)) = dq'(conv(x, w))` for one scale of `x`, without zero points.

    Declines what `convolution` does, and all zero points.
    """

    name: ClassVar[str] = "convolution_backprop_data"
    op: ClassVar[type[ConvolutionBackpropDataOp]] = ConvolutionBackpropDataOp
