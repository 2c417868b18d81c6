"""Concat."""

from __future__ import annotations

from typing import ClassVar

from xdsl.pattern_rewriter import PatternRewriter

from .....dialects.nn import ConcatOp
from ...dequantization import Dequantization, why_not_quantized
from ...plan import Plan
from ...transformation import Transformation, replace


class SinkDequantizeThroughConcat(Transformation[ConcatOp]):
    """`concat(dq(a), dq(b), …) = dq(concat(a, b, …))` when all are the same function."""

    name: ClassVar[str] = "concat"
    op: ClassVar[type[ConcatOp]] = ConcatOp
    preserves_precision: ClassVar[bool] = True

    def transform(self, op: ConcatOp, plan: Plan, rewriter: PatternRewriter) -> str | None:
        found = [Dequantization.on(value) for value in op.inputs]
        inputs = [one for one in found if one is not None]
        if not inputs:
            return ""
        if len(inputs) < len(found):
            port = found.index(None)
            return why_not_quantized(op.inputs[port], port)
        first = inputs[0]
        if not first.is_low:
            return "its input is the 32-bit sum of a product; it is dequantized in front of it"
        if not first.is_per_tensor or not all(first.same_as(other) for other in inputs):
            return "its inputs have different scales; give their FakeQuantize one interval"
        moved = ConcatOp.of(*(one.codes for one in inputs), **op.properties)
        replace(op, moved, [first.over(moved.result)], rewriter)
        return None
