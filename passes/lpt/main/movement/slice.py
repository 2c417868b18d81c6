"""Slice."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from .....dialects.inferred import constant_integers, shape_of
from .....dialects.nn import SliceOp
from ...dequantization import Dequantization
from ..sink import SinkAcross


class SinkDequantizeThroughSlice(SinkAcross[SliceOp]):
    """`slice(dq(q)) = dq'(slice(q))` for scales that are the same along what is cut."""

    name: ClassVar[str] = "slice"
    op: ClassVar[type[SliceOp]] = SliceOp

    def rearranged(self, op: SliceOp, dequantization: Dequantization) -> Iterable[int] | str:
        rank, known = len(shape_of(op.input)), constant_integers(op.axes)
        return range(rank) if known is None else [axis % rank for axis in known]
