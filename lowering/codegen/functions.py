"""The functions of a program's kernels, in modules that are compiled while others are emitted."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Protocol

from ..machine import Isa
from . import ir
from .emitter import Emitter


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
    function, which depends on all that decides its code, and a callback that emits it into a module.
    """

    def __init__(
        self,
        program: ir.Module,
        isa: Isa,
        define: Callable[[str, Callable[[ir.Module], object]], None],
    ):
        self._program, self._isa, self._define = program, isa, define
        self._declared: dict[tuple[Emitter, bool], ir.Function] = {}

    def of(self, found: Emitter, is_split: bool = False) -> ir.Function:
        """
        The function of a kernel, as the program declares it. If it `is_split`, its last arguments say which partition
        it is to compute.
        """
        key = found, is_split
        if key not in self._declared:
            name = self._name(found, is_split)
            self._define(name, lambda module: found.emit(module, self._isa, name, is_split))
            signature, linkage = found.signature(is_split), "dso_local"  # addresses are distances
            self._declared[key] = ir.Function(self._program, signature, name, linkage)
        return self._declared[key]

    def _name(self, found: Emitter, is_split: bool) -> str:
        """A name that is the same in all programs, and differs where the code does."""
        isa = self._isa
        decided = repr((found, is_split, isa.name, isa.cpu, isa.features))
        return f"{type(found).__name__}.{hashlib.blake2b(decided.encode(), digest_size=16).hexdigest()}"
