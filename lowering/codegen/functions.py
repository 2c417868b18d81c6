"""The functions of a program's kernels, in modules of their own that can be compiled while others are emitted."""

from __future__ import annotations

from collections.abc import Callable

from llvmlite import ir

from ..machine import Isa
from .emitter import Emitter

MODULE = 3000
"""Instructions from which on a module is complete: some 100 ms of LLVM's time, far above its cost for any module."""


class Functions:
    """
    One function for each distinct kernel, emitted when it is asked for first. `program` is the module of the
    calls; `finish` gets each of the others.
    """

    def __init__(self, program: ir.Module, isa: Isa, finish: Callable[[ir.Module], None]):
        self._program, self._isa, self._finish = program, isa, finish
        self._declared: dict[tuple[Emitter, bool], ir.Function] = {}
        self._module, self._size = ir.Module(program.name), 0

    def of(self, found: Emitter, is_split: bool = False) -> ir.Function:
        """The function of a kernel, or of the partition of it that its last arguments say, as the program sees it."""
        key = found, is_split
        if key not in self._declared:
            name = f"{type(found).__name__}.{len(self._declared)}"
            emitted = found.emit(self._module, self._isa, name, is_split)
            self._declared[key] = ir.Function(self._program, emitted.function_type, name)
            self._size += sum(len(block.instructions) for block in emitted.blocks)
            if self._size >= MODULE:
                self.finish_last()
        return self._declared[key]

    def finish_last(self) -> None:
        """Completes the module that functions are emitted to."""
        if self._size:
            self._finish(self._module)
            self._module, self._size = ir.Module(self._program.name), 0
