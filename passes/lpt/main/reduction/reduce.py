"""What ReduceMax and ReduceMin share: they take one of the codes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

import numpy as np

from .....dialects.inferred import constant_integers, shape_of
from .....dialects.nn import ReduceOp
from ...dequantization import Dequantization
from ..sink import Change, SinkThrough, turned, varying

ReduceT = TypeVar("ReduceT", bound=ReduceOp)


class SinkDequantizeThroughReduction(SinkThrough[ReduceT]):
    """Scales lose the dimensions that are reduced, along which they must be the same."""

    def changes(self, op: ReduceT, dequantization: Dequantization) -> Sequence[Change] | str:
        known, rank = constant_integers(op.axes), len(shape_of(op.input))
        assert known is not None, "the verifier wants constant axes"
        axes = tuple(axis % rank for axis in known)
        reason = turned(dequantization) or varying(dequantization, axes)
        if reason is not None:
            return reason
        return [lambda array: array if op.keep_dims else np.squeeze(array, axes)]
