"""The template of the transposed convolutions: they subtract the zero point of their data."""

from __future__ import annotations

from xdsl.ir import Attribute

from .....dialects.nn import constant_of
from .....dialects.properties import integer
from .....reference.arrays import Array
from ...dequantization import NO_ZERO_POINT, Dequantization
from .product import ConvolutionT, MoveDequantizeAfterAnyConvolution


class MoveDequantizeAfterBackwardConvolution(MoveDequantizeAfterAnyConvolution[ConvolutionT]):
    """
    Elements of the result sum different numbers of products, so that zero points would not be a constant: the operation
    on codes subtracts one from each input (`zero_point`).
    """

    def outside(self, op: ConvolutionT, data: Dequantization) -> dict[str, Attribute]:
        return {"zero_point": integer(data.code_of_zero)} if data.code_of_zero else {}

    def zero_points(
        self, op: ConvolutionT, data: Dequantization, weights: Dequantization
    ) -> Array | str:
        if data.code_of_zero is None:
            return (
                "input 0 is quantized with zero points that are no code, or differ between channels; quantize it per "
                "tensor, to an interval with 0"
            )
        if constant_of(weights.codes) is None:
            return (
                "input 0 is quantized with a zero point, and input 1 is not a constant to fold it "
                "with; quantize input 0 symmetrically around 0"
            )
        return NO_ZERO_POINT
