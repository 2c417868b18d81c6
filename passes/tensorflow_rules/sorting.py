"""The largest elements, where the largest is, sums up to each, where elements are that are not 0, and buckets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from xdsl.dialects.builtin import IntegerType, TensorType, f32, i32, i64
from xdsl.ir import SSAValue
from xdsl.utils.exceptions import DiagnosticException

from ...dialects import nn
from ...dialects.blob import BlobAttr
from ...dialects.inferred import shape_of
from ..tensorflow import TfOp
from .rules import Legalizer, rule


@rule("TopKV2")
def top_k(t: Legalizer, op: TfOp, x: SSAValue, k: SSAValue) -> Sequence[SSAValue]:
    """Sorted also where `sorted` is false, which leaves the order open."""
    return best(t, x, t.long(k), -1, "max", _integer(op.op.results[1]))


@rule("ArgMax", "ArgMin")
def arg(t: Legalizer, op: TfOp, x: SSAValue, axis: SSAValue) -> SSAValue:
    (along,) = t.integers_of(op, axis, "axis")
    mode = "max" if op.name == "ArgMax" else "min"
    _, places = best(t, x, t.integer(1), along % len(shape_of(x)), mode, _integer(op.op.results[0]))
    return t(nn.SqueezeOp, places, t.integers(along % len(shape_of(x))))


def best(
    t: Legalizer, x: SSAValue, k: SSAValue, axis: int, mode: str, index: IntegerType
) -> Sequence[SSAValue]:
    """The largest or smallest elements along an axis, and their indices; of equal ones the first come first."""
    return t.all(nn.TopKOp, x, k, axis=axis, mode=mode, sort="value", index_element_type=index)


def _integer(value: SSAValue) -> IntegerType:
    """The type of indices that an operation gives: i64 only where it says so."""
    type = cast(TensorType[Any], value.type)
    return i64 if type.element_type == i64 else i32


@rule("Cumsum")
def cum_sum(t: Legalizer, op: TfOp, x: SSAValue, axis: SSAValue) -> SSAValue:
    (along,) = t.integers_of(op, axis, "axis")
    exclusive, reverse = op.flag("exclusive"), op.flag("reverse")
    return t(nn.CumSumOp, x, t.integer(along), exclusive=exclusive, reverse=reverse)


@rule("Where")
def where(t: Legalizer, op: TfOp, x: SSAValue) -> SSAValue:
    """A row of indices for each element that is not 0."""
    return t(nn.TransposeOp, t(nn.NonZeroOp, x, output_type=i64), t.integers(1, 0))


@rule("Unique", "UniqueWithCounts")
def unique(t: Legalizer, op: TfOp, x: SSAValue) -> Sequence[SSAValue]:
    """In the order in which they come first, and which of them each element is."""
    index = _integer(op.op.results[1])
    kinds = {"index_element_type": index, "count_element_type": index}
    values, _, places, counts = t.all(nn.UniqueOp, x, sorted=False, **kinds)
    return (values, places, counts)[: len(op.op.results)]


@rule("Bucketize")
def bucketize(t: Legalizer, op: TfOp, x: SSAValue) -> SSAValue:
    """How many of the boundaries are not greater than each element."""
    boundaries = op.numbers("boundaries")
    if boundaries != sorted(boundaries):
        raise DiagnosticException(
            f"{op.label}: its boundaries {boundaries} are not sorted; sort them"
        )
    buckets = t.constant(BlobAttr.of(TensorType(f32, [len(boundaries)]), boundaries))
    return t(nn.BucketizeOp, x, buckets, output_type=i32, with_right_bound=False)
