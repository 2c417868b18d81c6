"""The names of operations in TensorFlow's graph, which its MLIR has as locations."""

from __future__ import annotations

import itertools
import re
from collections.abc import Collection, Mapping

from xdsl.dialects.builtin import ModuleOp, StringAttr

from ...dialects.inferred import NAME
from ...passes.tensorflow import TfOp

_OPERATION = re.compile(r'^\s*(?:%\S+ = )?"tf\.(\w+)".* loc\((#loc\d*)\)$', re.MULTILINE)
_ALIAS = re.compile(r"^(#loc\d*) = loc\((.*)\)$", re.MULTILINE)
_NAMED = re.compile(r'"([^"\\]+)"(?=\()|"([^"\\]*[^":\\])"(?!:\d)')
"""A name, with where the user's code called for it or without: no file's, nor "Relu:", which says what it is."""

_ALIASES = re.compile(r"#loc\d*")


def unique(name: str, taken: Collection[str]) -> str:
    """The name, with a number behind it where it is taken."""
    numbered = (f"{name}_{count}" if count else name for count in itertools.count())
    return next(candidate for candidate in numbered if candidate not in taken)


def name_operations(module: ModuleOp, text: str) -> None:
    """
    Gives the operations of a module their friendly names. `text` is the same module, printed by TensorFlow with
    locations. Where the two do not match, operations stay without names.
    """
    operations = [tf for op in module.walk() if (tf := TfOp.of(op)) is not None]
    lines = [(found[1], found[2]) for found in _OPERATION.finditer(text)]
    if [tf.name for tf in operations] != [name for name, _ in lines]:
        return
    aliases = {found[1]: found[2] for found in _ALIAS.finditer(text)}
    for tf, (_, alias) in zip(operations, lines, strict=True):
        if name := _name_of(alias, aliases):
            tf.op.attributes[NAME] = StringAttr(name)


def _name_of(alias: str, aliases: Mapping[str, str]) -> str | None:
    """The first name in a location: `"layer/MatMul@function"`, alone or in a list or a stack of calls."""
    pending, seen = [alias], set[str]()
    while pending:
        if (alias := pending.pop()) in seen:
            continue
        seen.add(alias)
        text = aliases.get(alias, "")
        if (named := _NAMED.search(text)) is not None:
            return (named[1] or named[2]).split("@")[0].rstrip(":")
        pending += reversed(_ALIASES.findall(text))
    return None
