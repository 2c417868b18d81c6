"""The entry of a model and the tensor names of its inputs and outputs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from xdsl.dialects import func
from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, ModuleOp, StringAttr
from xdsl.ir import Attribute
from xdsl.utils.exceptions import DiagnosticException

NAMES = "nn.names"
"""The argument and result attribute of the entry that lists tensor names."""


def entry_of(module: ModuleOp) -> func.FuncOp:
    """
    The function a model is entered by: `@main`, else the one public function with a body.

    Raises DiagnosticException if there is none, or more than one and no `@main`.
    """
    functions = [op for op in module.ops if isinstance(op, func.FuncOp) and op.body.blocks]
    for function in functions:
        if function.sym_name.data == "main":
            return function
    public = [f for f in functions if f.sym_visibility is None or f.sym_visibility.data == "public"]
    if len(public) != 1:
        found = ", ".join(f"@{f.sym_name.data}" for f in public) or "none"
        raise DiagnosticException(
            f"the module needs an entry, @main or one public function; public functions: {found}"
        )
    return public[0]


def port_names(attributes: ArrayAttr[DictionaryAttr] | None, count: int) -> list[list[str]]:
    """The tensor names of each of `count` arguments or results; empty lists where there are none."""
    if attributes is None:
        return [[] for _ in range(count)]
    found: list[list[str]] = []
    for entry in attributes:
        listed = entry.data.get(NAMES)
        strings = cast(ArrayAttr[Attribute], listed) if isinstance(listed, ArrayAttr) else ()
        found.append([s.data for s in strings if isinstance(s, StringAttr)])
    return found


def names_attribute(names: Sequence[Sequence[str]]) -> ArrayAttr[DictionaryAttr]:
    """The attribute that gives arguments or results these tensor names."""
    return ArrayAttr(
        DictionaryAttr({NAMES: ArrayAttr([StringAttr(n) for n in port])} if port else {})
        for port in names
    )
