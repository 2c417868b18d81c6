"""The attributes of nodes: what they hold, and whether it is of the type that ONNX says."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, cast

from xdsl.utils.exceptions import DiagnosticException

from .package import import_onnx


def decode(attribute: Any) -> tuple[str, Any]:
    """An attribute's name and its value: numbers, strings, tensors, graphs, or lists of them."""
    value: Any = import_onnx().helper.get_attribute_value(attribute)
    if isinstance(value, bytes):
        value = _text(attribute, value)
    elif isinstance(value, list) and value and isinstance(value[0], bytes):
        value = [_text(attribute, each) for each in cast(Sequence[bytes], value)]
    elif isinstance(value, Iterable) and not isinstance(value, str):
        value = list(cast(Iterable[Any], value))
    return attribute.name, value


def check_type(attribute: Any, wanted: Any) -> None:
    """Raises DiagnosticException where an attribute has another type than ONNX says."""
    if attribute.type != wanted.value:
        found = attribute.AttributeType.Name(attribute.type)
        raise DiagnosticException(
            f"the attribute '{attribute.name}' has the type {found}; ONNX says {wanted.name}"
        )


def _text(attribute: Any, value: bytes) -> str:
    try:
        return value.decode()
    except UnicodeDecodeError:
        raise DiagnosticException(
            f"the attribute '{attribute.name}' is {value!r}, no text"
        ) from None
