"""Split."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
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
        count = op.num_splits.value.data
        return parts(count, axis % len(shape_of(op.input)), count)


def parts(count: int, axis: int, ends: int | Array) -> list[Change]:
    """What belongs to each of the parts of a dimension, of which there is an equal number or which have these ends."""

    def part(index: int, array: Array) -> Array:
        return array if array.shape[axis] == 1 else np.split(array, ends, axis)[index]

    return [partial(part, index) for index in range(count)]
