"""AvgPool."""

from __future__ import annotations

from typing import ClassVar

from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.pattern_rewriter import PatternRewriter

from .....dialects.inferred import shape_of
from .....dialects.nn import AvgPoolOp, ConvertOp
from ...dequantization import Dequantization
from ...plan import LptPlan
from ...transformation import Transformation, replace
from ..sink import varying


class MoveDequantizeAfterAvgPool(Transformation[AvgPoolOp]):
    """
    `avg_pool(dq(q)) = dq(avg_pool(q))` for scales that are the same within each window.

    If the plan wants codes, the mean is rounded to the nearest code; otherwise it stays in floating point. Padding that
    counts is 0, so code 0 must mean 0.

    Declines padding that counts beside a zero point; scales along the window.
    """

    name: ClassVar[str] = "avg_pool"
    op: ClassVar[type[AvgPoolOp]] = AvgPoolOp

    def transform(self, op: AvgPoolOp, plan: LptPlan, rewriter: PatternRewriter) -> str | None:
        if isinstance(dequantization := Dequantization.low_on(op.input), str):
            return dequantization
        if not dequantization.is_symmetric and counts_padding(op):
            return (
                "its input is quantized with a zero point, and its padding counts as zeros; quantize it "
                "symmetrically around 0"
            )
        if (lost := varying(dequantization, range(2, len(shape_of(op.input))))) is not None:
            return lost
        data = dequantization.codes
        if not plan.keeps_codes(op):
            rewriter.insert(values := ConvertOp.of(data, destination_type=dequantization.computed))
            data = values.result
        moved = AvgPoolOp.of(data, **op.properties)
        replace(op, moved, [dequantization.over(moved.result)], rewriter)
        return None


def counts_padding(op: AvgPoolOp) -> bool:
    """Whether zeros outside of the input may take part in a mean, or be one."""
    window, sizes = op.pooling_window(), shape_of(op.input)[2:]
    if window.auto_pad.startswith("same") and DYNAMIC_INDEX in sizes:
        return not op.exclude_pad.value.data
    pads = window.padding(sizes)
    if not op.exclude_pad.value.data:
        return any(map(any, pads)) or window.rounding != "floor"
    # Not counted, padding is still all that a window has which lies in it as a whole.
    beyond = window.rounding == "ceil" and any(stride > 1 for stride in window.strides)
    between = any(map(any, pads)) and any(dilation > 1 for dilation in window.dilations)
    return (beyond or between) or any(
        max(pad) >= extent for pad, extent in zip(pads, window.extents, strict=True)
    )
