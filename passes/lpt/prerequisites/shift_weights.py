"""Zero points of weights, folded into their codes."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from xdsl.dialects.builtin import i8
from xdsl.pattern_rewriter import PatternRewriter, op_type_rewrite_pattern

from ....dialects.elements import is_integer
from ....dialects.inferred import NAME
from ....dialects.nn import ConstantOp
from ....dialects.qnn import DequantizeOp
from ....reference.arrays import array_of, blob_of
from ..dequantization import NO_ZERO_POINT, Dequantization, dequantize
from ..pattern import NamedPattern


class ShiftWeights(NamedPattern):
    """
    `dq(w, zero_point) = dq(w - zero_point)` for constant codes, if i8 holds the differences, since products take
    weights without a zero point. This covers u8 weights around 128.

    Declines differences that i8 does not hold.
    """

    name: ClassVar[str] = "shift_weights"

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: DequantizeOp, rewriter: PatternRewriter, /) -> None:
        before, dequantization = op.input.owner, Dequantization.on(op.result)
        if not isinstance(before, ConstantOp) or op.zero_point is None or dequantization is None:
            return
        if not dequantization.is_low or not is_integer(op.zero_point.type.element_type):
            return
        shifted = array_of(before.value).astype(np.int32) - dequantization.zero_point
        limits = np.iinfo(np.int8)
        if shifted.size == 0 or shifted.min() < limits.min or shifted.max() > limits.max:
            return
        codes = ConstantOp(blob_of(shifted.astype(np.int8), i8))
        symmetric = dequantize(
            codes.result, dequantization.scale, NO_ZERO_POINT, dequantization.element
        )
        for new, old in ((codes, before), (symmetric, op)):
            if NAME in old.attributes:
                new.attributes[NAME] = old.attributes[NAME]
        rewriter.replace(op, [codes, symmetric])
