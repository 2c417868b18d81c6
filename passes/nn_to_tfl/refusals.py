"""Errors for what LiteRT cannot express."""

from __future__ import annotations

from xdsl.dialects.builtin import DYNAMIC_INDEX, ModuleOp
from xdsl.ir import Operation
from xdsl.utils.exceptions import DiagnosticException

from ...dialects.inferred import label, shape_of
from ...dialects.module import entry_of, port_names

EXAMPLE_SIZE = 16
"""An example value for unknown sizes other than the batch."""


def refuse(op: Operation, what: str) -> DiagnosticException:
    """The error for something that LiteRT cannot express."""
    return DiagnosticException(f"{label(op)}: cannot be written for LiteRT: {what}")


class UnknownSizeError(DiagnosticException):
    """LiteRT cannot express something while a size is unknown."""


def refuse_unknown(op: Operation, what: str) -> DiagnosticException:
    """The error for something that needs known sizes, with the command that sets them."""
    return refuse(op, f"{what}; {_reshape_for(op)}")


def _reshape_for(op: Operation) -> str:
    """An example of a reshape that gives the inputs of an operation's model known sizes."""
    module = op.get_toplevel_object()
    assert isinstance(module, ModuleOp), "operations are written from a module"
    entry = entry_of(module)
    shapes: dict[str | int, list[int]] = {}
    names = port_names(entry.arg_attrs, len(entry.args))
    for i, (argument, listed) in enumerate(zip(entry.args, names, strict=True)):
        if DYNAMIC_INDEX in (shape := shape_of(argument)):
            shapes[listed[0] if listed else i] = [
                (EXAMPLE_SIZE if axis else 1) if size == DYNAMIC_INDEX else size
                for axis, size in enumerate(shape)
            ]
    if not shapes:
        return "the shapes of the inputs do not decide it: make what it is computed from constant"
    return f"give the inputs shapes, for example model.reshape({shapes})"


class NoCodesError(Exception):
    """An operation is not a single operator that computes with codes, or moves them."""
