"""Relu."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from .....dialects.nn import ReluOp
from ...dequantization import Dequantization
from ..sink import Change, SinkThrough, sign_changing


class SinkDequantizeThroughRelu(SinkThrough[ReluOp]):
    """
    `relu(dq(q)) = dq(relu(q))` when scale >= 0 and zero_point = 0.

    Declines zero points, negative scales.
    """

    name: ClassVar[str] = "relu"
    op: ClassVar[type[ReluOp]] = ReluOp

    def changes(self, op: ReluOp, dequantization: Dequantization) -> Sequence[Change] | str:
        return sign_changing(dequantization) or [lambda array: array]
