"""Add."""

from __future__ import annotations

from typing import ClassVar

from xdsl.ir import Operation, SSAValue
from xdsl.pattern_rewriter import PatternRewriter

from .....dialects.elements import is_float
from .....dialects.inferred import tensor
from .....dialects.nn import AddOp, ConvertOp, SubtractOp
from ...constants import is_finite, known_value
from ...dequantization import NO_ZERO_POINT, Dequantization, dequantize
from ...plan import LptPlan
from ...products import is_product
from ...quantization_parameters import computed_in
from ...transformation import Transformation, replace, rewrite
from .branches import Branch, keeps_dequantization, reads_codes
from .shift import shifted

BIAS = "it adds a bias, which belongs to the dequantization of the product before it"


class MoveDequantizeAfterAdd(Transformation[AddOp]):
    """
    `dq(q) + constant = dq'(q)` with `zero_point' = zero_point - constant / scale`.

    `dq1(q1) + dq2(q2) = scale2 (dq1'(q1) + q2)` with `scale1' = scale1 / scale2` and `zero_point1' = zero_point1 +
    zero_point2 scale2 / scale1`: one operand is read as codes, and the other keeps a dequantization, which its
    FakeQuantize can absorb. The second operand may be in floating point; then its scale is 1. A constant that is
    dequantized stays beside a value in floating point: reading its codes saves nothing. A bias stays:
    `dq(product) + bias` is one multiplication and one addition. Any constant that no zero point of a product can hold
    is one. Where the product gives values, as one that scales the sums of its columns does, the bias joins what is
    subtracted from them.

    Declines a bias; no operand of 8 bits; scales of 0 or too far apart; constants for each element.
    """

    name: ClassVar[str] = "add"
    op: ClassVar[type[AddOp]] = AddOp

    def transform(self, op: AddOp, plan: LptPlan, rewriter: PatternRewriter) -> str | None:
        if plan.is_bias(op) and not any(map(gives_values, op.operands)):
            return BIAS
        if reads_codes(op) or not any(map(Dequantization.on, op.operands)):
            return ""
        for value, other in ((op.lhs, op.rhs), (op.rhs, op.lhs)):
            if (constant := known_value(other)) is None:
                continue
            if (dequantization := Dequantization.on(value)) is None:
                return ""
            total = shifted(dequantization, constant)
            if isinstance(total, str) and is_product(dequantization.codes):
                return BIAS
            return rewrite(op, total, rewriter)
        return add_codes(op, [Branch.of(value) for value in op.operands], rewriter)


def gives_values(value: SSAValue) -> bool:
    """Whether what is dequantized here is in floating point already, so that only an addition is left."""
    found = Dequantization.on(value)
    return found is not None and is_float(tensor(found.codes).element_type)


def add_codes(
    op: AddOp | SubtractOp, branches: list[Branch], rewriter: PatternRewriter
) -> str | None:
    """The law of two operands: puts the sum of these branches in the place of `op`."""
    if not any(branch.is_low for branch in branches):
        return "neither input is quantized to 8 bits; put a FakeQuantize on one"
    at = keeps_dequantization(op, branches)
    kept, read = branches[at], branches[1 - at]
    if not (kept.can_divide and read.can_divide):
        return "an input has a scale of 0, or next to it, which cannot be divided by"
    scale = kept.scale / read.scale
    zero_point = kept.zero_point + read.zero_point * read.scale / kept.scale
    if not (is_finite(scale) and is_finite(zero_point)):
        return "the scales of its inputs lie too far apart"
    if not kept.takes(scale, zero_point):
        return f"input {at} is broadcast along the dimension in which input {1 - at} has scales"
    element = tensor(op.result).element_type
    computed = computed_in(element)
    values = dequantize(kept.data, scale, zero_point, computed)
    codes = ConvertOp.of(read.data, destination_type=computed)
    operands: list[Operation] = [codes, codes]
    operands[at] = values
    total = AddOp.of(*operands, **op.properties)
    rewriter.insert((values, codes))
    replace(op, total, [dequantize(total.result, read.scale, NO_ZERO_POINT, element)], rewriter)
    return None
