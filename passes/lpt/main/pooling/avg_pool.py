"""AvgPool."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from xdsl.dialects.builtin import DYNAMIC_INDEX, IntegerAttr, i64
from xdsl.ir import SSAValue
from xdsl.pattern_rewriter import PatternRewriter

from .....dialects.elements import limits_of
from .....dialects.inferred import shape_of, tensor
from .....dialects.nn import AvgPoolOp, ConstantOp, ConvertOp
from .....dialects.qnn import DequantizeOp, FakeQuantizeOp
from .....reference.arrays import blob_of, dtype_of
from .....reference.constants import constant_arrays
from ...attributes import INPUT_INTERVAL
from ...dequantization import Dequantization
from ...plan import LptPlan
from ...transformation import Transformation, replace
from ..sink import varying


class MoveDequantizeAfterAvgPool(Transformation[AvgPoolOp]):
    """
    `avg_pool(dq(q)) = dq(avg_pool(q))` for scales that are the same within each window.

    If the plan wants codes, the mean is rounded to the nearest code; otherwise it stays in floating point. Where a
    FakeQuantize in front gives few codes, such as 16 of the 256 that their type holds, their steps are long. There the
    mean is rounded to the nearest sixteenth of a step, `avg_pool(dq(q)) = dq'(round(16 avg_pool(q)))`, or to whatever
    power of two the type has room for. Padding that counts is 0, so code 0 must mean 0.

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
        finer = factor_of(op.input) if plan.keeps_codes(op) else 1
        data = dequantization.codes
        if finer > 1 or not plan.keeps_codes(op):
            rewriter.insert(values := ConvertOp.of(data, destination_type=dequantization.computed))
            data = values.result
        moved = AvgPoolOp.of(data, **op.properties)
        if finer > 1:
            round_finer(op, moved, finer, dequantization, rewriter)
        else:
            replace(op, moved, [dequantization.over(moved.result)], rewriter)
        return None


def factor_of(value: SSAValue) -> int:
    """
    By how much the codes of the FakeQuantize that gives this may be multiplied without leaving their type: a power of
    two. It is 1 where the codes come from elsewhere, and where their grid is that of others that are joined with them.
    """
    dequantize = value.owner
    assert isinstance(dequantize, DequantizeOp), "it was matched"
    quantize = dequantize.input.owner
    if not isinstance(quantize, FakeQuantizeOp) or INPUT_INTERVAL in dequantize.attributes:
        return 1
    given = constant_arrays((quantize.output_low, quantize.output_high))
    if given is None:
        return 1
    low, high = limits_of(tensor(dequantize.input).element_type)
    factor = 1
    while all(((low <= 2 * factor * end) & (2 * factor * end <= high)).all() for end in given):
        factor *= 2
        if factor > high - low:  # the only code is 0
            return 1
    return factor


def round_finer(
    op: AvgPoolOp,
    pool: AvgPoolOp,
    factor: int,
    dequantization: Dequantization,
    rewriter: PatternRewriter,
) -> None:
    """Puts the mean of codes, times a factor and rounded, and its dequantization in the place of `op`."""
    code, computed = dequantization.code, dequantization.computed
    limits = np.array(limits_of(code), dtype_of(computed))
    ends = [ConstantOp(blob_of(end, computed)) for end in (*limits / factor, *limits)]
    levels = IntegerAttr(int(limits[1] - limits[0]) + 1, i64)
    rounded = FakeQuantizeOp.of(pool.result, *ends, levels=levels, output_type=code)
    rewriter.insert((pool, *ends))
    scale, point = dequantization.scale / factor, dequantization.zero_point * float(factor)
    replace(op, rounded, [dequantization.with_arrays(rounded.result, scale, point)], rewriter)
    pool.attributes, rounded.attributes = rounded.attributes, {}  # the name is that of the mean


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
