"""Whole programs with every buffer and every constant in memory of its own, so that a guard stands beside each."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from xdsl.dialects.builtin import ArrayAttr, MemRefType, StringAttr, i8
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import Rewriter

from lowstream.dialects import kernel
from lowstream.lowering.machine import Isa
from lowstream.reference.arrays import Array, array_of
from lowstream.test.unit.lowering.codegen.judge import GUARDS
from lowstream.test.unit.lowering.codegen.native import Guard, Native


class Scattered:
    """A program compiled so; `run` gives the outputs of one inference with closed pages on this side of all memory."""

    def __init__(self, program: kernel.ProgramOp, isa: Isa):
        self.outputs = len(program.outputs) - len({place for *_, place in program.dynamic_shapes})
        program = program.clone()
        self.constants = _as_inputs(program)
        _as_outputs(program)
        block = program.body.block
        Rewriter.replace_value_with_new_type(block.args[-1], MemRefType(i8, [0]))
        self.native = Native(program, isa)

    def run(self, inputs: Sequence[Array], guard: Guard) -> list[Array]:
        """Raises SIGSEGV where a kernel leaves its operands on this side."""
        self.native.place(guard)
        return self.native.run([*inputs, *self.constants])[: self.outputs]

    def check(self, inputs: Sequence[Array], wanted: Sequence[Array]) -> None:
        """It stays inside its memory and gives what is wanted."""
        for guard in GUARDS:
            for have, want in zip(self.run(inputs, guard), wanted, strict=True):
                np.testing.assert_array_equal(have, want)


def _as_inputs(program: kernel.ProgramOp) -> list[Array]:
    """Makes constants the last inputs of a program; gives their values."""
    found = [op for op in program.walk() if isinstance(op, kernel.ConstantOp)]
    for op in found:
        _replace(program, op.result, len(program.inputs))
        program.properties["inputs"] = _one_more(program.inputs)
    return [array_of(op.value) for op in found]


def _as_outputs(program: kernel.ProgramOp) -> None:
    """Makes the buffers of the arena the last outputs of a program."""
    for op in [op for op in program.walk() if isinstance(op, kernel.BufferOp)]:
        _replace(program, op.result, len(program.inputs) + len(program.outputs))
        program.properties["outputs"] = _one_more(program.outputs)


def _replace(program: kernel.ProgramOp, value: SSAValue, place: int) -> None:
    """Puts an argument at a place and takes it for the result of an operation, which goes."""
    value.replace_all_uses_with(program.body.block.insert_arg(value.type, place))
    assert isinstance(value.owner, Operation)
    value.owner.detach()


def _one_more(names: ArrayAttr[StringAttr]) -> ArrayAttr[StringAttr]:
    return ArrayAttr([*names, StringAttr(f"memory{len(names)}")])
