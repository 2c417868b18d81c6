"""How attention goes over its rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self

from xdsl.dialects.builtin import f32
from xdsl.ir import Attribute

from ....dialects.elements import bits_of
from ....dialects.kernel import PackedLayout
from ...machine import CACHE_LINE, SECOND_LEVEL_BYTES, Isa
from .costs import NEAR_BYTES, odd_lines
from .mat_mul import MatMulSchedule
from .register_tiles import MatMulShape

SCRATCH_BYTES = SECOND_LEVEL_BYTES // 8
"""What the scores of a block of rows may take: they stay in the second-level cache beside the keys."""

FEWEST_ROWS = 4
"""Rows of a block below which keys and values are read again too often."""


TILED_ROWS = 12
"""A multiple of MR of most register tiles of many rows: 12, 6, 4 and 3."""


def most_keys() -> int:
    """The largest number of keys that leaves room for the scores of `FEWEST_ROWS` rows."""
    return SCRATCH_BYTES // FEWEST_ROWS // bits_of(f32) * 8 - CACHE_LINE


@dataclass(frozen=True)
class AttentionShape:
    """
    What of attention its schedule depends on: `rows` queries with each of the keys, the depth of a key, the columns of
    a value; pairs of element types (query, key) and (weight, value).
    """

    rows: int
    keys: int
    depth: int
    columns: int
    kinds: tuple[tuple[Attribute, Attribute], tuple[Attribute, Attribute]]


@dataclass(frozen=True)
class AttentionSchedule:
    """
    Blocks of `rows` queries: their scores with all keys, then the weights of each, then their sums over values.
    `score_stride` and `weight_stride` are the elements from one row to the next of what lies between; where weights
    are floats, they take the place of the scores. `softmax_rows` have their greatest scores, powers, totals and weights
    after each other, so that a row need not wait for its own.
    """

    rows: int
    softmax_rows: int
    scores: MatMulSchedule
    means: MatMulSchedule
    score_stride: int
    weight_stride: int

    @classmethod
    def choose(cls, isa: Isa, shape: AttentionShape) -> Self:
        """For keys and values that may be packed and queries that may be offset."""
        scores, means = _products(shape, _rows(shape))
        return cls._of(
            shape, MatMulSchedule.choose(isa, scores), MatMulSchedule.choose(isa, means, [0])
        )

    @classmethod
    def follow(
        cls,
        isa: Isa,
        shape: AttentionShape,
        layouts: Sequence[PackedLayout | None],
        offset: int,
        operations: Sequence[int],
    ) -> Self:
        """The same where layouts and offset are decided, for bodies of so many operations behind each product."""
        products = _products(shape, _rows(shape))
        decided = zip(products, layouts, (offset, 0), operations, strict=True)
        found = (
            MatMulSchedule.follow(isa, one, layout, [added], count, widens=True)
            for one, layout, added, count in decided
        )
        return cls._of(shape, *found)

    @classmethod
    def _of(cls, shape: AttentionShape, scores: MatMulSchedule, means: MatMulSchedule) -> Self:
        """Each block goes forwards: keys and values are as near at its beginning as at its end."""
        weight = shape.kinds[1][0]
        score_stride = _stride(shape.keys, f32)
        near = NEAR_BYTES // (score_stride * bits_of(f32) // 8)
        counts = _rows(shape), shape.rows % _rows(shape)
        return cls(
            _rows(shape),
            max(1, min(near, _rows(shape))),
            replace(scores.for_rows(*counts), serpentine=False),
            replace(means.for_rows(*counts), serpentine=False),
            score_stride,
            score_stride if weight == f32 else _stride(shape.keys, weight),
        )


def _rows(shape: AttentionShape) -> int:
    """Blocks of about equal size; where they have more rows than register tiles have, whole register tiles."""
    most = max(1, SCRATCH_BYTES // (_stride(shape.keys, f32) * bits_of(f32) // 8))
    if most < shape.rows:
        most -= most % TILED_ROWS if most > TILED_ROWS else 0
    equal = -(-shape.rows // -(-shape.rows // most))
    whole = -(-equal // TILED_ROWS) * TILED_ROWS
    return whole if whole <= min(most, shape.rows) else equal


def _stride(keys: int, element: Attribute) -> int:
    return odd_lines(keys, bits_of(element) // 8)


def _products(shape: AttentionShape, rows: int) -> tuple[MatMulShape, MatMulShape]:
    """Scores, and sums over values."""
    scores, means = shape.kinds
    return (
        MatMulShape(rows, shape.keys, [shape.depth], 1, [scores]),
        MatMulShape(rows, shape.columns, [shape.keys], 1, [means]),
    )
