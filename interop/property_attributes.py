"""Attributes of other frameworks as properties of our operations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, cast

from xdsl.dialects.builtin import (
    ArrayAttr,
    BoolAttr,
    DenseArrayBase,
    FloatAttr,
    IntegerAttr,
    StringAttr,
    f64,
    i64,
)
from xdsl.ir import Attribute
from xdsl.irdl import AttrConstraint
from xdsl.utils.exceptions import DiagnosticException


def attribute_of(
    name: str,
    value: Any,
    constraint: AttrConstraint,
    types: Mapping[str, Attribute] | None = None,
) -> Attribute:
    """
    A value in the form that the constraint of a property takes; `types` are the names of element types. Raises
    DiagnosticException, naming the attribute, where no form of it fits.
    """
    for candidate in _readings(value, types or {}):
        if constraint.verifies(candidate):
            return candidate
    raise DiagnosticException(f"attribute {name} = {value!r} is not supported")


def _readings(value: Any, types: Mapping[str, Attribute]) -> Iterator[Attribute]:
    """The attributes that a value may stand for, the likeliest first."""
    match value:
        case bool():
            yield BoolAttr.from_bool(value)
        case int():
            yield IntegerAttr(value, i64)
            yield FloatAttr(float(value), f64)
            if value in (0, 1):
                yield BoolAttr.from_bool(bool(value))
        case float():
            yield FloatAttr(value, f64)
        case str():
            yield StringAttr(value)
            if value in types:
                yield types[value]
        case list():
            items = cast(list[Any], value)
            if all(isinstance(item, int) for item in items):
                yield DenseArrayBase.from_list(i64, items)
            for readings in zip(*(_readings(item, types) for item in items), strict=False):
                yield ArrayAttr(readings)
            if not items:
                yield ArrayAttr[Attribute]([])
        case _:
            return
