"""GroupConvolution."""

from __future__ import annotations

from typing import ClassVar

from .....dialects.nn import GroupConvolutionOp
from .forward import MoveDequantizeAfterForwardConvolution


class MoveDequantizeAfterGroupConvolution(
    MoveDequantizeAfterForwardConvolution[GroupConvolutionOp]
):
    """
    `conv(dq(x), dq(w)) = dq'(conv(x, w))` for each group; where each channel is one, `x` may have a
    scale for each.

    Declines what `convolution` does, but for a scale for each group of the data.
    """

    name: ClassVar[str] = "group_convolution"
    op: ClassVar[type[GroupConvolutionOp]] = GroupConvolutionOp
