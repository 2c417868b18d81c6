"""nn-to-tfl: the entry of a module in LiteRT's operations, for each operation those that do the same."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, ModuleOp, StringAttr
from xdsl.passes import ModulePass

from ...dialects import tfl
from ...dialects.module import NAMES, entry_of, port_names
from ...dialects.tables import import_modules
from .block import result, written
from .fused_in_float import fuse
from .prepare import prepare
from .quantization import given_codes, taken_codes
from .states import VariableHandles
from .writer import TflWriter

import_modules(__name__)

SIGNATURE = "serving_default"
"""The key by which users run the entry."""


class NnToTfl(ModulePass):
    """
    Leaves the entry, and functions for what its operators run.

    Raises DiagnosticException, naming the operation, for what LiteRT cannot say.
    """

    name: ClassVar = "nn-to-tfl"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        prepare(ctx, op)
        made = _written(op)
        for old in list(op.ops):
            old.detach()
            old.drop_all_references()
        for new in list(made.ops):
            new.detach()
            op.body.block.add_op(new)


def _written(module: ModuleOp) -> ModuleOp:
    """A module with the entry's functions, written from another module."""
    entry, made = entry_of(module), ModuleOp([])
    write = TflWriter(made)
    write.states = VariableHandles(write)
    block = entry.body.block
    names = port_names(entry.arg_attrs, len(block.args))
    inputs = [ports[0] if ports else f"input_{i}" for i, ports in enumerate(names)]
    for argument in block.args:
        given_codes(write, argument)
    results = written(write, block)
    names = port_names(entry.res_attrs, len(results))
    outputs = [ports[0] if ports else f"output_{i}" for i, ports in enumerate(names)]
    for value, name in zip(results, outputs, strict=True):
        result(write, taken_codes(write, value), name)
    write.states.finish()
    function = write.function(entry.sym_name.data)
    function.properties.pop("sym_visibility")
    function.arg_attrs, function.res_attrs = _ports(inputs), _ports(outputs)
    function.attributes[tfl.SIGNATURE] = StringAttr(SIGNATURE)
    for each in made.ops:
        assert isinstance(each, func.FuncOp)
        fuse(each)
    return made


def _ports(names: Sequence[str]) -> ArrayAttr[DictionaryAttr]:
    return ArrayAttr(DictionaryAttr({NAMES: ArrayAttr([StringAttr(name)])}) for name in names)
