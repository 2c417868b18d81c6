"""The template of the transposed convolutions: their data must have no zero points."""

from __future__ import annotations

from .....reference.arrays import Array
from ...dequantization import Dequantization
from .product import ConvolutionT, MoveDequantizeAfterAnyConvolution


class MoveDequantizeAfterBackwardConvolution(MoveDequantizeAfterAnyConvolution[ConvolutionT]):
    """Elements of the result sum different numbers of products, so that zero points would not be a constant."""

    def zero_points(
        self, op: ConvolutionT, data: Dequantization, weights: Dequantization
    ) -> Array | str:
        return "input 0 is quantized with a zero point; quantize it symmetrically around 0"
