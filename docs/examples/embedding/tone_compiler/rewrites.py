"""What we add to lowstream's transformations, and what is left to lower once these have run."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from xdsl.dialects.builtin import f32
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern

from lowstream.dialects import nn
from lowstream.passes.lpt.dequantization import Dequantization
from lowstream.passes.lpt.plan import LptPlan
from lowstream.passes.lpt.transformation import Transformation
from lowstream.reference.arrays import blob_of

from .dialect import GainOp


class FoldGainIntoScale(Transformation[GainOp]):
    """`gain(dq(q, scale)) = dq(q, factor * scale)`: a gain of codes costs nothing."""

    name: ClassVar[str] = "tone_gain"
    op: ClassVar[type[GainOp]] = GainOp

    def transform(self, op: GainOp, plan: LptPlan, rewriter: PatternRewriter) -> str | None:
        dequantization = Dequantization.on(op.input)
        if dequantization is None:
            return "its input is not quantized; put a FakeQuantize on it"
        scale = (dequantization.scale * op.factor).astype(dequantization.scale.dtype)
        louder = dequantization.with_arrays(dequantization.codes, scale, dequantization.zero_point)
        rewriter.replace(op, louder)
        return None


class LowerGain(RewritePattern):
    """`tone.gain` as a multiplication."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: GainOp, rewriter: PatternRewriter, /) -> None:
        factor = nn.ConstantOp(blob_of(np.array(op.factor, np.float32), f32))
        rewriter.replace(op, [factor, nn.MultiplyOp.of(op.input, factor.result)])
