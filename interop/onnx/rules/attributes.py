"""Properties of our operations, made of Python's values."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import (
    BoolAttr,
    DenseArrayBase,
    FloatAttr,
    IntegerAttr,
    StringAttr,
    f64,
    i64,
)


def flag(value: object) -> BoolAttr:
    return BoolAttr.from_bool(bool(value))


def integer(value: int) -> IntegerAttr:
    return IntegerAttr(int(value), i64)


def number(value: float) -> FloatAttr:
    return FloatAttr(float(value), f64)


def text(value: str) -> StringAttr:
    return StringAttr(value)


def sizes(values: Sequence[int]) -> DenseArrayBase:
    return DenseArrayBase.from_list(i64, [int(value) for value in values])
