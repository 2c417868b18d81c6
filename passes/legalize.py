"""Legalizes modules of other frameworks' operations before a model is compiled."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue
from xdsl.utils.exceptions import DiagnosticException

from ..dialects import nn
from ..dialects.inferred import friendly_name, label
from ..dialects.walk import all_operations
from .pipeline import run_passes
from .tensorflow import TfOp

if TYPE_CHECKING:
    from ..dialects import tfl

PIPELINE = (
    "legalize-tf-to-nn,legalize-tfl-to-nn,fold-constants,raise-tf-while-to-lstm,fold-constants,cse"
)
"""The passes that legalize TensorFlow's and LiteRT's operations."""


def legalized(module: ModuleOp) -> ModuleOp:
    """
    The module without operations of `tf` and `tfl`: itself, or a legalized copy.

    Raises DiagnosticException where an operation is not known, as custom operations never are.
    """
    if not any(
        TfOp.of(op) is not None or op.name.startswith("tfl.") for op in all_operations(module)
    ):
        return module
    from ..dialects import tfl  # only models of LiteRT need it

    copy = module.clone()
    run_passes(copy, PIPELINE)
    for op in copy.walk():
        if isinstance(op, tfl.CustomOp):
            raise DiagnosticException(
                f"{label(op)}: only the runtime it was made for knows what '{op.custom_code.data}' computes; "
                f"run the part before it here, with trim{{outputs={_name_before(op)}}}"
            )
    return copy


def _name_before(op: tfl.CustomOp) -> str:
    """The name by which `trim` finds a value that a custom operation is computed from."""
    pending: list[SSAValue] = list(op.operands)
    while pending:
        owner = pending.pop(0).owner
        if isinstance(owner, Operation) and not isinstance(owner, nn.ConstantOp):
            if (name := friendly_name(owner)) is not None:
                return f'"{name}"'
            pending += owner.operands
    return "…"
