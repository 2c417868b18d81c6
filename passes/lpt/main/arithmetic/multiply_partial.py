"""Multiply: factors become part of the scale of one input."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from xdsl.ir import Operation
from xdsl.pattern_rewriter import PatternRewriter

from .....dialects.inferred import shape_of, tensor
from .....dialects.nn import ConvertOp, MultiplyOp
from .....dialects.qnn import DequantizeOp
from .....reference.arrays import Array
from ...constants import is_finite, known_value, shape_error
from ...dequantization import (
    NO_ZERO_POINT,
    Dequantization,
    broadcast_to_rank,
    computed_in,
    dequantize,
    why_not_quantized,
)
from ...plan import LptPlan
from ...transformation import Transformation, replace, rewrite
from .branches import Branch, keeps_dequantization, reads_codes


class MoveDequantizeToOneInputOfMultiply(Transformation[MultiplyOp]):
    """
    `dq(q) * constant = dq'(q)` with `scale' = scale * constant`.

    `dq1(q1) * dq2(q2) = dq1'(q1) * q2` with `scale1' = scale1 scale2`, where `q2` has no zero point: one
    operand is read as codes, and what is left behind has scale 1.

    Declines an operand that is not quantized; two zero points.
    """

    name: ClassVar[str] = "multiply_partial"
    op: ClassVar[type[MultiplyOp]] = MultiplyOp

    def transform(self, op: MultiplyOp, plan: LptPlan, rewriter: PatternRewriter) -> str | None:
        found = [Dequantization.on(value) for value in op.operands]
        if not any(found) or reads_codes(op):
            return ""
        for value, other in ((op.lhs, op.rhs), (op.rhs, op.lhs)):
            dequantization, constant = Dequantization.on(value), known_value(other)
            if dequantization is not None and constant is not None:
                return rewrite(op, scaled(dequantization, constant), rewriter)
        high = next((one.why_high for one in found if one is not None and not one.is_low), None)
        if None in found and high is not None:
            return high
        if None in found:
            port = found.index(None)
            return why_not_quantized(op.operands[port], port)
        return self.multiply_codes(op, [Branch.of(value) for value in op.operands], rewriter)

    def multiply_codes(
        self, op: MultiplyOp, branches: list[Branch], rewriter: PatternRewriter
    ) -> str | None:
        """The law of two operands."""
        fit = [branch.is_low and not branch.zero_point.any() for branch in branches]
        if not any(branch.is_low for branch in branches):
            return "neither input is quantized to 8 bits; put a FakeQuantize on one"
        if not any(fit):
            return "its inputs are quantized with zero points; quantize one symmetrically around 0"
        at = keeps_dequantization(op, branches) if all(fit) else fit.index(False)
        kept, read = branches[at], branches[1 - at]
        scale = kept.scale * read.scale
        if not is_finite(scale):
            return "the product of the scales of its inputs is too large"
        if not kept.takes(scale):
            return f"input {at} is broadcast along the dimension in which input {1 - at} has scales"
        element = tensor(op.result).element_type
        computed = computed_in(element)
        values = dequantize(kept.data, scale, kept.zero_point, computed)
        codes = ConvertOp.of(read.data, destination_type=computed)
        operands: list[Operation] = [codes, codes]
        operands[at] = values
        product = MultiplyOp.of(*operands, **op.properties)
        rewriter.insert((values, codes))
        replace(
            op, product, [dequantize(product.result, np.ones(()), NO_ZERO_POINT, element)], rewriter
        )
        return None


def scaled(dequantization: Dequantization, factor: Array) -> DequantizeOp | str:
    """`dq(q) * factor = dq'(q)` with `scale' = scale * factor`; or why there is no `dq'`."""
    shape = shape_of(dequantization.codes)
    if (reason := shape_error(factor, shape)) is not None:
        return reason
    scale = dequantization.scale.astype(np.float64) * broadcast_to_rank(factor, len(shape))
    if not is_finite(scale):
        return "its constant is too large for the scale of its input"
    return dequantize(
        dequantization.codes, scale, dequantization.zero_point, dequantization.element
    )
