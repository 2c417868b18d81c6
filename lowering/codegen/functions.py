"""The functions of a program's kernels, in modules that are compiled while others are emitted."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Protocol

from ..machine import Isa
from . import ir, work
from .emitter import Emitter

KERNEL_LEVEL = 1
"""LLVM's level of optimization for kernels: 0 makes them three times slower, 2 compiles longer for the same code."""

LIGHT_LEVEL = 0
"""
LLVM's level for what takes next to no time, such as entries, which only call kernels: it compiles them in half of the
time.
"""

NO_PARTS: Mapping[Emitter, float] = MappingProxyType({})
"""Of a program of whose work nothing is known."""

Define = Callable[[str, int, Callable[[ir.Module], object]], None]
"""Takes the name of a function, LLVM's level, and what emits it into a module."""


class ObjectCache(Protocol):
    """
    A store of object files of kernels, as LLVM's class of this name is one of modules. An object file may have several
    kernels, and a kernel may be in several files.
    """

    def load(self, key: str) -> bytes | None:
        """The object file that has the kernel of this key."""
        ...

    def store(self, objects: dict[str, bytes]) -> None:
        """Keeps object files by the keys of the kernels that they have."""
        ...


class KernelFunctions:
    """
    One function for each distinct kernel, declared in `program`, the module of the calls. `define` gets the name of the
    function, which depends on all that decides its code, LLVM's level, and a callback that emits it into a module.
    `parts` are those that emitters have in the program's work (`parts_of_work`): where they are small, less code, or
    code of a lower level, is as good. Kernels of a program that is light as a whole become functions of `program`:
    LLVM takes longer to begin with another module than for them, and so does the disk for files of them.
    """

    def __init__(
        self,
        program: ir.Module,
        isa: Isa,
        define: Define,
        parts: Mapping[Emitter, float] = NO_PARTS,
    ):
        self._program, self._isa, self._define, self._parts = program, isa, define, parts
        self._is_light = bool(parts) and not any(parts.values())
        self._functions: dict[tuple[Emitter, bool], ir.Function] = {}
        self._declared: dict[str, ir.Function] = {}

    def of(self, found: Emitter, is_split: bool = False) -> ir.Function:
        """
        The function of a kernel, as the program declares it. If it `is_split`, its last arguments say which partition
        it is to compute.
        """
        key = found, is_split
        if (function := self._functions.get(key)) is None:
            function = self._functions[key] = self._defined(found, is_split)
        return function

    def _defined(self, found: Emitter, is_split: bool) -> ir.Function:
        if self._is_light:
            name = f"{type(found).__name__}.{len(self._functions)}"
            return found.compact().emit(self._program, self._isa, name, is_split)
        part = self._parts.get(found, 1)
        level = LIGHT_LEVEL if part * work.LIGHT_PART <= 1 else KERNEL_LEVEL
        kernel = found.compact() if part * found.small_part <= 1 else found
        name = self._name(kernel, is_split, level)
        if name not in self._declared:
            self._define(name, level, lambda module: kernel.emit(module, self._isa, name, is_split))
            signature, linkage = found.signature(is_split), "dso_local"  # addresses are distances
            self._declared[name] = ir.Function(self._program, signature, name, linkage)
        return self._declared[name]

    def _name(self, kernel: Emitter, is_split: bool, level: int) -> str:
        """A name that is the same in all programs, and differs where the code does."""
        isa = self._isa
        decided = repr((kernel, is_split, level, isa.name, isa.cpu, isa.features))
        digest = hashlib.blake2b(decided.encode(), digest_size=16).hexdigest()
        return f"{type(kernel).__name__}.{digest}"
