"""`--verify-roundtrip`: what is printed of a module is read as the same module."""

from __future__ import annotations

from io import StringIO

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.printer import Printer
from xdsl.utils.exceptions import DiagnosticException, ParseError

from ...dialects.inferred import label
from ...dialects.locations import blamed_on
from ...dialects.verification import one_line
from ...interop.mlir import SourceError, parse_module

PRINTED = "<printed>"
"""What messages call the text."""


def verify_round_trip(module: ModuleOp, ctx: Context) -> None:
    """
    Raises DiagnosticException where the text of a module, or its generic form, cannot be read or is read as something
    else; it is about the first operation that differs.
    """
    for is_generic in (False, True):
        again = _read_back(module, ctx, is_generic)
        if module.is_structurally_equivalent(again):
            continue
        form = " in the generic form" * is_generic
        for one, other in zip(module.walk(), again.walk(), strict=False):
            if _is_different(one, other):
                what = f"{label(one)}: is printed{form} and read as another operation: {_first_line(other)}"
                raise blamed_on(DiagnosticException(what), one)
        raise DiagnosticException(f"the module is printed{form} and read as another one")


def _read_back(module: ModuleOp, ctx: Context, is_generic: bool) -> ModuleOp:
    text = StringIO()
    Printer(text, print_generic_format=is_generic).print_op(module)
    lines = text.getvalue().splitlines()
    try:
        return parse_module(text.getvalue().encode(), PRINTED, ctx)
    except ParseError as error:
        line, what = lines[error.span.get_location().line - 1], error.msg
    except SourceError as error:
        line, what = lines[0], str(error)
    raise DiagnosticException(
        f"is printed as '{line.strip()}', which is not read: {one_line(what)}"
    )


def _is_different(one: Operation, other: Operation) -> bool:
    return (
        one.name != other.name
        or one.properties != other.properties
        or one.attributes != other.attributes
        or one.operand_types != other.operand_types
        or one.result_types != other.result_types
    )


def _first_line(op: Operation) -> str:
    return str(op).partition("\n")[0]
