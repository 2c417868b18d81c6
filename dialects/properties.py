"""Properties of operations as values of Python: `axis=1` is `axis = 1 : i64`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from xdsl.dialects.builtin import (
    I64,
    ArrayAttr,
    BoolAttr,
    DenseArrayBase,
    Float64Type,
    FloatAttr,
    IntegerAttr,
    StringAttr,
    f64,
    i32,
    i64,
)
from xdsl.ir import Attribute
from xdsl.irdl import prop_def

Property = Attribute | bool | int | float | str | Sequence[int]
"""A property, or what stands for it: numbers have 64 bits, as all those of `nn`, `qnn` and `rnn`."""


def property_of(value: Property, bits: Literal[32, 64] = 64) -> Attribute:
    """The attribute that a value stands for; its numbers have so many bits."""
    if isinstance(value, Attribute):
        return value
    integer = i64 if bits == 64 else i32
    match value:
        case bool():
            return BoolAttr.from_bool(value)
        case int():
            return IntegerAttr(value, integer)
        case float():
            return FloatAttr(value, bits)
        case str():
            return StringAttr(value)
        case _:
            return DenseArrayBase.from_list(integer, [int(number) for number in value])


# --- declarations, each with the value that a property left out has, if it may be ------------


def integer_prop(default: int | None = None) -> IntegerAttr[I64]:
    """An integer."""
    value = None if default is None else IntegerAttr(default, i64)
    return prop_def(IntegerAttr[I64], default_value=value)


def integers_prop() -> DenseArrayBase[I64]:
    """A list of integers."""
    return prop_def(DenseArrayBase.constr(i64))


def number_prop(default: float | None = None) -> FloatAttr[Float64Type]:
    """A real number."""
    value = None if default is None else FloatAttr(default, f64)
    return prop_def(FloatAttr[Float64Type], default_value=value)


def numbers_prop(default: Sequence[float] | None = None) -> ArrayAttr[FloatAttr[Float64Type]]:
    """A list of real numbers."""
    value = None if default is None else ArrayAttr([FloatAttr(each, f64) for each in default])
    return prop_def(ArrayAttr[FloatAttr[Float64Type]], default_value=value)


def flag_prop(default: bool | None = None) -> BoolAttr:
    """Whether something is so."""
    value = None if default is None else BoolAttr.from_bool(default)
    return prop_def(BoolAttr, default_value=value)


def word_prop(default: str | None = None) -> StringAttr:
    """One of a few words."""
    return prop_def(StringAttr, default_value=None if default is None else StringAttr(default))
