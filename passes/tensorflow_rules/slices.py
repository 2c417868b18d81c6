"""Slices, strided ones with all their masks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from xdsl.ir import SSAValue

from ...dialects import nn
from ...dialects.inferred import shape_of
from ..tensorflow import TfOp
from .rules import Legalizer, rule

FAR = (1 << 31) - 1
"""Beyond the end of every dimension."""

MASKS = ("begin_mask", "end_mask", "new_axis_mask", "shrink_axis_mask", "ellipsis_mask")
"""What says, by the bits of a number, how the places of a strided slice are meant, as `SliceLimits` has it."""

Cut = tuple[int, int, int, int]
"""Start, stop, step and axis."""


def cut_out(t: Legalizer, x: SSAValue, cuts: Iterable[Cut]) -> SSAValue:
    """What is left of a value along some axes."""
    columns = list(zip(*cuts, strict=True))
    return t(nn.SliceOp, x, *(t.integers(*column) for column in columns)) if columns else x


def _gathered(t: Legalizer, x: SSAValue, axis: int, places: SSAValue) -> SSAValue:
    """The elements at computed places along an axis."""
    return t(nn.GatherOp, x, t.long(places), t.integer(axis), batch_dims=0)


@rule("Slice", moves=True)
def slice_(t: Legalizer, op: TfOp, x: SSAValue, begin: SSAValue, size: SSAValue) -> SSAValue:
    """`x[begin : begin + size]`; computed places of a known number of elements are those of a gather."""
    rank, counts, begins = len(shape_of(x)), t.known(size), t.known_one_by_one(begin)
    if (
        counts is None
        or not begins
        or any(b is None and n < 0 for b, n in zip(begins, counts, strict=True))
    ):
        start = t.long(begin)
        limits = start, _stop(t, start, size), t.integers(*[1] * rank), t.integers(*range(rank))
        return t(nn.SliceOp, x, *limits)
    places = list(enumerate(zip(begins, counts, strict=True)))
    x = cut_out(
        t, x, [(b, FAR if n < 0 else b + n, 1, axis) for axis, (b, n) in places if b is not None]
    )
    for axis, (b, n) in places:
        if b is None:
            first = cut_out(t, t.long(begin), [(axis, axis + 1, 1, 0)])
            x = _gathered(t, x, axis, t(nn.AddOp, first, t.integers(*range(n))))
    return x


def _stop(t: Legalizer, start: SSAValue, size: SSAValue) -> SSAValue:
    """Where a slice of this size ends, which is the end of all where it is negative."""
    if (counts := t.known(size)) is not None:
        ends = t.integers(*(FAR if n < 0 else n for n in counts))
        is_part = t.integers(*(int(n >= 0) for n in counts))
        return t(nn.AddOp, t(nn.MultiplyOp, start, is_part), ends)
    count = t.long(size)
    is_rest = t(nn.LessOp, count, t.like(count, 0))
    return t(nn.SelectOp, is_rest, t.like(count, FAR), t(nn.AddOp, start, count))


@rule("StridedSlice", moves=True)
def strided_slice(t: Legalizer, op: TfOp, x: SSAValue, *limits: SSAValue) -> SSAValue:
    if op.flag("offset"):  # the end counts from the begin
        limits = (limits[0], t(nn.AddOp, *map(t.long, limits[:2])), limits[2])
    numbers = [t.known_one_by_one(each) for each in limits]
    count = shape_of(limits[0])[0]
    masks = {name: [bool(op.integer(name) >> i & 1) for i in range(count)] for name in MASKS}
    if all(numbers) or count == 0:
        places = [SliceLimits(*column) for column in zip(*numbers, *masks.values(), strict=True)]
        if all(place.is_known for place in places):
            return _sliced(t, x, limits[0], places)
    return t(nn.StridedSliceOp, x, *map(t.long, limits), **masks)


@dataclass(frozen=True)
class SliceLimits:
    """One place of a strided slice: its limits, None where they are computed, and how it is meant."""

    start: int | None
    stop: int | None
    stride: int | None
    from_first: bool
    to_last: bool
    is_new: bool
    is_single: bool
    is_ellipsis: bool

    @property
    def is_known(self) -> bool:
        """Whether it says how many elements are taken; of a single one, where that is may be computed."""
        if self.is_ellipsis or self.is_new or self.is_single:
            return True
        limits = (self.from_first or self.start, self.to_last or self.stop, self.stride)
        return None not in limits

    def cut(self) -> tuple[int, int, int]:
        """Start, stop and step as those of a slice; `(0, FAR, 1)` is all."""
        start, stop, step = self.start or 0, self.stop or 0, self.stride or 1
        if self.is_single:
            return start, FAR if start == -1 else start + 1, 1
        first = (FAR if step < 0 else 0) if self.from_first else start
        last = (-FAR if step < 0 else FAR) if self.to_last else stop
        return first, last, step


def _sliced(t: Legalizer, x: SSAValue, begin: SSAValue, places: Sequence[SliceLimits]) -> SSAValue:
    """
    A strided slice of known sizes, as a slice, gathers of single elements whose place is computed, and
    dimensions that come and go.
    """
    named = sum(not (place.is_new or place.is_ellipsis) for place in places)
    skipped = len(shape_of(x)) - named
    cuts, computed = list[Cut](), dict[int, int]()
    gone, come, axis, out = list[int](), list[int](), 0, 0
    for i, place in enumerate(places):
        if place.is_ellipsis:
            axis, out = axis + skipped, out + skipped
            continue
        if place.is_new:
            come.append(out)
            out += 1
            continue
        if place.is_single and place.start is None:
            computed[axis] = i
        elif (cut := place.cut()) != (0, FAR, 1):
            cuts.append((*cut, axis))
        if place.is_single:
            gone.append(axis)
        else:
            out += 1
        axis += 1
    x = cut_out(t, x, cuts)
    for axis, i in computed.items():
        x = _gathered(t, x, axis, cut_out(t, begin, [(i, i + 1, 1, 0)]))
    if gone:
        x = t(nn.SqueezeOp, x, t.integers(*gone))
    return t(nn.UnsqueezeOp, x, t.integers(*come)) if come else x
