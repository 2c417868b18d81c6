"""The entries that call a program's own, in a module that is the same for all programs."""

from __future__ import annotations

from functools import cache

from ...calling_convention import ENTRY
from .. import ir
from ..vectors import I32, POINTER
from .python_entry import emit_python_entry
from .scattered_entry import emit_scattered_entry
from .sequence_entry import emit_sequence_entry


@cache
def entries_assembly() -> str:
    """The functions that Python calls, for one frame, for a sequence and for scattered calls."""
    module = ir.Module()
    entry = ir.Function(module, ir.FunctionType(I32, [POINTER]), ENTRY)
    emit_python_entry(entry)
    emit_sequence_entry(entry)
    emit_scattered_entry(entry)
    return str(module)
