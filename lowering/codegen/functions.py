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
    Object files of kernels that were compiled before, as LLVM's class of this name keeps those of modules. Several
    kernels may be in one, and a kernel in several.
    """

    def load(self, key: str) -> bytes | None:
        """The object file that has the kernel of this key."""
        ...

    def store(self, objects: dict[str, bytes]) -> None:
        """Keeps object files by the keys of the kernels that they have."""
        ...


class Functions:
    """
    One function for each distinct kernel, declared where it is asked for first in `program`, the module of the calls.
    `define` gets what it is called, which is what decides its code, and what emits it into a module.
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
        """The function of a kernel, or of the partition of it that its last arguments say, as the program sees it."""
        key = found, is_split
        if key not in self._declared:
            name = self._name(found, is_split)
            self._define(name, lambda module: found.emit(module, self._isa, name, is_split))
            signature, linkage = found.signature(is_split), "dso_local"  # addresses are distances
            self._declared[key] = ir.Function(self._program, signature, name, linkage)
        return self._declared[key]

    def _name(self, found: Emitter, is_split: bool) -> str:
        """The same in all programs, and another one for other code."""
        isa = self._isa
        decided = repr((found, is_split, isa.name, isa.cpu, isa.features))
        return f"{type(found).__name__}.{hashlib.blake2b(decided.encode(), digest_size=16).hexdigest()}"
