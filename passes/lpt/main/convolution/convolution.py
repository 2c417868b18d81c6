"""Convolution."""

from __future__ import annotations

from typing import ClassVar

from .....dialects.nn import ConvolutionOp
from .forward import MoveDequantizeAfterForwardConvolution


class MoveDequantizeAfterConvolution(MoveDequantizeAfterForwardConvolution[ConvolutionOp]):
    """`conv(dq(x), dq(w)) = dq'(conv(x, w))` for one scale of `x` and one of `w` for each output channel."""

    name: ClassVar[str] = "convolution"
    op: ClassVar[type[ConvolutionOp]] = ConvolutionOp
