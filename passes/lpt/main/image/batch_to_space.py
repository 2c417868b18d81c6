"""BatchToSpace."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from .....dialects.inferred import constant_integers, shape_of
from .....dialects.nn import BatchToSpaceOp
from ...dequantization import Dequantization
from ..sink import SinkAcross


class SinkDequantizeThroughBatchToSpace(SinkAcross[BatchToSpaceOp]):
    """
    `batch_to_space(dq(q)) = dq(batch_to_space(q))` for scales that are the same in all blocks.

    Declines scales that differ along what is rearranged.
    """

    name: ClassVar[str] = "batch_to_space"
    op: ClassVar[type[BatchToSpaceOp]] = BatchToSpaceOp

    def rearranged(self, op: BatchToSpaceOp, dequantization: Dequantization) -> Iterable[int] | str:
        operands = [constant_integers(value) for value in op.operands[1:]]
        known = [numbers for numbers in operands if numbers is not None]
        every = range(len(shape_of(op.input)))
        if len(known) < len(operands):
            return every
        return [
            axis
            for axis in every
            if axis == 0
            or any(numbers[axis] != still for numbers, still in zip(known, (1, 0, 0), strict=True))
        ]
