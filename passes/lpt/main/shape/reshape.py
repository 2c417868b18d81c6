"""Reshape."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import ClassVar

import numpy as np
from xdsl.dialects.builtin import DYNAMIC_INDEX

from .....dialects.inferred import Shape, shape_of
from .....dialects.nn import ReshapeOp
from ...dequantization import Dequantization
from ..sink import Change, SinkThrough


class SinkDequantizeThroughReshape(SinkThrough[ReshapeOp]):
    """
    `reshape(dq(q)) = dq'(reshape(q))` where one scale holds for the tensor, or where the dimension
    that has a scale each stays, alone or with what follows, or is split: scales are reshaped alike.

    Declines a dimension with scales that is merged with what precedes it.
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
        if (span := spanned(source, target, channel)) is None:
            return (
                f"its input is quantized per channel along dimension {channel}, which is lost from "
                f"{list(source)} to {list(target)}; quantize it per tensor"
            )
        sizes = target[span]
        shape = (*(1 for _ in target[: span.start]), *sizes, *(1 for _ in target[span.stop :]))
        times = math.prod(sizes) // source[channel]
        return [lambda array: np.repeat(array.reshape(-1), times).reshape(shape)]


def spanned(source: Shape, target: Shape, channel: int) -> slice | None:
    """Which dimensions of the target run over dimension `channel` of the source, or that and more."""
    before = source[:channel]
    for start in range(len(target)):
        ahead = target[:start]
        if before != ahead and (
            DYNAMIC_INDEX in (*before, *ahead) or math.prod(before) != math.prod(ahead)
        ):
            continue
        for stop in range(start + 1, len(target) + 1):
            sizes = target[start:stop]
            if DYNAMIC_INDEX not in sizes and math.prod(sizes) % source[channel] == 0:
                return slice(start, stop)
    return None
