"""Segment reductions, and sparse to dense."""

from __future__ import annotations

from typing import cast

from xdsl.dialects.builtin import DYNAMIC_INDEX, AnyFloat
from xdsl.ir import SSAValue
from xdsl.utils.exceptions import DiagnosticException

from ...dialects import nn
from ...dialects.elements import is_integer, largest_of, limits_of
from ...dialects.inferred import shape_of, tensor
from ..tensorflow import TfOp
from .rules import Legalizer, rule

REDUCTIONS = {"Sum": "sum", "Prod": "prod", "Max": "max", "Min": "min"}
"""By the suffix of the operation's name, the reduction of a segment."""


def _neutral(value: SSAValue, reduction: str) -> float:
    """The result for a segment without elements."""
    if reduction in ("sum", "prod"):
        return float(reduction == "prod")
    element = tensor(value).element_type
    if is_integer(element):
        low, high = limits_of(element)
    else:
        high = largest_of(cast(AnyFloat, element))
        low = -high
    return low if reduction == "max" else high


@rule(*(f"UnsortedSegment{ending}" for ending in REDUCTIONS))
def unsorted_segments(
    t: Legalizer, op: TfOp, x: SSAValue, segments: SSAValue, count: SSAValue
) -> SSAValue:
    """What has a negative number is in no segment."""
    (number,) = t.integers_of(op, count, "number of segments")
    return _put_together(
        t, x, segments, number, REDUCTIONS[op.name.removeprefix("UnsortedSegment")]
    )


@rule("SegmentSum")
def segment_sum(t: Legalizer, op: TfOp, x: SSAValue, segments: SSAValue) -> SSAValue:
    known = t.known(segments)
    if not known:
        raise DiagnosticException(
            f"{op.label}: the numbers of its segments must be constant, as they say how many there are"
        )
    return _put_together(t, x, segments, max(known) + 1, "sum")


def _put_together(
    t: Legalizer, x: SSAValue, segments: SSAValue, count: int, reduction: str
) -> SSAValue:
    rank = len(shape_of(segments))
    rest = shape_of(x)[rank:]
    if DYNAMIC_INDEX in rest:
        raise DiagnosticException(
            "the elements of segments have an unknown size; give the inputs shapes"
        )
    is_none = t(nn.LessOp, segments, t.like(segments, 0))
    places = t(nn.SelectOp, is_none, t.like(segments, count), segments)
    places = t(nn.UnsqueezeOp, places, t.integers(rank))
    start = t(nn.BroadcastOp, t.like(x, _neutral(x, reduction)), t.integers(count + 1, *rest))
    whole = t(nn.ScatterNdUpdateOp, start, places, x, reduction=reduction)
    return t.slice(whole, 0, count, 0)


@rule("SparseToDense")
def sparse_to_dense(
    t: Legalizer, op: TfOp, indices: SSAValue, sizes: SSAValue, values: SSAValue, other: SSAValue
) -> SSAValue:
    """Of indices that are one number or a list, each names one element along the only dimension."""
    rank = len(shape_of(indices))
    if rank < 2:
        indices = t.reshaped(indices, (-1, 1))
    whole = t(nn.BroadcastOp, other, t.long(sizes))
    values = t(nn.BroadcastOp, values, t.integers(shape_of(indices)[0]))
    return t(nn.ScatterNdUpdateOp, whole, indices, values)
