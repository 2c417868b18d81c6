"""GroupConvolutionBackpropData."""

from __future__ import annotations

from typing import ClassVar

from .....dialects.nn import GroupConvolutionBackpropDataOp
from .backward import MoveDequantizeAfterBackwardConvolution


class MoveDequantizeAfterGroupConvolutionBackpropData(
    MoveDequantizeAfterBackwardConvolution[GroupConvolutionBackpropDataOp]
):
    """
    `conv(dq(x), dq(w)) = dq'(conv(x - zero_point, w))` for each group, with one zero point.

    Declines what `convolution_backprop_data` does.
    """

    name: ClassVar[str] = "group_convolution_backprop_data"
    op: ClassVar[type[GroupConvolutionBackpropDataOp]] = GroupConvolutionBackpropDataOp
