"""Which memory each state needs: for the value that a call reads, and for the one that it leaves."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from xdsl.dialects import func
from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType, TensorType
from xdsl.utils.exceptions import DiagnosticException

from ...dialects import infra, kernel
from ...dialects.inferred import label, tensor
from .memref_layout import memref_of

Types = tuple[MemRefType[Any], MemRefType[Any]]
"""The types of a state's current and next value."""


def state_types(entry: func.FuncOp, variables: Mapping[str, infra.VariableOp]) -> dict[str, Types]:
    """
    The memrefs of each variable's current and next value: of what is read, and of what is assigned. A
    variable with only one of them has that type, one with neither the declared one.

    Raises DiagnosticException, naming the variable, where a size is unknown or two uses differ.
    """
    read: dict[str, TensorType[Any]] = {}
    assigned: dict[str, TensorType[Any]] = {}
    for op in kernel.outside_bodies(entry):
        match op:
            case infra.ReadValueOp():
                found, type = read, tensor(op.result)
            case infra.AssignOp():
                found, type = assigned, tensor(op.value)
            case _:
                continue
        name = op.variable.string_value()
        if not type.has_static_shape():
            raise DiagnosticException(
                f"{label(op)}: variable '{name}' is {type}, of unknown size while compiling; give its initial "
                "value a shape that follows from those of inputs and states"
            )
        if found.setdefault(name, type) != type:
            raise DiagnosticException(
                f"{label(op)}: variable '{name}' is {type} here and {found[name]} elsewhere; give it one size"
            )
    return {
        name: (
            memref_of(read.get(name) or assigned.get(name) or _declared(op)),
            memref_of(assigned.get(name) or read.get(name) or _declared(op)),
        )
        for name, op in variables.items()
    }


def _declared(op: infra.VariableOp) -> TensorType[Any]:
    """The declared type; nobody uses the variable, so what is unknown may be empty."""
    type = cast(TensorType[Any], op.type)
    sizes = [0 if size == DYNAMIC_INDEX else size for size in type.get_shape()]
    return TensorType(type.element_type, sizes)
