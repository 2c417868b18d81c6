"""Add."""

from __future__ import annotations

from typing import ClassVar

from xdsl.pattern_rewriter import PatternRewriter

from .....dialects.nn import AddOp
from ...dequantization import Dequantization
from ...plan import Plan
from ...transformation import Transformation


class MoveDequantizeAfterAdd(Transformation[AddOp]):
    """
    A sum stays in floating point, behind the dequantization of what it adds.

    `dq(a b) + bias` is one multiplication and one addition where the product is finished, and codes
    of different scales have no sum.
    """

    name: ClassVar[str] = "add"
    op: ClassVar[type[AddOp]] = AddOp

    def transform(self, op: AddOp, plan: Plan, rewriter: PatternRewriter) -> str | None:
        if plan.is_bias(op):
            return "it adds a bias, which belongs to the dequantization of the product before it"
        left, right = Dequantization.on(op.lhs), Dequantization.on(op.rhs)
        if left is None and right is None:
            return ""
        if left is None or right is None:
            return f"input {0 if left is None else 1} is not quantized, and the sum takes its type"
        if not (left.is_low and right.is_low):
            return "it adds 32-bit sums of products, each with its own scale"
        return (
            "its inputs have a scale each; their sum needs one of its own: put a FakeQuantize on it"
        )
