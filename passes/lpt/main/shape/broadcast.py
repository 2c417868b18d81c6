"""Broadcast."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from .....dialects.inferred import shape_of
from .....dialects.nn import BroadcastOp
from ...dequantization import Dequantization, broadcast_to_rank
from ..sink import Change, SinkThrough


class SinkDequantizeThroughBroadcast(SinkThrough[BroadcastOp]):
    """`broadcast(dq(q)) = dq'(broadcast(q))`: scales get the new leading dimensions, of 1."""

    name: ClassVar[str] = "broadcast"
    op: ClassVar[type[BroadcastOp]] = BroadcastOp

    def changes(self, op: BroadcastOp, dequantization: Dequantization) -> Sequence[Change] | str:
        rank = len(shape_of(op.result))
        return [lambda array: broadcast_to_rank(array, rank)]
