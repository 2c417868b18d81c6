"""Clipping on codes: Relu and Clamp whose limits are codes, or beyond all of them."""

from __future__ import annotations

from abc import abstractmethod
from typing import ClassVar

import numpy as np
from xdsl.dialects.builtin import FloatAttr, f64
from xdsl.pattern_rewriter import PatternRewriter

from .....dialects.elements import limits_of
from .....dialects.inferred import tensor
from .....dialects.nn import ClampOp, ConstantOp, MaximumOp, MinimumOp, ReluOp
from .....reference.arrays import Array, blob_of
from ...dequantization import Dequantization
from ...diagnostics import quantizers_of
from ...plan import LptPlan
from ...precision import ROUNDING, whole
from ...quantization_details import QuantizationDetails
from ...transformation import OpT, Transformation, replace, rewrite


class ClipCodes(Transformation[OpT]):
    """
    `relu(dq(q)) = dq(max(q, zero_point))` and `clamp(dq(q), low, high) = dq(clamp(q, low', high'))` with `limit / scale
    + zero_point` in codes, if each limit is a code or lies beyond all codes. A negative scale exchanges the limits. A
    clamp that clips no code is removed.

    Declines limits between codes, and those that all codes are beyond.
    """

    name: ClassVar[str] = "clip_codes"
    preserves_precision: ClassVar[bool] = True

    @abstractmethod
    def limits(self, op: OpT) -> tuple[float, float]:
        """Between which values the operation clips."""

    def transform(self, op: OpT, plan: LptPlan, rewriter: PatternRewriter) -> str | None:
        dequantization = Dequantization.on(op.operands[0])
        if dequantization is None or not dequantization.is_low:
            return ""
        if (found := codes_between(dequantization, *self.limits(op))) is None:
            return ""  # why is what the law about all values says
        (low, high), codes = found, dequantization.codes
        element = tensor(codes).element_type
        if all((end == limit).all() for end, limit in zip(found, limits_of(element), strict=True)):
            return rewrite(op, dequantization.over(codes), rewriter)
        if low.ndim == high.ndim == 0:
            moved = ClampOp.of(
                codes, min=FloatAttr(float(low), f64), max=FloatAttr(float(high), f64)
            )
        else:
            lowest, highest = (ConstantOp(blob_of(limit, element)) for limit in found)
            raised = MaximumOp.of(codes, lowest)
            moved = MinimumOp.of(raised, highest)
            rewriter.insert((lowest, raised, highest))
        replace(op, moved, [dequantization.over(moved.result)], rewriter)
        return None


class ClipCodesOfRelu(ClipCodes[ReluOp]):
    """`ClipCodes` of Relu, which clips from 0 up."""

    op: ClassVar[type[ReluOp]] = ReluOp

    def limits(self, op: ReluOp) -> tuple[float, float]:
        return 0.0, np.inf


class ClipCodesOfClamp(ClipCodes[ClampOp]):
    """`ClipCodes` of Clamp."""

    op: ClassVar[type[ClampOp]] = ClampOp

    def preserves(self, op: ClampOp) -> bool:
        known = [QuantizationDetails.of(one) for one in quantizers_of(op.operands[0])]
        return all(clips_to_codes(one, *op.limits) for one in known if not isinstance(one, str))

    def limits(self, op: ClampOp) -> tuple[float, float]:
        return op.limits


def clips_to_codes(quantization: QuantizationDetails, low: float, high: float) -> bool:
    """Whether these limits are 0, which has a code where grids are shared, codes, or beyond all values."""
    least, most = (end.astype(np.float64) for end in (quantization.low, quantization.high))
    step = np.where(most > least, (most - least) / (quantization.levels - 1), 1)
    steps = [(limit - least) / step for limit in (low, high) if limit]
    return all(
        ((one <= 0) | (one >= quantization.levels - 1) | (abs(one - np.rint(one)) < ROUNDING)).all()
        for one in steps
    )


def codes_between(
    dequantization: Dequantization, low: float, high: float
) -> tuple[Array, Array] | None:
    """The least and the greatest code left; None where a limit lies between codes, or no code between the limits."""
    scale, none = dequantization.scale.astype(np.float64), np.inf if low <= 0 <= high else np.nan
    with np.errstate(divide="ignore", invalid="ignore"):
        ends = [
            np.where(limit == 0, 0.0, limit / scale) + dequantization.zero_point
            for limit in (low, high)
        ]
    # What has scale 0 is 0, within both limits or none.
    least = np.select([scale > 0, scale < 0], ends, -none)
    most = np.select([scale < 0, scale > 0], ends, none)
    first, last = limits_of(tensor(dequantization.codes).element_type)
    least, most = (whole(np.clip(end, first - 1, last + 1), ROUNDING) for end in (least, most))
    inside = (least <= last) & (most >= first)
    least, most = np.maximum(least, first), np.minimum(most, last)
    exact = inside & (least == np.rint(least)) & (most == np.rint(most))
    return (least, most) if exact.all() else None
