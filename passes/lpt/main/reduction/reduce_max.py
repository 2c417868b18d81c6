"""ReduceMax."""

from __future__ import annotations

from typing import ClassVar

from .....dialects.nn import ReduceMaxOp
from .reduce import SinkDequantizeThroughReduction


class SinkDequantizeThroughReduceMax(SinkDequantizeThroughReduction[ReduceMaxOp]):
    """
    `reduce_max(dq(q)) = dq'(reduce_max(q))` for scales >= 0 that are the same along what is reduced.

    Declines scales that differ along what is reduced; negative ones.
    """

    name: ClassVar[str] = "reduce_max"
    op: ClassVar[type[ReduceMaxOp]] = ReduceMaxOp
