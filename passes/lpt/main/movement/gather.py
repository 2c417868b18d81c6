"""Gather."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from .....dialects.inferred import shape_of
from .....dialects.nn import GatherOp, constant_of
from .....reference.arrays import Array, array_of
from ...dequantization import Dequantization
from ..sink import Change, SinkThrough, known_integers, varying


class SinkDequantizeThroughGather(SinkThrough[GatherOp]):
    """
    `gather(dq(q)) = dq'(gather(q))`: scales are gathered too, where the indices are constant; with zero points
    only if no index can be out of range, which would give 0.

    Declines scales along indices that are computed; zero points where an index may be out of range.
    """

    name: ClassVar[str] = "gather"
    op: ClassVar[type[GatherOp]] = GatherOp

    def changes(self, op: GatherOp, dequantization: Dequantization) -> Sequence[Change] | str:
        shape, indices = shape_of(op.input), constant_of(op.indices)
        axis = known_integers(op.axis)[0] % len(shape)
        size = shape[axis]
        inside = indices is not None and all(-size <= i < size for i in indices.data.distinct())
        follow = inside and op.batch_dims.value.data == 0
        if not follow and (lost := varying(dequantization, (axis,))) is not None:
            return lost
        if not (inside or dequantization.is_symmetric):
            index, advice = "may be", " or make the indices constant"
            if indices is not None:
                index, advice = "is", ""
            return (
                f"its input is quantized with a zero point, and an index {index} out of range, which "
                f"gives 0; quantize it symmetrically around 0{advice}"
            )
        new = (1,) * (len(shape_of(op.result)) - len(shape) + 1)

        def gathered(array: Array) -> Array:
            if indices is not None and array.shape[axis] != 1:
                return np.take(array, array_of(indices), axis)
            return array.reshape(*array.shape[:axis], *new, *array.shape[axis + 1 :])

        return [gathered]
