"""Subtract."""

from __future__ import annotations

from typing import ClassVar

from xdsl.pattern_rewriter import PatternRewriter

from .....dialects.nn import SubtractOp
from ...constants import known_value
from ...dequantization import Dequantization
from ...plan import Plan
from ...transformation import Transformation, rewrite
from .shift import shifted


class MoveDequantizeAfterSubtract(Transformation[SubtractOp]):
    """`dq(q) - constant = dq'(q)` with `zero_point' = zero_point + constant / scale`."""

    name: ClassVar[str] = "subtract"
    op: ClassVar[type[SubtractOp]] = SubtractOp

    def transform(self, op: SubtractOp, plan: Plan, rewriter: PatternRewriter) -> str | None:
        dequantization = Dequantization.on(op.lhs)
        if dequantization is None:
            return ""
        if (constant := known_value(op.rhs)) is None:
            return "it subtracts what is computed while running; only constants join a zero point"
        return rewrite(op, shifted(dequantization, -constant), rewriter)
