"""ReduceMean."""

from __future__ import annotations

from typing import ClassVar

from .....dialects.nn import ReduceMeanOp
from ...dequantization import Dequantization
from ..compute import ComputeOnCodes, OnCodes
from ..sink import varying
from .reduce import kept, reduced


class MoveDequantizeAfterReduceMean(ComputeOnCodes[ReduceMeanOp]):
    """
    `reduce_mean(dq(q)) = dq'(reduce_mean(q))` for scales that are the same along what is reduced. Means
    lie between codes, so they are in floating point.

    Declines scales that differ along what is reduced.
    """

    name: ClassVar[str] = "reduce_mean"
    op: ClassVar[type[ReduceMeanOp]] = ReduceMeanOp

    def on_codes(self, op: ReduceMeanOp, dequantization: Dequantization) -> OnCodes | str:
        if (reason := varying(dequantization, reduced(op))) is not None:
            return reason
        return OnCodes(kept(op, dequantization.scale), kept(op, dequantization.zero_point))
