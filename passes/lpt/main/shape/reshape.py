"""Reshape."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import DYNAMIC_INDEX

from .....dialects.inferred import Shape, shape_of
from .....dialects.nn import ReshapeOp
from ...dequantization import Dequantization
from ..sink import Change, SinkThrough


class SinkDequantizeThroughReshape(SinkThrough[ReshapeOp]):
    """
    `reshape(dq(q)) = dq'(reshape(q))` where one scale holds for the tensor, or where the dimension
    that has a scale each is one of the result too: as many elements before it, as many in it.
    """

    name: ClassVar[str] = "reshape"
    op: ClassVar[type[ReshapeOp]] = ReshapeOp

    def changes(self, op: ReshapeOp, dequantization: Dequantization) -> Sequence[Change] | str:
        if dequantization.is_per_tensor:
            return [lambda array: array]
        source, target = shape_of(op.input), shape_of(op.result)
        varying = {
            axis
            for array in (dequantization.scale, dequantization.zero_point)
            for axis, size in enumerate(array.shape)
            if size != 1
        }
        if len(varying) > 1:
            return f"its input has scales along dimensions {sorted(varying)}; one can be kept"
        (channel,) = varying
        if (kept := surviving(source, target, channel)) is None:
            return (
                f"its input is quantized per channel along dimension {channel}, which is lost from "
                f"{list(source)} to {list(target)}; quantize it per tensor"
            )
        shape = [1] * len(target)
        shape[kept] = source[channel]
        return [lambda array: array.reshape(shape)]


def surviving(source: Shape, target: Shape, channel: int) -> int | None:
    """Where dimension `channel` of the source is in the target, if size and place are kept."""
    before = source[:channel]
    for axis, size in enumerate(target):
        ahead = target[:axis]
        same = before == ahead or (
            DYNAMIC_INDEX not in (*before, *ahead) and math.prod(before) == math.prod(ahead)
        )
        if same and size == source[channel] != DYNAMIC_INDEX:
            return axis
    return None
