"""MaxPool."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from .....dialects.inferred import shape_of
from .....dialects.nn import MaxPoolOp
from ...dequantization import Dequantization
from ..sink import SinkAcross, order_reversing


class SinkDequantizeThroughMaxPool(SinkAcross[MaxPoolOp]):
    """
    `max_pool(dq(q)) = dq(max_pool(q))` for scales >= 0 that are the same along what is pooled.

    Declines scales that differ along the window; negative ones.
    """

    name: ClassVar[str] = "max_pool"
    op: ClassVar[type[MaxPoolOp]] = MaxPoolOp

    def rearranged(self, op: MaxPoolOp, dequantization: Dequantization) -> Iterable[int] | str:
        return order_reversing(dequantization) or range(2, len(shape_of(op.input)))
