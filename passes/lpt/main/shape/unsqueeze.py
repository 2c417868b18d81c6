"""Unsqueeze."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from .....dialects.inferred import constant_integers, shape_of
from .....dialects.nn import UnsqueezeOp
from ...dequantization import Dequantization
from ..sink import Change, SinkThrough


class SinkDequantizeThroughUnsqueeze(SinkThrough[UnsqueezeOp]):
    """`unsqueeze(dq(q)) = dq'(unsqueeze(q))`: scales get the same new dimensions."""

    name: ClassVar[str] = "unsqueeze"
    op: ClassVar[type[UnsqueezeOp]] = UnsqueezeOp

    def changes(self, op: UnsqueezeOp, dequantization: Dequantization) -> Sequence[Change] | str:
        axes = constant_integers(op.axes)
        assert axes is not None, "the verifier wants constant axes"
        rank = len(shape_of(op.result))
        return [lambda array: np.expand_dims(array, tuple(axis % rank for axis in axes))]
