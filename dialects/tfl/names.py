"""What a file calls tensors: results by their operation's attributes, arguments by those of their function."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from xdsl.dialects import func
from xdsl.dialects.builtin import ArrayAttr, StringAttr
from xdsl.ir import Operation

from ..inferred import NAME, friendly_name
from ..module import NAMES, port_names
from .operation import OWN_NAME


def result_names(op: Operation) -> list[str]:
    """The names of all results; nothing for one that has none of its own."""
    listed = op.attributes.get(NAMES)
    if isinstance(listed, ArrayAttr):
        return [name.data for name in cast(ArrayAttr[StringAttr], listed)]
    return [friendly_name(op) or "", *[""] * (len(op.results) - 1)][: len(op.results)]


def name_results(op: Operation, names: Sequence[str]) -> None:
    """Calls the results so."""
    if len(names) == 1 and names[0]:
        op.attributes[NAME] = StringAttr(names[0])
    elif any(names):
        op.attributes[NAMES] = ArrayAttr(map(StringAttr, names))


def argument_names(function: func.FuncOp) -> list[str]:
    """The names of a function's arguments, which users may call otherwise."""
    ports, count = function.arg_attrs, len(function.body.block.args)
    own = [port.data.get(OWN_NAME) for port in ports] if ports else [None] * count
    return [
        name.data if isinstance(name, StringAttr) else "".join(given[:1])
        for name, given in zip(own, port_names(ports, count), strict=True)
    ]
