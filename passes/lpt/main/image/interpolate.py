"""Interpolate."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from .....dialects.inferred import constant_integers, shape_of
from .....dialects.nn import InterpolateOp
from ...dequantization import Dequantization
from ..sink import SinkAcross


class SinkDequantizeThroughInterpolate(SinkAcross[InterpolateOp]):
    """
    `interpolate(dq(q)) = dq(interpolate(q))` where it repeats or drops elements: mode `nearest`.

    Declines scales that differ along what is rearranged; zero points where zeros are padded; other modes.
    """

    name: ClassVar[str] = "interpolate"
    op: ClassVar[type[InterpolateOp]] = InterpolateOp

    def preserves(self, op: InterpolateOp) -> bool:
        return op.mode.data == "nearest"

    def rearranged(self, op: InterpolateOp, dequantization: Dequantization) -> Iterable[int] | str:
        rank = len(shape_of(op.input))
        if op.mode.data != "nearest":
            return f"mode '{op.mode.data}' gives values between codes; 'nearest' gives codes"
        if not dequantization.is_symmetric and any(map(any, op.padding(rank))):
            return (
                "its input is quantized with a zero point and padded with zeros; quantize it "
                "symmetrically around 0"
            )
        known = None if op.axes is None else constant_integers(op.axes)
        return range(rank) if known is None else [axis % rank for axis in known]
