"""Attributes of an .xml, which are text, as values. The property of our operation says the type."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import Any

import numpy as np
from xdsl.irdl import AttrConstraint
from xdsl.utils.exceptions import DiagnosticException

from ...dialects.element_names import OPENVINO as ELEMENTS
from ...dialects.inferred import InferredOp
from ...passes.digits import integer
from ..property_attributes import attribute_of


class Attributes(dict[str, Any]):
    """The attributes of an operation, by name. Raises DiagnosticException where one is missing."""

    def __missing__(self, name: str) -> Any:
        raise DiagnosticException(f"attribute {name} is missing")


def read_as(cls: type[InferredOp], texts: Mapping[str, str]) -> Attributes:
    """
    The attributes of an operation as values. Attributes without a property, which only old versions have, get the type
    that they look like.
    """
    return Attributes((name, _value(cls, name, text)) for name, text in texts.items())


@lru_cache(maxsize=4096)
def _value(cls: type[InferredOp], name: str, text: str) -> Any:
    definition = cls.get_irdl_definition().properties.get(name)
    if definition is not None:
        for value in _meanings(text):
            if _is_taken(name, value, definition.constr):
                return value
    return next(_meanings(text))


def _is_taken(name: str, value: Any, constraint: AttrConstraint) -> bool:
    try:
        attribute_of(name, value, constraint, ELEMENTS)
    except DiagnosticException:
        return False
    return True


def _meanings(text: str) -> Iterator[Any]:
    """The values that a text may stand for, the likeliest first."""
    if (word := text.strip().lower()) in ("true", "false"):
        yield word == "true"
    parts = [part.strip() for part in text.split(",") if part.strip()]
    for read in (_integer, float):
        numbers = _all(read, parts)
        if numbers is None:
            continue
        if len(numbers) == 1:
            yield numbers[0]
        if numbers:  # lists of OpenVINO's are of 32 bits
            yield numbers if read is _integer else np.array(numbers, np.float32).tolist()
    yield text
    yield parts


def _integer(text: str) -> int:
    number = integer(text)
    if number is None or not -(2**63) <= number < 2**64:
        raise ValueError
    return number


def _all(read: Callable[[str], Any], parts: list[str]) -> list[Any] | None:
    try:
        return [read(part) for part in parts]
    except ValueError:
        return None
