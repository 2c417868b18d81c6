"""The entry of a model and the tensor names of its inputs and outputs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from xdsl.dialects import func
from xdsl.dialects.builtin import (
    ArrayAttr,
    DictionaryAttr,
    ModuleOp,
    StringAttr,
    SymbolRefAttr,
    UnregisteredOp,
)
from xdsl.ir import Attribute
from xdsl.utils.exceptions import DiagnosticException

NAMES = "nn.names"
"""The argument and result attribute of the entry that lists tensor names."""


SESSION_INITIALIZER = "tf_saved_model.session_initializer"
"""The operation that lists functions of a saved model that run once, before any other; none of them is the entry."""


def initializers_of(module: ModuleOp) -> list[func.FuncOp]:
    """The functions that set a saved model's variables, in the order in which they run."""
    listed: list[str] = []
    for op in module.ops:
        if isinstance(op, UnregisteredOp) and op.op_name.data == SESSION_INITIALIZER:
            names = op.properties.get("initializers", op.attributes.get("initializers"))
            symbols = cast(ArrayAttr[Attribute], names) if isinstance(names, ArrayAttr) else ()
            listed += [s.string_value() for s in symbols if isinstance(s, SymbolRefAttr)]
    functions = {op.sym_name.data: op for op in module.ops if isinstance(op, func.FuncOp)}
    return [functions[name] for name in listed if name in functions]


def entry_of(module: ModuleOp) -> func.FuncOp:
    """
    The function a model is entered by: `@main`, else the one public function with a body, else the one of them that
    no operation refers to.

    Raises DiagnosticException if there is none, or more than one and no `@main`, or where it is none that a model has.
    """
    entry = _found_entry(module)
    check_function(entry)
    return entry


def check_function(function: func.FuncOp) -> None:
    """
    Raises DiagnosticException for a function with a body that no model has: one of several blocks, or with attributes
    for another number of arguments or results.
    """
    name = f"function @{function.sym_name.data}"
    if function.body.first_block is not function.body.last_block:
        raise DiagnosticException(
            f"{name} has {len(function.body.blocks)} blocks; functions of models have one, and branch by operations "
            "such as infra.if"
        )
    for role, attributes, types in (
        ("argument", function.arg_attrs, function.function_type.inputs),
        ("result", function.res_attrs, function.function_type.outputs),
    ):
        if attributes is not None and len(attributes) != len(types):
            raise DiagnosticException(
                f"{name} has {len(types)} {role}s, and attributes for {len(attributes)}; give each its own, "
                "{} for none"
            )


def _found_entry(module: ModuleOp) -> func.FuncOp:
    functions = [op for op in module.ops if isinstance(op, func.FuncOp) and op.body.blocks]
    if len(functions) > 1:
        first = initializers_of(module)
        functions = [function for function in functions if function not in first]
    for function in functions:
        if function.sym_name.data == "main":
            return function
    public = [f for f in functions if f.sym_visibility is None or f.sym_visibility.data == "public"]
    if len(public) > 1:
        referred = _referred(module)
        public = [f for f in public if f.sym_name.data not in referred] or public
    if len(public) != 1:
        found = ", ".join(f"@{f.sym_name.data}" for f in public) or "none"
        raise DiagnosticException(
            f"the module needs an entry, @main or one public function; public functions: {found}"
        )
    return public[0]


def _referred(module: ModuleOp) -> set[str]:
    """The symbols that operations refer to, such as the functions that they call."""
    return {
        attribute.string_value()
        for op in module.walk()
        for attribute in (*op.properties.values(), *op.attributes.values())
        if isinstance(attribute, SymbolRefAttr)
    }


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


def port_attributes(entry: func.FuncOp, role: str) -> list[DictionaryAttr]:
    """The attributes of each argument ("input") or result ("output")."""
    types = entry.function_type.inputs if role == "input" else entry.function_type.outputs
    given = entry.arg_attrs if role == "input" else entry.res_attrs
    return list(given or [DictionaryAttr({})] * len(types))


def set_port_attribute(
    entry: func.FuncOp, role: str, number: int, name: str, value: Attribute | None
) -> None:
    """Gives one argument or result an attribute, beside those that it has, or takes it away."""
    listed = port_attributes(entry, role)
    others = {key: each for key, each in listed[number].data.items() if key != name}
    if others == listed[number].data and value is None:
        return
    listed[number] = DictionaryAttr(others if value is None else {**others, name: value})
    if role == "input":
        entry.arg_attrs = ArrayAttr(listed)
    else:
        entry.res_attrs = ArrayAttr(listed)
