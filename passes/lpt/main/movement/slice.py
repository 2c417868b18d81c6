"""Slice."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from .....dialects.inferred import constant_integers, shape_of
from .....dialects.nn import SliceOp
from .....reference.arrays import Array
from ...dequantization import Dequantization
from ..sink import Change, SinkThrough, varying


class SinkDequantizeThroughSlice(SinkThrough[SliceOp]):
    """
    `slice(dq(q)) = dq'(slice(q))`: scales are cut too, where the limits are known.

    Declines scales along limits that are computed.
    """

    name: ClassVar[str] = "slice"
    op: ClassVar[type[SliceOp]] = SliceOp

    def changes(self, op: SliceOp, dequantization: Dequantization) -> Sequence[Change] | str:
        rank, numbers = (
            len(shape_of(op.input)),
            [constant_integers(each) for each in op.operands[1:]],
        )
        axes = numbers[-1]
        known = [each for each in numbers if each is not None]
        if axes is None or len(known) < len(numbers):
            cut = range(rank) if axes is None else [axis % rank for axis in axes]
            return varying(dequantization, cut) or [lambda array: array]

        def cut_alike(array: Array) -> Array:
            for start, stop, step, axis in zip(*known, strict=True):
                if array.shape[axis] != 1:
                    index = [slice(None)] * rank
                    index[axis] = slice(start, stop, step)
                    array = array[tuple(index)]
            return array

        return [cut_alike]
