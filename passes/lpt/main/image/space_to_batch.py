"""SpaceToBatch."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from .....dialects.inferred import constant_integers, shape_of
from .....dialects.nn import SpaceToBatchOp
from ...dequantization import Dequantization
from ..sink import SinkAcross


class SinkDequantizeThroughSpaceToBatch(SinkAcross[SpaceToBatchOp]):
    """
    `space_to_batch(dq(q)) = dq(space_to_batch(q))` for scales that are the same in all blocks; with
    zero points only if nothing is padded, which would be with zeros.

    Declines scales that differ along what is rearranged; zero points where zeros are padded.
    """

    name: ClassVar[str] = "space_to_batch"
    op: ClassVar[type[SpaceToBatchOp]] = SpaceToBatchOp

    def rearranged(self, op: SpaceToBatchOp, dequantization: Dequantization) -> Iterable[int] | str:
        block, begin, end = (constant_integers(value) for value in op.operands[1:])
        pads = None if begin is None or end is None else (*begin, *end)
        if not dequantization.is_symmetric and (pads is None or any(pads)):
            return (
                "its input is quantized with a zero point and may be padded with zeros; quantize it "
                "symmetrically around 0"
            )
        every = range(len(shape_of(op.input)))
        if block is None or pads is None:
            return every
        return [
            axis
            for axis in every
            if axis == 0 or block[axis] != 1 or pads[axis] or pads[axis + len(every)]
        ]
