"""Split."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from .....dialects.inferred import shape_of
from .....dialects.nn import SplitOp
from .....reference.arrays import Array
from ...dequantization import Dequantization
from ..sink import Change, SinkThrough, known_integers


class SinkDequantizeThroughSplit(SinkThrough[SplitOp]):
    """`split(dq(q))[i] = dq_i(split(q)[i])`: scales along the axis are split too."""

    name: ClassVar[str] = "split"
    op: ClassVar[type[SplitOp]] = SplitOp

    def changes(self, op: SplitOp, dequantization: Dequantization) -> Sequence[Change] | str:
        (axis,) = known_integers(op.axis)
        axis, parts = axis % len(shape_of(op.input)), op.num_splits.value.data

        def part(index: int) -> Change:
            def change(array: Array) -> Array:
                return array if array.shape[axis] == 1 else np.split(array, parts, axis)[index]

            return change

        return [part(index) for index in range(parts)]
