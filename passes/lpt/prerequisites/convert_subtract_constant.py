"""Zero points in floating point, converted to the type of the codes."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from xdsl.pattern_rewriter import PatternRewriter, op_type_rewrite_pattern

from ....dialects.elements import is_integer, limits_of
from ....dialects.inferred import copy_name, tensor
from ....dialects.qnn import DequantizeOp
from ....reference.arrays import dtype_of
from ..dequantization import Dequantization, dequantize
from ..pattern import NamedPattern
from ..precision import rounding_in, whole


class ConvertSubtractConstant(NamedPattern[DequantizeOp]):
    """
    `dq(q, zero_point) = dq(q, zero_point')` where `zero_point'` has the type of the codes, if `zero_point` is whole up
    to rounding and the type holds it. A zero point of 0 is dropped.

    Declines zero points between codes, or outside of the type.
    """

    name: ClassVar[str] = "convert_subtract_constant"

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: DequantizeOp, rewriter: PatternRewriter, /) -> None:
        dequantization = Dequantization.on(op.result)
        if op.zero_point is None or is_integer(op.zero_point.type.element_type):
            return
        if dequantization is None or not dequantization.is_low:
            return
        given = dequantization.zero_point.astype(np.float64)
        points = whole(given, rounding_in(dtype_of(dequantization.element)))
        lowest, highest = limits_of(tensor(op.input).element_type)
        if ((points != np.rint(points)) | (points < lowest) | (points > highest)).any():
            return
        converted = dequantize(op.input, dequantization.scale, points, dequantization.element)
        copy_name(op, converted)
        rewriter.replace(op, converted)
