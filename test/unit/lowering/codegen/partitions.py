"""Runs the function of one kernel partition by partition: no two write the same."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any

import numpy as np
from llvmlite import binding

from lowstream.dialects import kernel
from lowstream.lowering.codegen import ir
from lowstream.lowering.codegen.compile import machine_of
from lowstream.lowering.codegen.emitter import Emitter
from lowstream.lowering.codegen.load import LoadedFunction
from lowstream.lowering.codegen.vectors import index
from lowstream.lowering.machine import Isa
from lowstream.reference.arrays import Array
from lowstream.test.unit.lowering.codegen.judge import check_results
from lowstream.test.unit.lowering.codegen.native import Native


def check_shares(
    kind: Any, program: kernel.ProgramOp, isa: Isa, inputs: Sequence[Array], parts: int
) -> None:
    """Each partition of a kernel, of a kind as machine code, once: together they do what the whole does."""
    (op,) = program.body.block.ops
    check_results(Partitions(program, isa, kind.of(op, isa), parts), inputs)


class Partitions(Native):
    """Calls the divided function of a program's one kernel once for each partition, the last one first."""

    def __init__(self, program: kernel.ProgramOp, isa: Isa, found: Emitter, parts: int):
        super().__init__(program, isa)
        module = ir.Module()
        function: Any = found.emit(module, isa, "shared", is_split=True)
        called = [part.emit(module, isa, f"part{i}") for i, part in enumerate(found.parts)]
        word, pointer = ir.IntType(64), ir.PointerType()
        entry = ir.Function(module, ir.FunctionType(ir.IntType(32), [pointer]), "entry")
        b = ir.IRBuilder(entry.append_basic_block())
        (op,) = program.body.block.ops

        def word_at(i: int, type: ir.Type) -> ir.Value:
            return b.load(b.gep(entry.args[0], index(i), word), align=8, typ=type)

        self.places = len(op.operands) + (found.scratch_bytes > 0)
        places = [word_at(i, pointer) for i in range(self.places)]
        part = word_at(len(places), word)
        operands, scratch = places[: len(op.operands)], places[len(op.operands) :]
        arguments = [*operands, *found.arguments(b, index(0)), *called, *scratch]
        b.call(function, [*arguments, part, b.add(part, index(1)), index(parts)])
        b.ret(ir.Constant(ir.IntType(32), 0))
        parsed = binding.parse_assembly(str(module))
        self.shared, self.parts = LoadedFunction([machine_of(isa).emit_object(parsed)]), parts

    def call(self) -> int:
        outputs = [self.buffers[value] for value in self.program.output_args]
        written = [np.zeros(output.size, bool) for output in outputs]
        for part in reversed(range(self.parts)):
            for before, now in zip(written, self._written(part), strict=True):
                assert not (before & now).any(), f"partition {part} writes what another one wrote"
                before |= now
            assert self._partition(part) == 0
        return 0

    def _written(self, part: int) -> list[Array]:
        """Which bytes of the outputs a partition writes: those that do not show what was there before."""
        outputs = [self.buffers[value] for value in self.program.output_args]
        kept = [output.copy() for output in outputs]
        found: list[list[Array]] = []
        for filling in (0x00, 0xFF):
            for output in outputs:
                output[:] = filling
            self._partition(part)
            found.append([output.copy() for output in outputs])
        for output, before in zip(outputs, kept, strict=True):
            output[:] = before
        return [low == high for low, high in zip(*found, strict=True)]

    def _partition(self, part: int) -> int:
        buffers = [self.buffers[value].ctypes.data for value in self.program.body.block.args]
        places = buffers[: self.places]  # the last is the arena, which is scratch memory alone
        table = (ctypes.c_uint64 * (len(places) + 1))(*places, part)
        return self.shared.call(ctypes.addressof(table))
