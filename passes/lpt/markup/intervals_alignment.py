"""IntervalsAlignment: one type for joined FakeQuantize, and shared parameters where one scale is needed."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import IntegerType, ModuleOp

from ..attributes import (
    QUANTIZATION_ALIGNMENT,
    has,
    note_alignment,
    note_precisions,
    precisions_of,
)
from ..precision import Alignment
from ..quantization_details import QuantizationDetails
from ..target import Target
from .body_boundaries import blocks_of
from .joined import Joined, Joins


def mark_intervals_alignment(module: ModuleOp, target: Target) -> None:
    """
    Joined FakeQuantize get one type: the first that all may have and in which none has a zero point, else the first.
    If other codes join them, it is the type of these.

    Where QuantizationAlignment requires it and their output intervals differ, FakeQuantize of as many levels, or one
    more, also share quantization parameters, those of the smallest interval that contains all of theirs.
    """
    for block in blocks_of(module):
        for group in Joins(block, target).groups:
            if len(group.quantizers) + len(group.codes) > 1 and not group.is_open:
                _align(group)


def _align(group: Joined) -> None:
    known = [QuantizationDetails.of(op) for op in group.quantizers]
    members = [one for one in known if not isinstance(one, str)]
    if not members or len(members) < len(known):
        return
    if (element := common_type(group, members)) is None:
        return
    for op in group.quantizers:
        note_precisions(op, {"output0": [element]})
    if group.is_fixed:
        return
    # One number of levels cannot fit a channel's interval and another's.
    if not all(one.is_per_tensor for one in members):
        return
    # Nor can few levels round as many do; 255 and 256 are told apart by the sign.
    levels = [one.levels for one in members]
    if max(levels) - min(levels) > 1:
        return
    if any(has(op, QUANTIZATION_ALIGNMENT) for op in group.operations):
        alignment = Alignment.of(members, element)
        if alignment is not None:
            for op in group.quantizers:
                note_alignment(op, alignment)


def common_type(group: Joined, members: Sequence[QuantizationDetails]) -> IntegerType | None:
    """The type that is best for all FakeQuantize, of those that all may have and that other codes have."""
    first, *others = (precisions_of(op).get("output0", ()) for op in group.quantizers)
    allowed = [
        one
        for one in first
        if all(one in other for other in others) and all(one == code for code in group.codes)
    ]
    for element in allowed:
        if all(one.grid([element]).is_symmetric for one in members):
            return element
    return allowed[0] if allowed else None
