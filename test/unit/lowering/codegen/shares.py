"""Runs the function of one kernel share by share."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

from llvmlite import binding, ir

from lowstream.dialects import kernel
from lowstream.lowering.codegen.compile import machine_of
from lowstream.lowering.codegen.isa import Isa
from lowstream.lowering.codegen.load import load
from lowstream.test.unit.lowering.codegen.native import Native


class Shares(Native):
    """
    Calls the function that `emit(module, isa, name, is_split=True)` gives of a program's one kernel once for each
    share, the last one first.
    """

    def __init__(
        self, program: kernel.ProgramOp, isa: Isa, emit: Callable[..., ir.Function], parts: int
    ):
        super().__init__(program, isa)
        module = ir.Module()
        found: Any = emit(module, isa, "shared", is_split=True)
        word, pointer = ir.IntType(64), ir.PointerType()
        entry = ir.Function(module, ir.FunctionType(ir.IntType(32), [pointer]), "entry")
        b = ir.IRBuilder(entry.append_basic_block())
        (op,) = program.body.block.ops
        places = [
            b.load(b.gep(entry.args[0], [word(i)], source_etype=word), align=8, typ=pointer)
            for i in range(len(op.operands))
        ]
        for part in reversed(range(parts)):
            b.call(found, [*places, word(part), word(parts)])
        b.ret(ir.IntType(32)(0))
        parsed = binding.parse_assembly(str(module))
        self.shared = load(machine_of(isa).emit_object(parsed))

    def call(self) -> int:
        buffers = [self.buffers[value].ctypes.data for value in self.program.body.block.args]
        table = (ctypes.c_uint64 * len(buffers))(*buffers)
        return self.shared.call(ctypes.addressof(table))
