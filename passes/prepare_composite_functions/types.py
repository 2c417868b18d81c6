"""What the types of a function's arguments are, where the function leaves them open and its calls do not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, cast

from xdsl.dialects import func
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ModuleOp,
    SymbolRefAttr,
    TensorType,
    UnrankedTensorType,
)
from xdsl.ir import Attribute, BlockArgument, Operation, SSAValue

from ..legalize_tf_to_nn.entry import BOUND
from ..legalize_tf_to_nn.variables import globals_of
from ..tensorflow import TfOp, callee

DEPTH = 8
"""Calls within calls through which types are looked for."""


def calls_of(module: ModuleOp, name: str) -> Iterator[Operation]:
    """The operations that call a function."""
    return (op for op in module.walk() if callee(op) == name)


def argument_types(module: ModuleOp, function: func.FuncOp) -> list[Attribute]:
    """The types of a function's arguments, made as precise as all its calls are."""
    calls = list(calls_of(module, function.sym_name.data))
    return [
        _refined(argument.type, [known_type(module, call.operands[i]) for call in calls])
        for i, argument in enumerate(function.body.block.args)
    ]


def _refined(declared: Attribute, given: Sequence[Attribute]) -> Attribute:
    is_tensor = _ranked(declared) is not None or isinstance(
        cast(object, declared), UnrankedTensorType
    )
    ranked = [type for type in map(_ranked, given) if type is not None]
    ranks = {type.get_num_dims() for type in ranked}
    if not is_tensor or len(ranked) != len(given) or len(ranks) != 1:
        return declared
    columns = zip(*(type.get_shape() for type in ranked), strict=True)
    shape = [sizes[0] if len(set(sizes)) == 1 else DYNAMIC_INDEX for sizes in columns]
    if (known := _ranked(declared)) is not None:
        own = known.get_shape()
        if len(own) != len(shape):
            return declared
        shape = [new if old == DYNAMIC_INDEX else old for old, new in zip(own, shape, strict=True)]
    return TensorType(ranked[0].element_type, shape)


def _ranked(type: Attribute) -> TensorType[Any] | None:
    """A type as that of a tensor of known rank; None where it is none."""
    return cast(TensorType[Any], type) if isinstance(type, TensorType) else None


def known_type(module: ModuleOp, value: SSAValue, depth: int = 0) -> Attribute:
    """The type of a value, or of what it is read from where its own is open."""
    type: Attribute = value.type
    if _ranked(type) is not None or depth > DEPTH:
        return type
    if isinstance(value, BlockArgument):
        return _argument_type(module, value, depth)
    tf = TfOp.of(value.owner)
    if tf is not None and tf.name == "Identity":
        return known_type(module, tf.operands[0], depth)
    if tf is not None and tf.name == "ReadVariableOp":
        return _variable_type(module, tf.operands[0], depth) or type
    return type


def _argument_type(module: ModuleOp, value: BlockArgument, depth: int) -> Attribute:
    function = value.block.parent_op()
    if not isinstance(function, func.FuncOp):
        return value.type
    calls = calls_of(module, function.sym_name.data)
    found = [known_type(module, call.operands[value.index], depth + 1) for call in calls]
    return _refined(value.type, found)


def _variable_type(module: ModuleOp, resource: SSAValue, depth: int) -> Attribute | None:
    """The type of what a variable holds."""
    if isinstance(resource, BlockArgument) and depth <= DEPTH:
        function = resource.block.parent_op()
        assert isinstance(function, func.FuncOp)
        attributes = function.arg_attrs
        symbol = None if attributes is None else attributes.data[resource.index].data.get(BOUND)
        if isinstance(symbol, SymbolRefAttr):
            held = globals_of(module).get(symbol.string_value())
            return (
                None if held is None else held.properties.get("type", held.attributes.get("type"))
            )
        found = {
            _variable_type(module, call.operands[resource.index], depth + 1)
            for call in calls_of(module, function.sym_name.data)
        }
        return found.pop() if len(found) == 1 else None
    return None
