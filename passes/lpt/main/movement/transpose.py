"""Transpose."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from .....dialects.nn import TransposeOp
from ...dequantization import Dequantization
from ..sink import Change, SinkThrough, known_integers


class SinkDequantizeThroughTranspose(SinkThrough[TransposeOp]):
    """`transpose(dq(q)) = dq'(transpose(q))`: scales are transposed alike."""

    name: ClassVar[str] = "transpose"
    op: ClassVar[type[TransposeOp]] = TransposeOp

    def changes(self, op: TransposeOp, dequantization: Dequantization) -> Sequence[Change] | str:
        order = list(known_integers(op.order))
        return [lambda array: array.transpose(order or None)]
