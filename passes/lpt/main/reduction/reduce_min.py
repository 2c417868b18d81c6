"""ReduceMin."""

from __future__ import annotations

from typing import ClassVar

from .....dialects.nn import ReduceMinOp
from .reduce import SinkDequantizeThroughReduction


class SinkDequantizeThroughReduceMin(SinkDequantizeThroughReduction[ReduceMinOp]):
    """
    `reduce_min(dq(q)) = dq'(reduce_min(q))` for scales >= 0 that are the same along what is reduced.

    Declines scales that differ along what is reduced; negative ones.
    """

    name: ClassVar[str] = "reduce_min"
    op: ClassVar[type[ReduceMinOp]] = ReduceMinOp
