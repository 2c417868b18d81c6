"""The template of the transposed convolutions: they subtract the zero point of their data, or a constant follows."""

from __future__ import annotations

import numpy as np
from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import Attribute

from .....dialects.inferred import shape_of
from .....dialects.nn import ConstantOp, constant_of
from .....dialects.properties import integer
from .....reference.arrays import Array, array_of, blob_of
from .....reference.constants import constant_arrays
from .....reference.executor import evaluate
from ...dequantization import NO_ZERO_POINT, Dequantization
from .product import ConvolutionT, MoveDequantizeAfterAnyConvolution


class MoveDequantizeAfterBackwardConvolution(MoveDequantizeAfterAnyConvolution[ConvolutionT]):
    """
    Elements of the result sum different numbers of products. Where one code is 0, the operation on codes subtracts it
    from each input (`zero_point`); else zero points `z` of the data are `conv(z, w)` behind the sum.
    """

    def outside(self, op: ConvolutionT, data: Dequantization) -> dict[str, Attribute]:
        return {"zero_point": integer(data.code_of_zero)} if data.code_of_zero else {}

    def zero_points(
        self, op: ConvolutionT, data: Dequantization, weights: Dequantization
    ) -> Array | str:
        if (blob := constant_of(weights.codes)) is None:
            return (
                "input 0 is quantized with a zero point, and input 1 is not a constant to fold it "
                "with; quantize input 0 symmetrically around 0"
            )
        if data.code_of_zero is not None:
            return NO_ZERO_POINT
        shape, further = (1, *shape_of(op.operands[0])[1:]), constant_arrays(op.operands[2:])
        if DYNAMIC_INDEX in shape or further is None:
            return (
                "input 0 is quantized with zero points that are no code, or differ between channels, and its size is "
                "unknown; fix its spatial size or move its interval so that 0 is a step"
            )
        points = np.broadcast_to(data.zero_point.astype(np.float64), shape)
        operands = (points, array_of(blob).astype(np.float64))
        constants = [ConstantOp(blob_of(operand)).result for operand in operands]
        known = type(op).of(*constants, *op.operands[2:], **op.properties)
        (found,) = evaluate(known, [*operands, *further])
        known.erase()
        return found
