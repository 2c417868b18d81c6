"""FakeQuantize of constants."""

from __future__ import annotations

from typing import ClassVar

from xdsl.pattern_rewriter import PatternRewriter

from .....dialects.inferred import copy_name
from .....dialects.nn import ConstantOp
from .....dialects.qnn import DequantizeOp, FakeQuantizeOp
from .....reference.arrays import blob_of
from .....reference.constants import constant_arrays
from .....reference.qnn import fake_quantize
from ...constants import without_nan
from ...plan import LptPlan
from ...prerequisites.shift_weights import ShiftWeights
from ...transformation import Transformation


class FoldFakeQuantizeToCodes(Transformation[FakeQuantizeOp]):
    """`fq(constant)` with an 8-bit result is a constant of codes, in i8 without a zero point if that holds them."""

    name: ClassVar[str] = "fold_fake_quantize"
    op: ClassVar[type[FakeQuantizeOp]] = FakeQuantizeOp

    def transform(self, op: FakeQuantizeOp, plan: LptPlan, rewriter: PatternRewriter) -> str | None:
        known = constant_arrays(op.operands)
        if op.output_type is None or known is None:
            return ""
        data, *limits = known
        codes = fake_quantize(op, without_nan(op, data), *limits)
        constant = ConstantOp(blob_of(codes, op.output_type))
        copy_name(op, constant)
        rewriter.replace(op, constant)
        if not plan.config.leaves_out(ShiftWeights.name, op):
            for use in list(constant.result.uses):
                if isinstance(use.operation, DequantizeOp):
                    ShiftWeights().match_and_rewrite(use.operation, PatternRewriter(use.operation))
        return None
