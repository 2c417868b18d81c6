"""What the transposed convolutions share: the data has no zero points."""

from __future__ import annotations

from .....reference.arrays import Array
from ...dequantization import Dequantization
from .product import ConvolutionT, MoveDequantizeAfterConvolution


class MoveDequantizeAfterBackwardConvolution(MoveDequantizeAfterConvolution[ConvolutionT]):
    """Other elements of the result sum other numbers of products, so zero points have no place."""

    def zero_points(
        self, op: ConvolutionT, data: Dequantization, weights: Dequantization
    ) -> Array | str:
        return "input 0 is quantized with a zero point; quantize it symmetrically around 0"
