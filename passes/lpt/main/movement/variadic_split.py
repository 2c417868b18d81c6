"""VariadicSplit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np
from xdsl.dialects.builtin import DYNAMIC_INDEX

from .....dialects.inferred import shape_of
from .....dialects.nn import VariadicSplitOp
from ...dequantization import Dequantization
from ..sink import Change, SinkThrough, known_integers
from .split import parts


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
        return parts(len(sizes), axis, np.cumsum(sizes)[:-1])
