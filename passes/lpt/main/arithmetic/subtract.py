"""Subtract."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

from xdsl.pattern_rewriter import PatternRewriter

from .....dialects.inferred import shape_of
from .....dialects.nn import SubtractOp
from ...constants import known_value, shape_error
from ...dequantization import Dequantization
from ...plan import LptPlan
from ...transformation import Transformation, rewrite
from .add import add_codes
from .branches import Branch, reads_codes
from .shift import shifted


class MoveDequantizeAfterSubtract(Transformation[SubtractOp]):
    """
    `dq(q) - constant = dq'(q)` with `zero_point' = zero_point + constant / scale`, and `constant - dq(q)` the same with
    the opposite scale.

    `dq(q) - x = dq(q) + (-x)`, to which the law of additions applies. `x - dq(q)` stays if `x` is in floating point:
    `q` may be the codes of `x`, and the law would make the small difference inexact.

    Declines codes that are subtracted from a value in floating point; scales of 0.
    """

    name: ClassVar[str] = "subtract"
    op: ClassVar[type[SubtractOp]] = SubtractOp

    def transform(self, op: SubtractOp, plan: LptPlan, rewriter: PatternRewriter) -> str | None:
        left, right = (Dequantization.on(value) for value in op.operands)
        if reads_codes(op) or not (left or right):
            return ""
        if (constant := known_value(op.rhs)) is not None:
            if left is None:
                return shape_error(constant, shape_of(op.result)) or ""
            return rewrite(op, shifted(left, -constant), rewriter)
        if (constant := known_value(op.lhs)) is not None:
            if right is None:
                return ""
            return rewrite(op, shifted(replace(right, scale=-right.scale), constant), rewriter)
        if left is None:
            return "it takes codes off a value in floating point; put a FakeQuantize on input 0"
        branches = [Branch.of(op.lhs), Branch.of(op.rhs).negated()]
        return add_codes(op, branches, rewriter)
