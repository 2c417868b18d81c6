"""Unsqueeze."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from .....dialects.inferred import shape_of
from .....dialects.nn import UnsqueezeOp
from ...dequantization import Dequantization
from ..sink import Change, SinkThrough, known_integers


class SinkDequantizeThroughUnsqueeze(SinkThrough[UnsqueezeOp]):
    """`unsqueeze(dq(q)) = dq'(unsqueeze(q))`: scales get the same new dimensions."""

    name: ClassVar[str] = "unsqueeze"
    op: ClassVar[type[UnsqueezeOp]] = UnsqueezeOp

    def changes(self, op: UnsqueezeOp, dequantization: Dequantization) -> Sequence[Change] | str:
        rank = len(shape_of(op.result))
        axes = tuple(axis % rank for axis in known_integers(op.axes))
        return [lambda array: np.expand_dims(array, axes)]
