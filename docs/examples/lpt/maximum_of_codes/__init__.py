"""The larger of two codes stands for the larger of two values: what lpt does not do on its own."""

from typing import ClassVar

from xdsl.pattern_rewriter import PatternRewriter

from lowstream.dialects.nn import MaximumOp
from lowstream.passes.lpt.dequantization import Dequantization
from lowstream.passes.lpt.plan import LptPlan
from lowstream.passes.lpt.transformation import Transformation, replace


class SinkDequantizeThroughMaximum(Transformation[MaximumOp]):
    """`max(dq(a), dq(b)) = dq(max(a, b))` for one scale >= 0 and one zero point."""

    name: ClassVar[str] = "maximum"
    op: ClassVar[type[MaximumOp]] = MaximumOp

    def transform(self, op: MaximumOp, plan: LptPlan, rewriter: PatternRewriter) -> str | None:
        a, b = (Dequantization.on(value) for value in op.operands)
        if a is None or b is None or not (a.is_per_tensor and a.same_as(b) and a.scale >= 0):
            return "its inputs are not quantized alike; give both FakeQuantize one interval"
        moved = MaximumOp.of(a.codes, b.codes)
        replace(op, moved, [a.over(moved.result)], rewriter)
        return None


MAXIMUM = SinkDequantizeThroughMaximum()
