"""StridedSlice."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import DYNAMIC_INDEX

from .....dialects.inferred import constant_integers, shape_of
from .....dialects.nn import StridedSliceOp
from .....dialects.nn.selection import Entry
from .....reference.arrays import Array
from ...dequantization import Dequantization
from ..sink import Change, SinkThrough, varying


class SinkDequantizeThroughStridedSlice(SinkThrough[StridedSliceOp]):
    """
    `strided_slice(dq(q)) = dq'(strided_slice(q))` for scales that are the same along what is cut; they
    lose and get dimensions as the codes do.
    """

    name: ClassVar[str] = "strided_slice"
    op: ClassVar[type[StridedSliceOp]] = StridedSliceOp

    def changes(self, op: StridedSliceOp, dequantization: Dequantization) -> Sequence[Change] | str:
        (places,) = shape_of(op.begin)
        if places == DYNAMIC_INDEX:
            return "which dimensions it cuts is unknown; fix the size of begin"
        entries = list(op.entries(places, len(shape_of(op.input))))
        cut = [
            entry.dimension
            for entry in entries
            if entry.kind in ("slice", "shrink") and not is_whole(op, entry)
        ]
        if (lost := varying(dequantization, cut)) is not None:
            return lost
        index = tuple({"new": None, "shrink": 0}.get(entry.kind, slice(None)) for entry in entries)

        def sliced(array: Array) -> Array:
            return array[index]

        return [sliced]


def is_whole(op: StridedSliceOp, entry: Entry) -> bool:
    """Whether all elements of a dimension stay, in their order."""
    strides = None if op.strides is None else constant_integers(op.strides)
    return (
        entry.kind == "slice"
        and op.masked(op.begin_mask, entry.place)
        and op.masked(op.end_mask, entry.place)
        and (op.strides is None or (strides is not None and strides[entry.place] == 1))
    )
