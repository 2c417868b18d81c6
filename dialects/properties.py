"""Python values as properties of operations: `axis=1` is `axis = 1 : i64`."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from functools import lru_cache
from typing import Literal

from xdsl.dialects.builtin import (
    I64,
    ArrayAttr,
    BoolAttr,
    BytesAttr,
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
from xdsl.irdl import irdl_to_attr_constraint, prop_def

Property = Attribute | bool | int | float | str | Sequence[int]
"""A property, or a Python value for it. Numbers have 64 bits, as all those of `nn`, `qnn` and `rnn`."""


MANY = 1 << 12
"""The number of integers that are cached as attributes: xDSL verifies each one that it makes, and its type."""


@lru_cache(MANY)
def integer(value: int) -> IntegerAttr[I64]:
    """An integer of 64 bits."""
    return IntegerAttr(value, i64)


def integers(values: Sequence[int]) -> DenseArrayBase[I64]:
    """A list of integers of 64 bits."""
    return _integers(tuple(values))


@lru_cache(MANY)
def _integers(values: tuple[int, ...]) -> DenseArrayBase[I64]:
    # `DenseArrayBase.from_list` packs them one by one, in five times the time
    packed = struct.pack(f"<{len(values)}q", *map(int, values))
    return DenseArrayBase(i64, BytesAttr(packed))


def property_of(value: Property, bits: Literal[32, 64] = 64) -> Attribute:
    """The attribute for a value; its numbers have so many bits."""
    if isinstance(value, Attribute):
        return value
    type = i64 if bits == 64 else i32
    match value:
        case bool():
            return BoolAttr.from_bool(value)
        case int():
            return IntegerAttr(value, type)
        case float():
            return FloatAttr(value, bits)
        case str():
            return StringAttr(value)
        case _ if bits == 64:
            return integers(value)
        case _:
            return DenseArrayBase.from_list(i32, [int(number) for number in value])


# --- declarations, each with the value that a property left out has, if it may be ------------

# Made once: xDSL makes a constraint of a generic type anew for every class that has the property.
INTEGER = irdl_to_attr_constraint(IntegerAttr[I64])
INTEGERS = DenseArrayBase.constr(i64)
NUMBER = irdl_to_attr_constraint(FloatAttr[Float64Type])
NUMBERS = irdl_to_attr_constraint(ArrayAttr[FloatAttr[Float64Type]])
FLAG = irdl_to_attr_constraint(BoolAttr)
WORDS = irdl_to_attr_constraint(ArrayAttr[StringAttr])


def integer_prop(default: int | None = None) -> IntegerAttr[I64]:
    """An integer."""
    value = None if default is None else integer(default)
    return prop_def(INTEGER, default_value=value)


def integers_prop() -> DenseArrayBase[I64]:
    """A list of integers."""
    return prop_def(INTEGERS)


def number_prop(default: float | None = None) -> FloatAttr[Float64Type]:
    """A floating-point number."""
    value = None if default is None else FloatAttr(default, f64)
    return prop_def(NUMBER, default_value=value)


def numbers_prop(default: Sequence[float] | None = None) -> ArrayAttr[FloatAttr[Float64Type]]:
    """A list of floating-point numbers."""
    value = None if default is None else ArrayAttr([FloatAttr(each, f64) for each in default])
    return prop_def(NUMBERS, default_value=value)


def flag_prop(default: bool | None = None) -> BoolAttr:
    """A boolean."""
    value = None if default is None else BoolAttr.from_bool(default)
    return prop_def(FLAG, default_value=value)


def word_prop(default: str | None = None) -> StringAttr:
    """A string that is one of a few words."""
    return prop_def(StringAttr, default_value=None if default is None else StringAttr(default))
