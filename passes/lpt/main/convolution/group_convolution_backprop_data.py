"""GroupConvolutionBackpropData."""

from __future__ import annotations

from typing import ClassVar

from .....dialects.nn import GroupConvolutionBackpropDataOp
from .backward import MoveDequantizeAfterBackwardConvolution


class MoveDequantizeAfterGroupConvolutionBackpropData(
    MoveDequantizeAfterBackwardConvolution[GroupConvolutionBackpropDataOp]
):
    """
    `conv(dq(x), dq(w)) = dq'(conv(x, w))` for each group, without zero points.

    Declines what `convolution` does, and all zero points.
    """

    name: ClassVar[str] = "group_convolution_backprop_data"
    op: ClassVar[type[GroupConvolutionBackpropDataOp]] = GroupConvolutionBackpropDataOp
