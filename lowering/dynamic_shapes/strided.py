"""Strided slices whose limits are computed, or of values of dynamic size, as slices and gathers of single elements."""

from __future__ import annotations

from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import SSAValue

from ...dialects import nn
from ...dialects.inferred import constant_integers, shape_of
from ...dialects.nn.writer import Writer
from .bounded import refusal

FAR = (1 << 31) - 1
"""Beyond the end of every dimension."""


def is_computed(op: nn.StridedSliceOp) -> bool:
    """Whether only a run knows what it takes."""
    limits = [op.begin, op.end, *([] if op.strides is None else [op.strides])]
    return DYNAMIC_INDEX in shape_of(op.input) or not all(map(constant_integers, limits))


def as_slices(write: Writer, op: nn.StridedSliceOp) -> SSAValue:
    """
    The same elements. Raises DiagnosticException where a stride is computed: it says where a limit lies that is left
    out; and where only a run knows what is taken backward.
    """
    places, rank = shape_of(op.begin)[0], len(shape_of(op.input))
    strides = [1] * places if op.strides is None else constant_integers(op.strides)
    if places == DYNAMIC_INDEX or strides is None:
        raise refusal(op)

    value, gone, come, out = op.input, list[int](), list[int](), 0
    for kind, place, axis in op.entries(places, rank):
        if kind == "shrink":
            value = write(
                nn.GatherOp, value, _one(write, op.begin, place), write.integer(axis), batch_dims=0
            )
            gone.append(axis)
            continue
        if kind == "new":
            come.append(out)
        elif kind == "slice":
            value = _sliced(write, op, value, place, axis, strides[place])
        out += 1
    if gone:
        value = write(nn.SqueezeOp, value, write.integers(*gone))
    return write(nn.UnsqueezeOp, value, write.integers(*come)) if come else value


def _sliced(
    write: Writer, op: nn.StridedSliceOp, value: SSAValue, place: int, axis: int, stride: int
) -> SSAValue:
    """A value cut along an axis, by the limits at this place. Raises DiagnosticException as `as_slices` does."""
    ends = (0, FAR) if stride > 0 else (FAR, -FAR)
    first, last = (
        write.integers(end) if op.masked(mask, place) else _one(write, limits, place)
        for limits, mask, end in zip(
            (op.begin, op.end), (op.begin_mask, op.end_mask), ends, strict=True
        )
    )
    known = constant_integers(first), constant_integers(last)
    size = shape_of(op.input)[axis]
    if stride < 0 and (
        known[0] is None or known[1] is None or size == DYNAMIC_INDEX or list(known[0]) < [-size]
    ):
        raise refusal(op)
    if stride == 1 and known == ([0], [FAR]):
        return value
    return write(nn.SliceOp, value, first, last, write.integers(stride), write.integers(axis))


def _one(write: Writer, limits: SSAValue, place: int) -> SSAValue:
    """One limit of several."""
    if (known := constant_integers(limits)) is not None:
        return write.integers(known[place])
    return limits if shape_of(limits) == (1,) else write.slice(limits, place, place + 1, 0)
