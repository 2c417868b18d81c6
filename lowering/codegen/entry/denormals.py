"""
Denormal numbers as zeros, operands and results alike, while a thread runs a program: a flag of its control register.
Processors compute with denormal numbers in microcode, a hundred times as slow.

MXCSR: Intel 64 and IA-32 Architectures Software Developer's Manual 1, 10.2.3 (FTZ and DAZ). FPCR: Arm Architecture
Reference Manual for A-profile, C5.2.8 (FZ).
"""

from __future__ import annotations

import platform

from .. import ir
from ..vectors import I32, I64, POINTER, VOID

FLUSH_TO_ZERO, DENORMALS_ARE_ZEROS = 1 << 15, 1 << 6
"""The flags of MXCSR."""

FLUSHING_MODE = 1 << 24
"""The flag of FPCR for both."""


def flush_denormals(b: ir.IRBuilder) -> ir.Value:
    """Sets the flags of this host's register; returns what `restore` takes."""
    if platform.machine() == "aarch64":
        before = b.call(b.module.declared("llvm.aarch64.get.fpcr", I64, []), [])
        restore(b, b.or_(before, ir.Constant(I64, FLUSHING_MODE)))
        return before
    place = b.alloca(I32)
    b.call(b.module.declared("llvm.x86.sse.stmxcsr", VOID, [POINTER]), [place])
    before = b.load(place, I32)
    restore(b, b.or_(before, ir.Constant(I32, FLUSH_TO_ZERO | DENORMALS_ARE_ZEROS)))
    return before


def restore(b: ir.IRBuilder, before: ir.Value) -> None:
    """Sets the register to what it was."""
    if platform.machine() == "aarch64":
        b.call(b.module.declared("llvm.aarch64.set.fpcr", VOID, [I64]), [before])
        return
    place = b.alloca(I32)
    b.store(before, place)
    b.call(b.module.declared("llvm.x86.sse.ldmxcsr", VOID, [POINTER]), [place])
