"""What reductions share: dequantization loses the dimensions that are reduced."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

import numpy as np

from .....dialects.inferred import shape_of
from .....dialects.nn import ReduceOp
from .....reference.arrays import Array
from ...dequantization import Dequantization
from ..sink import Change, SinkThrough, known_integers, order_reversing, varying

ReduceT = TypeVar("ReduceT", bound=ReduceOp)


class SinkDequantizeThroughReduction(SinkThrough[ReduceT]):
    """Of those that take one of the codes: scales must be the same along what is reduced."""

    def changes(self, op: ReduceT, dequantization: Dequantization) -> Sequence[Change] | str:
        reason = order_reversing(dequantization) or varying(dequantization, reduced(op))
        if reason is not None:
            return reason
        return [lambda array: kept(op, array)]


def reduced(op: ReduceOp) -> tuple[int, ...]:
    """The dimensions that are reduced."""
    rank = len(shape_of(op.input))
    return tuple(axis % rank for axis in known_integers(op.axes))


def kept(op: ReduceOp, array: Array) -> Array:
    """A scale or zero point of the input, the same along what is reduced, as one of the result."""
    if array.ndim == 0 or op.keep_dims:
        return array
    return np.squeeze(array, reduced(op))
