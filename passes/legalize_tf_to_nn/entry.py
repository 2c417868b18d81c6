"""The entry of a TensorFlow module, written anew in our operations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from xdsl.dialects import func
from xdsl.dialects.builtin import (
    ArrayAttr,
    DictionaryAttr,
    ModuleOp,
    StringAttr,
    SymbolRefAttr,
    TensorType,
    UnregisteredOp,
)
from xdsl.ir import Attribute, Block, SSAValue
from xdsl.rewriter import InsertPoint
from xdsl.transforms.dead_code_elimination import region_dce
from xdsl.utils.exceptions import DiagnosticException

from ...dialects.module import NAMES, SESSION_INITIALIZER, check_function, entry_of, initializers_of
from ...dialects.rewriter import Rewriter
from ..tensorflow import functions_of, is_type
from .translation import Translation
from .values import Value, Variable
from .variables import GLOBAL, VariableValues, globals_of

BOUND = "tf_saved_model.bound_input"
"""The attribute that names the variable which an argument is."""

INDEX_PATH = "tf_saved_model.index_path"
"""The attribute that names an input or output of a signature."""

USER_NAME = "tf._user_specified_name"
"""The attribute with the name that the author of the model gave an argument."""

ENTRY = "tf.entry_function"
"""The attribute that lists the names of the entry's inputs and outputs."""


def legalize(module: ModuleOp) -> None:
    """Writes the entry in our operations, and drops what only it used."""
    entry = entry_of(module)
    functions = functions_of(module)
    for function in functions.values():
        check_function(function)
    old = entry.body.block
    attributes = _dictionaries(entry.arg_attrs, len(old.args))
    bound = [_bound(i, arg.type, attributes[i]) for i, arg in enumerate(old.args)]
    kept = [i for i, name in enumerate(bound) if name is None]
    block = Block(arg_types=[old.args[i].type for i in kept])
    for i, argument in zip(kept, block.args, strict=True):
        argument.name_hint = old.args[i].name_hint
    arguments = _arguments(bound, block.args)
    states = VariableValues(globals_of(module))
    t = Translation(InsertPoint.at_end(block), functions, states)
    for function in initializers_of(module):
        t.block(function.body.block, _initialized(function))
    states.begin()
    results = [_output(number, value) for number, value in enumerate(t.block(old, arguments))]
    states.settle(t, module)
    block.add_op(func.ReturnOp(*results))
    _replace(entry, block, kept)
    _sweep(module, entry)
    region_dce(entry.body)


def _initialized(function: func.FuncOp) -> list[Value]:
    """The variables that a function sets, among its arguments."""
    found = _dictionaries(function.arg_attrs, len(function.args))
    symbols = [attributes.data.get(BOUND) for attributes in found]
    variables = [Variable(s.string_value()) for s in symbols if isinstance(s, SymbolRefAttr)]
    if len(variables) < len(symbols):
        raise DiagnosticException(
            f"initializer @{function.sym_name.data} reads what is not a variable; save the model with the values "
            "of its variables"
        )
    return [*variables]


def _bound(index: int, type: Attribute, attributes: DictionaryAttr) -> str | None:
    """The variable that an argument is; None where it is an input."""
    symbol = attributes.data.get(BOUND)
    if isinstance(symbol, SymbolRefAttr):
        return symbol.string_value()
    if isinstance(type, TensorType) and not is_type(cast(Any, type).element_type, "resource"):
        return None
    raise DiagnosticException(
        f"argument {index} of the entry is a {type}; inputs are tensors of known rank, and variables are "
        f"named by {BOUND}"
    )


def _arguments(bound: Sequence[str | None], tensors: Sequence[SSAValue]) -> list[Value]:
    rest = iter(tensors)
    return [next(rest) if name is None else Variable(name) for name in bound]


def _output(index: int, value: Value) -> SSAValue:
    if isinstance(value, SSAValue):
        return value
    raise DiagnosticException(
        f"result {index} of the entry is a {type(value).__name__.lower()}; results are tensors"
    )


def _replace(entry: func.FuncOp, block: Block, kept: Sequence[int]) -> None:
    """Replaces the body of the entry, and its names of ports by ours."""
    inputs = _dictionaries(entry.arg_attrs, len(entry.args))
    listed = entry.attributes.get(ENTRY)
    signature: Mapping[str, Attribute] = listed.data if isinstance(listed, DictionaryAttr) else {}
    region = entry.body
    last = cast(func.ReturnOp, block.last_op)
    given = _listed(signature.get("inputs"))
    names = [_name(inputs[i], _at(given, i)) for i in kept]
    outputs = _dictionaries(entry.res_attrs, len(last.operands))
    given = _listed(signature.get("outputs"))
    results = [_name(attributes, _at(given, i)) for i, attributes in enumerate(outputs)]
    for old in list(region.blocks):
        region.detach_block(old)
        old.erase(safe_erase=False)
    region.add_block(block)
    entry.update_function_type()
    entry.properties["arg_attrs"] = _names(names)
    entry.properties["res_attrs"] = _names(results)
    for name in list(entry.attributes):
        if name.startswith("tf") or name == "allow_soft_placement":
            del entry.attributes[name]


def _name(attributes: DictionaryAttr, listed: str | None) -> str | None:
    """The name of an input or output: in its signature, by its author, or in the graph."""
    path = attributes.data.get(INDEX_PATH)
    if isinstance(path, ArrayAttr):
        parts = [p.data for p in cast(ArrayAttr[Attribute], path) if isinstance(p, StringAttr)]
        if parts:
            return "/".join(parts)
    name = attributes.data.get(USER_NAME)
    return name.data if isinstance(name, StringAttr) else listed


def _names(names: Sequence[str | None]) -> ArrayAttr[DictionaryAttr]:
    return ArrayAttr(
        DictionaryAttr({} if name is None else {NAMES: ArrayAttr([StringAttr(name)])})
        for name in names
    )


def _listed(attribute: Attribute | None) -> list[str]:
    text = attribute.data if isinstance(attribute, StringAttr) else ""
    return [name for name in text.split(",") if name]


def _at(names: Sequence[str], index: int) -> str | None:
    return names[index] if index < len(names) else None


def _dictionaries(
    attributes: ArrayAttr[DictionaryAttr] | None, count: int
) -> Sequence[DictionaryAttr]:
    return [DictionaryAttr({})] * count if attributes is None else attributes.data


def _sweep(module: ModuleOp, entry: func.FuncOp) -> None:
    """Erases all functions but the entry, which calls none any more, and other parts of the saved model."""
    for op in list(module.ops):
        if isinstance(op, UnregisteredOp) and op.op_name.data in (GLOBAL, SESSION_INITIALIZER):
            Rewriter.erase_op(op)
    for function in functions_of(module).values():
        if function is not entry:
            Rewriter.erase_op(function)
    for name in list(module.attributes):
        if name.startswith("tf"):
            del module.attributes[name]
