"""Removes the markup after the main step used it; reasons stay, for the precision report."""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp

from ....dialects.walk import all_operations
from ..attributes import MARKUP


def erase_markup(module: ModuleOp) -> None:
    """Removes the attributes of `lpt-markup`."""
    for op in all_operations(module):
        for attribute in MARKUP:
            op.attributes.pop(attribute, None)
