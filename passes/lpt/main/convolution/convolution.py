"""Convolution."""

from __future__ import annotations

from typing import ClassVar

from .....dialects.nn import ConvolutionOp
from .forward import MoveDequantizeAfterForwardConvolution


class MoveDequantizeAfterConvolution(MoveDequantizeAfterForwardConvolution[ConvolutionOp]):
    """
    `conv(dq(x), dq(w)) = dq'(conv(x, w))` for one scale of `x` and one of `w` for each output channel.

    Declines what `mat_mul` does; data with a scale for each channel, or in i8 (on `cpu-x86`, where signed data gets
    u8 and zero point 128), or on an interval without 0; zero points of the filters; those of padded data of unknown
    size.
    """

    name: ClassVar[str] = "convolution"
    op: ClassVar[type[ConvolutionOp]] = ConvolutionOp
