"""Properties of operations as values of Python: `axis=1` is `axis = 1 : i64`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from xdsl.dialects.builtin import (
    BoolAttr,
    DenseArrayBase,
    FloatAttr,
    IntegerAttr,
    IntegerType,
    StringAttr,
)
from xdsl.ir import Attribute

Property = Attribute | bool | int | float | str | Sequence[int]
"""A property, or what stands for it: numbers have 64 bits, as all those of `nn`, `qnn` and `rnn`."""


def property_of(value: Property, bits: Literal[32, 64] = 64) -> Attribute:
    """The attribute that a value stands for; its numbers have so many bits."""
    integer = IntegerType(bits)
    match value:
        case Attribute():
            return value
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
