"""ScaledDotProductAttention."""

from __future__ import annotations

from typing import ClassVar

from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.pattern_rewriter import PatternRewriter

from .....dialects.inferred import shape_of
from .....dialects.nn import ScaledDotProductAttentionOp
from ....decompose_ops import decompose
from ...dequantization import Dequantization
from ...plan import LptPlan
from ...products import unsupported, why_in_float
from ...transformation import Transformation
from .zero_points import SplitZeroPointsOffMatMul


class DecomposeQuantizedAttention(Transformation[ScaledDotProductAttentionOp]):
    """
    `attention(dq(q), dq(k), v)` becomes its definition, whose scores are a product of codes. The softmax and the
    weighted means of `v` stay in floating point.

    Declines queries and keys in floating point, or of a type not configured; zero points where `mat_mul_zero_points` is
    disabled; unknown sizes.
    """

    name: ClassVar[str] = "scaled_dot_product_attention"
    op: ClassVar[type[ScaledDotProductAttentionOp]] = ScaledDotProductAttentionOp

    def transform(
        self, op: ScaledDotProductAttentionOp, plan: LptPlan, rewriter: PatternRewriter
    ) -> str | None:
        splits = not plan.config.leaves_out(SplitZeroPointsOffMatMul.name, op)
        for port, value in enumerate((op.query, op.key)):
            if (side := Dequantization.on(value)) is None:
                return why_in_float(plan, value, port)
            if (reason := unsupported(op, plan, port, side)) is not None:
                return reason
            if not (splits or side.is_symmetric):
                return f"input {port} is quantized with a zero point; quantize it symmetrically around 0"
        if any(DYNAMIC_INDEX in shape_of(value) for value in op.operands):
            return "its sizes are unknown; reshape the model"
        decompose(op)
        return None
