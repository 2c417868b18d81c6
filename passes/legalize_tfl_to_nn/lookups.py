"""Rows that are looked up by keys, or summed up for each bag of indices."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from xdsl.dialects.builtin import DYNAMIC_INDEX, IntegerType, Signedness
from xdsl.ir import SSAValue
from xdsl.utils.exceptions import DiagnosticException

from ...dialects import nn, tfl
from ...dialects.inferred import shape_of, spelled
from .translation import Builtin, Translation, computes


@computes("HASHTABLE_LOOKUP")
def hashtable_lookup(
    t: Translation, op: tfl.TflOp, wanted: SSAValue, keys: SSAValue, rows: SSAValue
) -> list[SSAValue]:
    """The rows of keys, zeros where there is no such key; and which keys there are, as 1 and 0."""
    (count,) = shape_of(keys)
    if count == DYNAMIC_INDEX:
        raise DiagnosticException(
            "its keys have an unknown number; convert the model with fixed shapes"
        )
    equal = t(nn.EqualOp, t(nn.UnsqueezeOp, wanted, t.integers(1)), keys)
    places = t.array(np.arange(count, dtype=np.int32))
    beyond = t.array(np.array(count, np.int32))
    place = t(nn.ReduceMinOp, t(nn.SelectOp, equal, places, beyond), t.integers(1), keep_dims=False)
    found = t(nn.GatherOp, rows, place, t.integer(0), batch_dims=0)
    hits = t.converted(t(nn.LessOp, place, beyond), IntegerType(8, Signedness.UNSIGNED))
    return [found, hits]


SUM, MEAN, SQRTN = range(3)
"""The numbers of what a sum is divided by: nothing, the sum of its weights, the root of the sum of their squares."""


@computes("EMBEDDING_LOOKUP_SPARSE")
def embedding_lookup_sparse(
    t: Translation,
    op: tfl.TflOp,
    ids: SSAValue,
    indices: SSAValue,
    shape: SSAValue,
    weights: SSAValue,
    table: SSAValue,
) -> SSAValue:
    """Weighted sums of rows of a table, `[*shape[:-1], *row]`: row `ids[i]` belongs to bag `indices[i, :-1]`."""
    sizes = t.integers_of(Builtin(op, ""), shape, "dense_shape")[:-1]
    row, rank = shape_of(table)[1:], len(shape_of(table))
    if DYNAMIC_INDEX in (*row, *shape_of(indices)) or shape_of(indices)[1] != len(sizes) + 1:
        raise DiagnosticException(
            f"its indices {spelled(shape_of(indices))} and rows {spelled(row)} do not fit {len(sizes)} sizes of bags; "
            "convert the model with fixed shapes"
        )
    bags = t.slice(indices, 0, len(sizes), 1)
    along = t.reshaped(weights, (-1, *[1] * len(row)))
    rows = t(nn.GatherOp, table, ids, t.integer(0), batch_dims=0)
    total = _summed(t, sizes, bags, t(nn.MultiplyOp, rows, along), row)
    if (combiner := op.integer("combiner")) == SUM:
        return total
    parts = weights if combiner == MEAN else t(nn.MultiplyOp, weights, weights)
    divisor = _summed(t, sizes, bags, parts, ())
    divisor = divisor if combiner == MEAN else t(nn.SqrtOp, divisor)
    is_empty = t(nn.EqualOp, divisor, 0.0)
    divisor = t(nn.SelectOp, is_empty, t.like(divisor, 1), divisor)
    return t(nn.DivideOp, total, t.reshaped(divisor, (*sizes, *[1] * (rank - 1))))


def _summed(
    t: Translation, sizes: Sequence[int], bags: SSAValue, parts: SSAValue, row: tuple[int, ...]
) -> SSAValue:
    none = t(nn.BroadcastOp, t.like(parts, 0), t.integers(*sizes, *row))
    return t(nn.ScatterNdUpdateOp, none, bags, parts, reduction="sum")
