"""VariadicSplit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np
from xdsl.dialects.builtin import DYNAMIC_INDEX

from .....dialects.inferred import shape_of
from .....dialects.nn import VariadicSplitOp
from .....reference.arrays import Array
from ...dequantization import Dequantization
from ..sink import Change, SinkThrough, known_integers


class SinkDequantizeThroughVariadicSplit(SinkThrough[VariadicSplitOp]):
    """
    `split(dq(q))[i] = dq_i(split(q)[i])`: scales along the axis are split too.

    Declines scales along parts of unknown size.
    """

    name: ClassVar[str] = "variadic_split"
    op: ClassVar[type[VariadicSplitOp]] = VariadicSplitOp

    def changes(
        self, op: VariadicSplitOp, dequantization: Dequantization
    ) -> Sequence[Change] | str:
        axis = known_integers(op.axis)[0] % len(shape_of(op.input))
        sizes = [shape_of(result)[axis] for result in op.results]
        if DYNAMIC_INDEX in sizes and dequantization.varies_along(axis):
            return (
                "its input is quantized per channel along parts of unknown size; fix split_lengths"
            )
        ends = np.cumsum(sizes)[:-1]

        def part(index: int) -> Change:
            def change(array: Array) -> Array:
                return array if array.shape[axis] == 1 else np.split(array, ends, axis)[index]

            return change

        return [part(index) for index in range(len(sizes))]
