"""Transpose."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from .....dialects.inferred import constant_integers
from .....dialects.nn import TransposeOp
from ...dequantization import Dequantization
from ..sink import Change, SinkThrough


class SinkDequantizeThroughTranspose(SinkThrough[TransposeOp]):
    """`transpose(dq(q)) = dq'(transpose(q))`: scales are transposed alike."""

    name: ClassVar[str] = "transpose"
    op: ClassVar[type[TransposeOp]] = TransposeOp

    def changes(self, op: TransposeOp, dequantization: Dequantization) -> Sequence[Change] | str:
        order = constant_integers(op.order)
        assert order is not None, "the verifier wants a constant order"
        return [lambda array: array.transpose(list(order) or None)]
