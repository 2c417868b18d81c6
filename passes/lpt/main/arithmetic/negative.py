"""Negative."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

from xdsl.pattern_rewriter import PatternRewriter

from .....dialects.nn import NegativeOp
from .....dialects.nn.elementwise import UnaryOp
from ...dequantization import Dequantization
from ...plan import LptPlan
from ...transformation import Transformation, rewrite


class MoveDequantizeAfterNegative(Transformation[UnaryOp]):
    """`-dq(q) = dq'(q)` with the opposite scale."""

    name: ClassVar[str] = "negative"
    op: ClassVar[type[UnaryOp]] = NegativeOp

    def transform(self, op: UnaryOp, plan: LptPlan, rewriter: PatternRewriter) -> str | None:
        if (dequantization := Dequantization.on(op.operands[0])) is None:
            return ""
        opposite = replace(dequantization, scale=-dequantization.scale)
        return rewrite(op, opposite.over(opposite.codes), rewriter)
