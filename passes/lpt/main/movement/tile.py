"""Tile."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from .....dialects.inferred import constant_integers, shape_of
from .....dialects.nn import TileOp
from .....reference.arrays import Array
from ...dequantization import Dequantization, broadcast_to_rank
from ..sink import Change, SinkThrough, varying


class SinkDequantizeThroughTile(SinkThrough[TileOp]):
    """
    `tile(dq(q)) = dq'(tile(q))`: scales along a dimension are repeated too.

    Declines scales along dimensions that are repeated a computed number of times.
    """

    name: ClassVar[str] = "tile"
    op: ClassVar[type[TileOp]] = TileOp

    def changes(self, op: TileOp, dequantization: Dequantization) -> Sequence[Change] | str:
        rank, repeats = len(shape_of(op.result)), constant_integers(op.repeats)
        if repeats is None:
            every = range(len(shape_of(op.input)))
            return varying(dequantization, every) or [lambda array: array]
        times = (1,) * (rank - len(repeats)) + tuple(repeats)

        def tiled(array: Array) -> Array:
            whole = broadcast_to_rank(array, rank)
            pairs = zip(times, whole.shape, strict=True)
            return np.tile(whole, [count if size != 1 else 1 for count, size in pairs])

        return [tiled]
