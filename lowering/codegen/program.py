"""
Emits a `kernel.program`: one function for each distinct kernel, and the entry that calls them in order
(`calling_convention`).
"""

from __future__ import annotations

from ...dialects import kernel
from ..machine import Isa
from . import ir
from .emitters import emitters_of
from .entry.entry import Entry
from .entry.team_entry import TeamEntry
from .functions import Define, KernelFunctions
from .work import parts_of_work


def emit_program(
    program: kernel.ProgramOp,
    isa: Isa,
    profiling: bool,
    threads: int,
    define: Define,
) -> tuple[ir.Module, int]:
    """
    Emits the module of a program's entry; for several threads, it calls what `team_assembly` defines. The entries that
    Python calls are those of `entries_assembly`. `define` gets the functions of kernels (`KernelFunctions`).

    Gives the module, and the bytes of arena that a call needs: the program's own, and scratch memory of kernels behind
    them. Raises DiagnosticException, naming the operation, where there is no machine code for an operation.
    """
    module = ir.Module()
    emitters = emitters_of(program, isa)
    functions = KernelFunctions(module, isa, define, parts_of_work(emitters, isa))
    if threads > 1:
        entry: Entry = TeamEntry(program, isa, profiling, module, functions, emitters, threads)
    else:
        entry = Entry(program, isa, profiling, module, functions, emitters)
    entry.emit()
    return module, entry.arena_bytes
