"""Kernels to LLVM IR: one emitter per kernel, one record per instruction set."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .compile import CompiledProgram as CompiledProgram
    from .compile import compile_program as compile_program
    from .isa import choose_isa as choose_isa

_HOMES = {"CompiledProgram": "compile", "compile_program": "compile", "choose_isa": "isa"}


def __getattr__(name: str) -> Any:
    """Loads what is asked for: a model from the cache needs `load` alone."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f".{_HOMES[name]}", __name__), name)
