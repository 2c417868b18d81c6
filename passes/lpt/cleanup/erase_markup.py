"""The markup goes once it was followed; the reasons stay, for the precision report."""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp

from ..marks import MARKUP


def erase_markup(module: ModuleOp) -> None:
    """Removes the attributes of `lpt-markup`."""
    for op in module.walk():
        for mark in MARKUP:
            op.attributes.pop(mark, None)
