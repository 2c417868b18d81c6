"""PRelu."""

from __future__ import annotations

from typing import ClassVar

from .....dialects.nn import PReluOp
from ...dequantization import Dequantization
from ..compute import ComputeOnCodes, OnCodes
from ..sink import sign_changing


class MoveDequantizeAfterPRelu(ComputeOnCodes[PReluOp]):
    """
    `p_relu(dq(q), slope) = dq(p_relu(q, slope))` when scale >= 0 and zero_point = 0. Slopes put results
    between codes, so these are in floating point.

    Declines zero points, negative scales.
    """

    name: ClassVar[str] = "p_relu"
    op: ClassVar[type[PReluOp]] = PReluOp

    def on_codes(self, op: PReluOp, dequantization: Dequantization) -> OnCodes | str:
        return sign_changing(dequantization) or OnCodes(dequantization.scale)
