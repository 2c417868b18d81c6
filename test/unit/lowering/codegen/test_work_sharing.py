"""How kernels are cut into pieces, and where programs look whether they are to stop."""

from __future__ import annotations

import numpy as np
import pytest

from lowstream.lowering.calling_convention import CANCEL, CANCELLED, DONE, MOST_SHARED
from lowstream.lowering.codegen import work
from lowstream.lowering.codegen.entry import entry
from lowstream.lowering.codegen.schedule import work_sharing
from lowstream.lowering.codegen.schedule.work_sharing import (
    PIECE_WORK,
    UNIT_WORK,
    UNITS,
    WorkSharing,
    pieces,
)
from lowstream.lowering.machine import choose_isa
from lowstream.test.unit.lowering.codegen.mat_mul import test_mat_mul
from lowstream.test.unit.lowering.codegen.native import Native, parse_program
from lowstream.test.unit.lowering.codegen.test_program import add

ISA = choose_isa()


@pytest.mark.parametrize("work", [0, 1, UNIT_WORK, 10 * UNIT_WORK, PIECE_WORK, 100 * PIECE_WORK])
@pytest.mark.parametrize("threads", [1, 2, 7, 256])
def test_units(work: int, threads: int):
    sharing = WorkSharing.choose(work, threads)
    assert threads <= sharing.units <= MOST_SHARED
    assert sharing.units <= max(threads, UNITS * threads, -(-work // PIECE_WORK))
    assert sharing.units >= min(-(-work // PIECE_WORK), MOST_SHARED)
    assert sharing.most == 1 or sharing.most * work <= PIECE_WORK * sharing.units
    assert not work or (sharing.most + 1) * work > PIECE_WORK * sharing.units


@pytest.mark.parametrize("least", [1, 2, UNITS, UNITS + 1])
def test_pieces_of_one_thread(least: int):
    for found in (least * PIECE_WORK, (least - 1) * PIECE_WORK + 1):
        assert pieces(found, is_prepared=True) == least
        assert pieces(found, is_prepared=False) >= max(least, min(UNITS, found // UNIT_WORK))


STOPPED = f"""
kernel.program @main inputs ["stop", "x"] outputs ["asked", "y"] states ["h"] assigned [true]
    inits [#nn.blob<dense<1.0> : tensor<5xf32>>] {{
^bb0(%stop: memref<i64>, %x: memref<5xf32>, %asked: memref<i64>, %y: memref<5xf32>,
     %h: memref<5xf32>, %next: memref<5xf32>, %arena: memref<0xi8>):
  kernel.copy %stop to %asked : memref<i64> to memref<i64>
  {add("%x", "%h", "%next")}
  kernel.copy %next to %y : memref<5xf32> to memref<5xf32>
}}
"""
"""`asked` is going to be the place where a call is asked to stop."""


@pytest.mark.parametrize("threads", [1, 2])
def test_a_long_program_looks_between_kernels(threads: int, monkeypatch: pytest.MonkeyPatch):
    """Asked while its first kernel runs, it ends before the second; the state stays as it was."""
    program = parse_program(STOPPED)
    longest = max(work.work(op) for op in program.walk())
    for module in (work, work_sharing, entry):
        monkeypatch.setattr(module, "PIECE_WORK", longest)
    for name in ("SPLIT_WORK", "THREADS_WORK"):
        monkeypatch.setattr(work, name, 1)
    native = Native(program, ISA, threads=threads)
    x = np.ones(5, np.float32)
    native.run([np.array(0), x])
    before = native.states["h"]
    *_, y = native.program.output_args
    native.set(y, np.full(5, 77, np.float32))
    native.tables[1][0] = native.address_of_context(CANCEL)
    native.set(native.program.input_args[0], np.array(1))
    assert native.call() == CANCELLED
    np.testing.assert_array_equal(native.states["h"], before)
    np.testing.assert_array_equal(native.get(y), np.full(5, 77, np.float32))
    native.context[CANCEL] = 0
    native.set(native.program.input_args[0], np.array(0))
    assert native.call() == DONE
    np.testing.assert_array_equal(native.states["h"], before + x)


def test_short_programs_do_not_look():
    program = parse_program(STOPPED)
    assert not work.cancellation_points(program)


def test_a_long_kernel_is_done_in_pieces(monkeypatch: pytest.MonkeyPatch):
    """The same bits as at once."""
    case = test_mat_mul.Case(rows=99, columns=40, depths=(37,))
    program = case.program(ISA)
    inputs = case.inputs(program, ISA)
    wanted = Native(program, ISA).run(inputs)
    for module in (work, work_sharing, entry):
        monkeypatch.setattr(module, "PIECE_WORK", 10_000)
    (op, *_) = (op for op in program.walk() if work.work(op))
    assert WorkSharing.choose(work.work(op), 1).units > 1
    for have, want in zip(Native(program, ISA).run(inputs), wanted, strict=True):
        np.testing.assert_array_equal(have, want)
