"""Machine code against its meaning: the same values in the same places, and nothing touched beside them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product

import numpy as np

from lowstream.dialects import kernel
from lowstream.lowering import machine
from lowstream.lowering.calling_convention import CALLS
from lowstream.lowering.machine import Isa
from lowstream.reference.arrays import Array
from lowstream.reference.program import ProgramExecutor
from lowstream.test.unit.lowering.codegen.native import Guard, Native, read, view

GUARDS: tuple[Guard, ...] = ("before", "after")

TURNS = 2
"""Kernels that go over their weights backwards do so in every second call."""


Agree = Callable[[Array, Array], None]
"""Raises AssertionError where what the machine computes is not what the reference does."""


def check_results(native: Native, inputs: Sequence[Array]) -> None:
    """The results of machine and reference are the same."""
    wanted = ProgramExecutor(native.program).run(inputs)
    for have, want in zip(native.run(inputs), wanted, strict=True):
        np.testing.assert_array_equal(have, want)


def check(
    program: kernel.ProgramOp,
    isa: Isa,
    inputs: Sequence[Array],
    agree: Agree = np.testing.assert_array_equal,
) -> Native:
    """
    The machine code, which agrees with the reference, by default to the last bit but for the sign of zero and the kind
    of NaN; what lies between elements of an output stays, and a read or write before or after any buffer ends this
    process. For an instruction set that this machine lacks, the program is compiled and not run.
    """
    native = Native(program, isa)
    if not isa.requires <= machine.host_features():
        return native
    judge = ProgramExecutor(program)
    with np.errstate(all="ignore"):
        wanted = judge.begin(inputs)
        for op in program.body.block.ops:
            wanted.step(op)
    for guard, turn in product(GUARDS, range(TURNS)):
        native.place(guard)
        native.context[CALLS] = turn
        native.run(inputs)
        for argument in program.output_args:
            have, want = native.buffers[argument], wanted.places[argument].memory
            agree(read(have, argument), read(want, argument))
            view(have, argument)[...] = view(want, argument)
            np.testing.assert_array_equal(have, want[: have.size], "between elements")
    return native
