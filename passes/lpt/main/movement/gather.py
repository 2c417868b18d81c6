"""Gather."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from .....dialects.inferred import constant_integers, shape_of
from .....dialects.nn import GatherOp, constant_of
from ...dequantization import Dequantization
from ..sink import Change, SinkThrough, varying


class SinkDequantizeThroughGather(SinkThrough[GatherOp]):
    """
    `gather(dq(q)) = dq'(gather(q))` for scales that are the same along the axis; with zero points only
    if no index can be out of range, which would give 0.
    """

    name: ClassVar[str] = "gather"
    op: ClassVar[type[GatherOp]] = GatherOp

    def changes(self, op: GatherOp, dequantization: Dequantization) -> Sequence[Change] | str:
        shape, known = shape_of(op.input), constant_integers(op.axis)
        assert known is not None, "the verifier wants a constant axis"
        axis, indices = known[0] % len(shape), constant_of(op.indices)
        if (lost := varying(dequantization, (axis,))) is not None:
            return lost
        size = shape[axis]
        if not dequantization.is_symmetric and (
            indices is None or any(not -size <= i < size for i in indices.data.distinct())
        ):
            return (
                "its input is quantized with a zero point, and an index may be out of range, which "
                "gives 0; quantize it symmetrically around 0 or make the indices constant"
            )
        new = (1,) * (len(shape_of(op.result)) - len(shape) + 1)
        return [lambda array: array.reshape(*array.shape[:axis], *new, *array.shape[axis + 1 :])]
