"""DepthToSpace."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from .....dialects.inferred import shape_of
from .....dialects.nn import DepthToSpaceOp
from ...dequantization import Dequantization
from ..sink import SinkAcross


class SinkDequantizeThroughDepthToSpace(SinkAcross[DepthToSpaceOp]):
    """
    `depth_to_space(dq(q)) = dq(depth_to_space(q))` for scales that are the same for all channels.

    Declines scales that differ along what is rearranged.
    """

    name: ClassVar[str] = "depth_to_space"
    op: ClassVar[type[DepthToSpaceOp]] = DepthToSpaceOp

    def rearranged(self, op: DepthToSpaceOp, dequantization: Dequantization) -> Iterable[int] | str:
        return range(1, len(shape_of(op.input)))
