"""Rewrites that know more of shapes than the operations that they replace."""

from __future__ import annotations

from collections.abc import Callable

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from ....infer_shapes import infer_types


def infer_if_retyped(op: Operation, rewrite: Callable[[], bool]) -> None:
    """Replaces an operation; where `rewrite` says that a value got another type, those behind it follow."""
    module = op.get_toplevel_object()
    if rewrite():
        assert isinstance(module, ModuleOp), "a pass is given a module"
        infer_types(module, keep=True)
