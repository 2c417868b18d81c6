"""Clamp."""

from __future__ import annotations

from typing import ClassVar

from xdsl.dialects.builtin import FloatAttr, f64
from xdsl.ir import Attribute

from .....dialects.nn import ClampOp
from ...dequantization import Dequantization
from ..compute import ComputeOnCodes, OnCodes


class MoveDequantizeAfterClamp(ComputeOnCodes[ClampOp]):
    """
    `clamp(dq(q), low, high) = dq(clamp(q, low', high'))` with the limits in codes, `limit / scale +
    zero_point`, for one scale and zero point. A negative scale exchanges the limits.

    Limits need not be codes, so the result is in floating point.

    Declines scales per channel, or 0.
    """

    name: ClassVar[str] = "clamp"
    op: ClassVar[type[ClampOp]] = ClampOp

    def on_codes(self, op: ClampOp, dequantization: Dequantization) -> OnCodes | str:
        if not dequantization.is_per_tensor:
            return (
                "its input is quantized per channel, and its limits are one; quantize it per tensor"
            )
        scale, zero_point = dequantization.scale, dequantization.zero_point
        if scale == 0:
            return "its input has a scale of 0, so it is a constant"
        limits = sorted(
            limit.value.data / float(scale) + float(zero_point) for limit in (op.min, op.max)
        )
        properties: dict[str, Attribute] = {
            name: FloatAttr(limit, f64) for name, limit in zip(("min", "max"), limits, strict=True)
        }
        return OnCodes(scale, zero_point, properties)
