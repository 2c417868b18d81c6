"""What older versions of operations say differently, and attributes that have one value only."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from xdsl.utils.exceptions import DiagnosticException

Attributes = dict[str, Any]


def normalize(type: str, attributes: Attributes, operands: int) -> Attributes:
    """
    The attributes as the newest version of operation `type` has them.

    Raises DiagnosticException where one asks for something that version cannot say.
    """
    rule = _RULES.get(type)
    return attributes if rule is None else rule(attributes, operands)


def _only(name: str, value: object) -> Callable[[Attributes, int], Attributes]:
    """Attribute `name` is gone: `value` is what operations do now."""

    def rule(attributes: Attributes, operands: int) -> Attributes:
        rest = dict(attributes)
        if (found := rest.pop(name, value)) != value:
            raise DiagnosticException(
                f"attribute {name} = {found!r} is not supported, only {value!r}"
            )
        return rest

    return rule


def _lstm_cell(attributes: Attributes, operands: int) -> Attributes:
    """`LSTMCell-1` can order and couple gates otherwise and have peepholes; `LSTMCell-4` cannot."""
    if operands > 6:
        raise DiagnosticException("peepholes (the seventh input) are not supported")
    attributes = _only("weights_format", "fico")(attributes, operands)
    return _only("input_forget", False)(attributes, operands)


_RULES: dict[str, Callable[[Attributes, int], Attributes]] = {
    "Divide": _only("m_pythondiv", True),
    "LSTMCell": _lstm_cell,
}
