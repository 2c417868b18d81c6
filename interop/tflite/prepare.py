"""What is done to a copy of a module before it is written for LiteRT."""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp

from ...dialects import context
from ...passes.fold_constants import FoldConstants


def prepared(module: ModuleOp) -> ModuleOp:
    """A copy of the module in the form that the writers know."""
    copy = module.clone()
    FoldConstants().apply(context(), copy)
    return copy
