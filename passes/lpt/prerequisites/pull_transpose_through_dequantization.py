"""Transpose of weights."""

from __future__ import annotations

from typing import Any, ClassVar

from ....dialects.nn import TransposeOp
from ..main.movement.transpose import SinkDequantizeThroughTranspose
from ..main.sink import SinkThrough
from .pull_through_dequantization import PullThroughDequantization


class PullTransposeThroughDequantization(PullThroughDequantization[TransposeOp]):
    """
    `transpose(dq(w)) = dq'(w')` for a constant `w`, which is transposed now.

    Declines scales that are lost.
    """

    name: ClassVar[str] = "pull_transpose_through_dequantization"

    law: ClassVar[SinkThrough[Any]] = SinkDequantizeThroughTranspose()
