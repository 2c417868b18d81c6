"""Operators that are the same as one of our operations. Its class says their name in ONNX."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, cast

from xdsl.ir import Attribute
from xdsl.irdl import OptOperandDef, OptPropertyDef, VarOperandDef
from xdsl.utils.exceptions import DiagnosticException

from ...dialects.inferred import InferredOp
from ...dialects.names import namesakes
from ..property_attributes import attribute_of
from .node import Node, Values


@cache
def namesake_classes() -> dict[str, type[InferredOp]]:
    """Our operations, by their names in ONNX."""
    return namesakes("onnx", InferredOp)


def namesake(node: Node) -> Callable[[], Values] | str | None:
    """
    A function that writes our operation of the same name, or the reason why it cannot be written for this node. None
    where there is no such operation.
    """
    if (kind := namesake_classes().get(node.type)) is None:
        return None
    definition = kind.get_irdl_definition()
    given = len(node.inputs)
    while given and node.value(given - 1) is None:
        given -= 1
    wanted = len(definition.operands)
    several = any(isinstance(each, VarOperandDef) for _, each in definition.operands)
    least = sum(not isinstance(each, OptOperandDef) for _, each in definition.operands)
    if not several and not least <= given <= wanted:
        return f"it has {given} inputs, {kind.name} takes {wanted}"
    properties: dict[str, Attribute] = {}
    for name, value in node.attributes.items():
        if name not in definition.properties:
            return f"attribute {name} = {_shown(value)} is not supported"
        try:
            properties[name] = attribute_of(name, value, definition.properties[name].constr)
        except DiagnosticException as error:
            return str(error)
    for name, each in definition.properties.items():
        is_optional = isinstance(each, OptPropertyDef) or each.default_value is not None
        if name not in properties and not is_optional:
            return f"attribute {name} is missing"
    return lambda: list(node.write.all(kind, *(node[i] for i in range(given)), **properties))


def _shown(value: Any) -> str:
    is_plain = isinstance(value, int | float | str | list)
    return repr(cast(object, value)) if is_plain else "(a tensor or graph)"
