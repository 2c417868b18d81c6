"""Captures of a TensorFlow function: variables with their values, and constants."""

from __future__ import annotations

from typing import Any

import numpy as np
from xdsl.dialects.builtin import (
    ArrayAttr,
    DictionaryAttr,
    ModuleOp,
    StringAttr,
    SymbolRefAttr,
    TensorType,
    UnregisteredOp,
)
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Operation
from xdsl.parser import Parser
from xdsl.utils.exceptions import DiagnosticException

from ...dialects import context
from ...dialects.module import entry_of
from ...dialects.nn.constant import ConstantOp
from ...dialects.rewriter import Rewriter
from ...passes.legalize_tf_to_nn.entry import BOUND
from ...passes.legalize_tf_to_nn.variables import GLOBAL
from ...reference.arrays import blob_of, element_of
from .names import unique


def type_captures(module: ModuleOp, function: Any) -> None:
    """Gives arguments of the entry that are variables the type of their values, which TensorFlow leaves out."""
    entry = entry_of(module)
    block = entry.body.block
    first = len(block.args) - len(function.captured_inputs)
    by_handle = {id(variable.handle): variable for variable in function.graph.variables}
    for place, captured in enumerate(function.captured_inputs, first):
        if (variable := by_handle.get(id(captured))) is not None:
            element = element_of(np.dtype(variable.dtype.as_numpy_dtype))
            held = TensorType(element, variable.shape.as_list())
            resource = f"tensor<!tf_type.resource<{held}>>"
            typed = Parser(context(), resource).parse_type()
            Rewriter.replace_value_with_new_type(block.args[place], typed)
    entry.update_function_type()


def bind_captures(module: ModuleOp, function: Any) -> None:
    """
    Binds the captures, which are the entry's last arguments. Variables get the values that they have now, by name;
    others become constants.
    """
    entry = entry_of(module)
    block = entry.body.block
    first = len(block.args) - len(function.captured_inputs)
    attributes = _attributes(entry)
    by_handle = {id(variable.handle): variable for variable in function.graph.variables}
    values: dict[str, Operation] = {}
    constants: list[int] = []
    for place, captured in enumerate(function.captured_inputs, first):
        variable = by_handle.get(id(captured))
        if variable is not None:
            name = unique(variable.name.split(":")[0], values)
            values[name] = _global(name, variable.numpy())
            bound = {**attributes[place].data, BOUND: SymbolRefAttr(name)}
            attributes[place] = DictionaryAttr(bound)
        elif captured.dtype.name != "resource":
            constant = ConstantOp(blob_of(captured.numpy()))
            block.insert_op_before(constant, block.ops.first)  # pyright: ignore[reportArgumentType]
            block.args[place].replace_all_uses_with(constant.result)
            constants.append(place)
        else:
            raise DiagnosticException(
                f"the function captures {captured.name}, which is not a variable; tables and iterators are "
                "not supported"
            )
    for place in reversed(constants):
        block.erase_arg(block.args[place])
        del attributes[place]
    entry.properties["arg_attrs"] = ArrayAttr(attributes)
    entry.update_function_type()
    for op in values.values():
        module.body.block.add_op(op)


def _attributes(entry: FuncOp) -> list[DictionaryAttr]:
    if entry.arg_attrs is None:
        return [DictionaryAttr({}) for _ in entry.args]
    return list(entry.arg_attrs)


def _global(name: str, value: Any) -> Operation:
    """The operation that holds a variable's value."""
    blob = blob_of(value)
    properties: dict[str, Attribute] = {
        "sym_name": StringAttr(name),
        "type": blob.type,
        "value": blob,
    }
    return UnregisteredOp.with_name(GLOBAL).create(attributes=properties)
