"""Makes an emulated CPU of AArch64 the one that this process compiles for."""

from __future__ import annotations

from functools import partial
from typing import Any

from lowstream.lowering import machine
from lowstream.lowering.codegen import compile, load
from lowstream.test.emulated.cpu import CPU, Library

TRIPLE = "aarch64-unknown-linux-gnu"


def emulate() -> None:
    """From now on, kernels are compiled for the emulated CPU, and one thread runs them there."""
    compile_for = compile.machine_of

    def machine_of(isa: machine.Isa, triple: str = TRIPLE, **level: int) -> Any:
        return compile_for(isa, triple, **level)

    replacements: list[tuple[object, str, object]] = [
        (machine, "host_features", lambda: machine.NEON_DOT.requires),
        (compile, "machine_of", machine_of),
        (compile, "FUTEX", None),
        (load, "Library", Library),
        (load, "_SIGNATURE", _function),
        (load.LoadedProgram, "bind", _bound),
    ]
    for owner, name, replacement in replacements:
        setattr(owner, name, replacement)


def _function(address: int) -> Any:
    return partial(CPU.call, address)


def _bound(program: load.LoadedProgram, frame: int) -> Any:
    return partial(program.call, frame)
