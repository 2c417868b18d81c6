"""
Emits a `kernel.program`: one function for each distinct kernel, and the entry that calls them in order
(`calling_convention`).
"""

from __future__ import annotations

from collections.abc import Callable

from llvmlite import ir

from ...dialects import kernel
from ..machine import Isa
from .entry import Entry
from .functions import Functions
from .team_entry import TeamEntry


def emit_program(
    program: kernel.ProgramOp,
    isa: Isa,
    profiling: bool,
    threads: int,
    finish: Callable[[ir.Module], None],
) -> None:
    """
    Emits the modules of a program, and gives each to `finish` as soon as it is complete: some of kernels,
    then the one of the entry, which for several threads calls what `team_assembly` defines. The entries
    that call this one are those of `entries_assembly`. Raises DiagnosticException, naming the operation, where there is
    no machine code for one.
    """
    module = ir.Module(program.sym_name.data)
    functions = Functions(module, isa, finish)
    if threads > 1:
        TeamEntry(program, isa, profiling, module, functions, threads).emit()
    else:
        Entry(program, isa, profiling, module, functions).emit()
    functions.finish_last()
    finish(module)
