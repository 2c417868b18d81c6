"""Makes an emulated CPU the one that this process compiles for."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cache, partial
from typing import Any

from lowstream.lowering import machine
from lowstream.lowering.codegen import compile, load

TRIPLE = "aarch64-unknown-linux-gnu"

Call = Callable[..., int]
"""Calls the function at an address with words; gives its i32."""


@cache
def emulate() -> Call:
    """
    From now on, kernels are compiled for the emulated CPU, and one thread runs them there: one of x86-64 that just has
    what LOWSTREAM_ISA says, if that is an instruction set with vectors of x86-64, else one of AArch64.
    """
    wanted = machine.planned_isa(os.environ.get(machine.ENVIRONMENT) or machine.NEON_DOT.name)
    isa = wanted if wanted.vector else machine.NEON_DOT
    call = _x86(isa) if isa.vector else _arm()
    replacements: list[tuple[object, str, object]] = [
        (machine, "host_features", lambda: isa.requires),
        (compile, "FUTEX", None),
        (load, "_SIGNATURE", lambda address: partial(call, address)),
        (load.LoadedProgram, "bind", _bound),
    ]
    for owner, name, replacement in replacements:
        setattr(owner, name, replacement)
    return call


def _arm() -> Call:
    from lowstream.test.emulated.cpu import CPU, Library

    compile_for = compile.machine_of

    def machine_of(isa: machine.Isa, triple: str = TRIPLE, **level: int) -> Any:
        return compile_for(isa, triple, **level)

    setattr(compile, "machine_of", machine_of)  # noqa: B010
    setattr(load, "Library", Library)  # noqa: B010
    return CPU.call


def _x86(isa: machine.Isa) -> Call:
    from lowstream.test.emulated.x86 import Cpu

    return Cpu(isa.name).call


def _bound(program: load.LoadedProgram, frame: int) -> Any:
    return partial(program.call, frame)
