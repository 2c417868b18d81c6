"""StridedSlice."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import DYNAMIC_INDEX

from .....dialects.inferred import constant_integers, shape_of
from .....dialects.nn import StridedSliceOp
from .....dialects.nn.strided_slice import SliceEntry
from .....reference.arrays import Array
from ...dequantization import Dequantization
from ..sink import Change, SinkThrough, varying


class SinkDequantizeThroughStridedSlice(SinkThrough[StridedSliceOp]):
    """
    `strided_slice(dq(q)) = dq'(strided_slice(q))`: scales are cut too, where the limits are known; they lose and
    get dimensions as the codes do.

    Declines scales along limits that are computed.
    """

    name: ClassVar[str] = "strided_slice"
    op: ClassVar[type[StridedSliceOp]] = StridedSliceOp

    def changes(self, op: StridedSliceOp, dequantization: Dequantization) -> Sequence[Change] | str:
        (places,) = shape_of(op.begin)
        assert places != DYNAMIC_INDEX, "the verifier wants a known number of places"
        entries = list(op.entries(places, len(shape_of(op.input))))
        limits = known_limits(op)
        if limits is None:
            cut = [
                entry.dimension
                for entry in entries
                if entry.kind in ("slice", "shrink") and not is_whole(op, entry)
            ]
            if (lost := varying(dequantization, cut)) is not None:
                return lost

        def sliced(array: Array) -> Array:
            return array[tuple(taken(op, entry, array.shape, limits) for entry in entries)]

        return [sliced]


Limits = tuple[Sequence[int], Sequence[int], Sequence[int]]
"""Where each place begins and ends, and its stride."""


def known_limits(op: StridedSliceOp) -> Limits | None:
    """All limits, if they are constants."""
    begin, end = constant_integers(op.begin), constant_integers(op.end)
    if begin is None or end is None:
        return None
    strides = [1] * len(begin) if op.strides is None else constant_integers(op.strides)
    return None if strides is None else (begin, end, strides)


def taken(
    op: StridedSliceOp, entry: SliceEntry, shape: Sequence[int], limits: Limits | None
) -> slice | int | None:
    """What is taken of scales at one place: all along dimensions in which they do not differ."""
    if entry.kind == "new":
        return None
    differ = shape[entry.dimension] != 1
    if entry.kind == "keep" or limits is None or not differ:
        return 0 if entry.kind == "shrink" else slice(None)
    begin, end, strides = limits
    if entry.kind == "shrink":
        return begin[entry.place]
    return op.limits(entry.place, begin, end, strides[entry.place])


def is_whole(op: StridedSliceOp, entry: SliceEntry) -> bool:
    """Whether all elements of a dimension stay, in their order."""
    strides = None if op.strides is None else constant_integers(op.strides)
    return (
        entry.kind == "slice"
        and op.masked(op.begin_mask, entry.place)
        and op.masked(op.end_mask, entry.place)
        and (op.strides is None or (strides is not None and strides[entry.place] == 1))
    )
