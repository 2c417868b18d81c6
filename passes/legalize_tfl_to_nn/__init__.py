"""
`legalize-tfl-to-nn`: LiteRT's operations as ours.

Values keep LiteRT's order of dimensions; quantized tensors become what their codes stand for. Variables become
states, the functions that `tfl.while` and `tfl.if` run go into `infra.loop` and `infra.if`, and fused recurrent
layers are operations of `rnn` or run step by step.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, cast

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import (
    ArrayAttr,
    DictionaryAttr,
    ModuleOp,
    SymbolRefAttr,
    TensorType,
)
from xdsl.ir import Attribute, Operation
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint

from ...dialects import infra, tfl
from ...dialects.module import check_function
from ...dialects.quant import UniformQuantizedType
from ...dialects.rewriter import Rewriter
from ...dialects.tables import import_modules
from ..erase_unused import erase_unused
from ..tensorflow import functions_of, is_private
from .translation import Translation, take_shared
from .update import expand_updates
from .values import given_type

import_modules(__name__)
take_shared()


@dataclass(frozen=True)
class LegalizeTflToNn(ModulePass):
    """
    Every `tfl` operation becomes `nn`, `rnn` and `infra`; private functions that only they ran go.

    - `tfl.custom` stays: only its user's runtime knows what it computes.
    - An operation that is not known is an error that names it.
    - `keep-lstms` leaves fused LSTMs that begin with given states and that `rnn` has none like, for writing.
    """

    name = "legalize-tfl-to-nn"

    keep_lstms: bool = False

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        functions = functions_of(op)
        if not any(map(_is_litert, functions.values())):
            return
        for function in functions.values():
            check_function(function)
        _sweep(op)
        run = {name for each in op.walk() if tfl.is_of_dialect(each) for name in _symbols(each)}
        functions = functions_of(op)
        for name, function in functions.items():
            if name not in run and _is_litert(function):
                self._legalize(op, functions, function)
        _sweep(op)

    def _legalize(
        self, module: ModuleOp, functions: Mapping[str, func.FuncOp], function: func.FuncOp
    ) -> None:
        """Rewrites the body of a function, and declares its states."""
        block = function.body.block
        t = Translation(functions, function, InsertPoint.at_start(block), (), self.keep_lstms)
        old = list(block.args)
        for given in old:
            argument = block.insert_arg(given_type(given), len(block.args))
            argument.name_hint = given.name_hint
            t.give(given, argument)
        t.in_place(block)
        expand_updates(function)
        for given in old:
            block.erase_arg(given)
        last = block.last_op
        assert last is not None, "a function without a terminator does not pass verification"
        block.insert_ops_before(
            [infra.AssignOp(name, held.value) for name, held in t.assigned.items()], last
        )
        function.update_function_type()
        for ports in ("arg_attrs", "res_attrs"):
            _forget(function, ports)
        for name in [name for name in function.attributes if name.startswith("tfl.")]:
            del function.attributes[name]
        declared = {op.sym_name.data for op in module.ops if isinstance(op, infra.VariableOp)}
        variables = [
            infra.VariableOp(name, type)
            for name, type in t.variables.items()
            if name not in declared
        ]
        first = module.body.block.first_op
        assert first is not None, "there is the function"
        module.body.block.insert_ops_before(variables, first)
        erase_unused(*(each.none_val for each in block.walk() if isinstance(each, tfl.NoValueOp)))


def _forget(function: func.FuncOp, ports: str) -> None:
    """Removes attributes of arguments and results that only `tfl` needs."""
    listed = function.properties.get(ports)
    if isinstance(listed, ArrayAttr):
        function.properties[ports] = ArrayAttr(
            DictionaryAttr({n: a for n, a in port.data.items() if not n.startswith("tfl.")})
            for port in cast(ArrayAttr[DictionaryAttr], listed)
        )


def _is_litert(function: func.FuncOp) -> bool:
    """Whether a function has anything of LiteRT: operations, codes, or the key of a signature."""
    return (
        any(name.startswith("tfl.") for name in function.attributes)
        or any(map(_has_codes, function.function_type.inputs))
        or any(map(tfl.is_of_dialect, function.walk()))
    )


def _has_codes(type: Attribute) -> bool:
    return isinstance(type, TensorType) and isinstance(
        cast(TensorType[Any], type).element_type, UniformQuantizedType
    )


def _symbols(op: Operation) -> Iterable[str]:
    for attribute in (*op.properties.values(), *op.attributes.values()):
        if isinstance(attribute, SymbolRefAttr):
            yield attribute.string_value()


def _sweep(module: ModuleOp) -> None:
    """Erases private functions that no public one calls."""
    functions = functions_of(module)
    reached = {n for n, f in functions.items() if not is_private(f)}
    pending = [functions[name] for name in reached]
    while pending:
        for op in pending.pop().walk():
            for name in {*_symbols(op)} & functions.keys() - reached:
                reached.add(name)
                pending.append(functions[name])
    for name, function in functions.items():
        if name not in reached:
            Rewriter.erase_op(function)
