"""Transpose of weights."""

from __future__ import annotations

from typing import ClassVar

from ..main.movement.transpose import SinkDequantizeThroughTranspose
from .pull_through_dequantization import PullThroughDequantization


class PullTransposeThroughDequantization(PullThroughDequantization):
    """`transpose(dq(w)) = dq'(w')` for a constant `w`, which is transposed now."""

    name: ClassVar[str] = "pull_transpose_through_dequantization"

    law: ClassVar[SinkDequantizeThroughTranspose] = SinkDequantizeThroughTranspose()
