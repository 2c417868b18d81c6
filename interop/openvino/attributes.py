"""Properties of operations as attributes of OpenVINO's nodes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseArrayBase,
    FloatAttr,
    IntegerAttr,
    IntegerType,
    StringAttr,
    i1,
)
from xdsl.ir import Attribute, Operation

from .elements import name_of

SPELLED_ATTRIBUTES = {"exclude_pad": "exclude-pad"}
"""Attributes whose names in OpenVINO cannot be names of properties."""


def attributes_of(op: Operation) -> dict[str, object]:
    """All properties, by the names of attributes."""
    return {
        SPELLED_ATTRIBUTES.get(name, name): value_of(value) for name, value in op.properties.items()
    }


def value_of(attribute: Attribute) -> object:
    """A property as the attribute of a node."""
    match attribute:
        case StringAttr():
            return attribute.data
        case FloatAttr():
            return attribute.value.data
        case IntegerAttr():
            value = attribute.value.data
            return bool(value) if attribute.type == i1 else value
        case DenseArrayBase():
            return list(cast(DenseArrayBase[IntegerType], attribute).get_values())
        case ArrayAttr():
            return [value_of(each) for each in cast(Sequence[Attribute], attribute.data)]
        case _:
            return name_of(attribute)
