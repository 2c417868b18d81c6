"""Programs that several threads run: each kernel divided, states, loops, cancelling and counting."""

from __future__ import annotations

import ctypes
import re
import threading
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from xdsl.dialects.builtin import f32, i8
from xdsl.ir import Block, SSAValue

from lowstream.dialects import kernel
from lowstream.lowering.calling_convention import (
    CANCEL,
    CLAIMED,
    EPOCH_SHIFT,
    MAILBOX,
    PARKED,
    POOL_BYTES,
    QUIT,
    STAMPS_WORDS,
    WORD,
    mailbox,
)
from lowstream.lowering.codegen import work
from lowstream.lowering.lower_to_kernels import lower
from lowstream.lowering.machine import choose_isa
from lowstream.reference.program import ProgramExecutor
from lowstream.test.unit.lowering.codegen.convolution import test_depthwise, test_winograd
from lowstream.test.unit.lowering.codegen.kernels import program_of
from lowstream.test.unit.lowering.codegen.mat_mul import test_mat_mul
from lowstream.test.unit.lowering.codegen.native import Native, assembly_of, parse_program
from lowstream.test.unit.lowering.codegen.test_dependences import DECIDING
from lowstream.test.unit.lowering.codegen.test_program import COUNTER, LOOP
from lowstream.test.unit.lowering.graphs import Model, models

pytestmark = pytest.mark.host

ISA = choose_isa()

LOOPED = 3
"""Runs of kernels that are counted, in a call of LOOP."""


@pytest.fixture(autouse=True, scope="module")
def _divided() -> Iterator[None]:
    """Every kernel is divided, however small."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(work, "SPLIT_WORK", 1)
        patch.setattr(work, "THREADS_WORK", 1)
        yield


PRODUCTS = [
    test_mat_mul.Case(rows=1, columns=400, depths=(30,)),
    test_mat_mul.Case(rows=1, columns=40, depths=(30,)),
    test_mat_mul.Case(rows=99, columns=40, depths=(30, 7), kinds=((i8, i8),) * 2),
    test_mat_mul.Case(rows=47, columns=17, depths=(9,), kinds=((f32, f32),), packed=False),
    test_mat_mul.Case(batch=(9,), rows=5, columns=40, depths=(5,), batched_b=True),
    test_mat_mul.Case(batch=(3,), rows=30, columns=20, depths=(5,), batched_b=True),
]
WINDOWS = [
    test_depthwise.Case(2, (9, 7), 100),
    test_depthwise.Case(1, (1, 1), 3),
    test_depthwise.Case(1, (3, 3), 16, 2, kind=(f32, f32), packed=False),
]


@pytest.mark.parametrize("case", [*PRODUCTS, *WINDOWS], ids=str)
def test_shares_are_everything(case: test_mat_mul.Case | test_depthwise.Case):
    """As many bits as one thread writes, and the same ones, also where there is little to share."""
    program = case.program(ISA)
    inputs = case.inputs(program, ISA)
    wanted = Native(program, ISA).run(inputs)
    for threads in (2, 3, 5):
        native = Native(program, ISA, threads=threads)
        assert native.threads == threads
        for have, want in zip(native.run(inputs), wanted, strict=True):
            np.testing.assert_array_equal(have, want)


@settings(max_examples=25, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(model=models())
def test_results_do_not_depend_on_threads(model: Model):
    program = lower(model.module, ISA.name)
    natives = [Native(program, ISA, threads=threads) for threads in (1, 2, 3)]
    for seed in range(2):
        wanted, *others = (native.run(model.feeds(seed)) for native in natives)
        for found in others:
            for have, want in zip(found, wanted, strict=True):
                np.testing.assert_array_equal(have, want)
        for native in natives[1:]:
            for name, state in natives[0].states.items():
                np.testing.assert_array_equal(native.states[name], state)


@pytest.mark.parametrize("text", [COUNTER, LOOP], ids=["states", "loop"])
def test_states_and_loops(text: str):
    program = parse_program(text)
    native, judge = Native(program, ISA, threads=2), ProgramExecutor(program)
    for step in range(200):
        shape = kernel.shaped(program.input_args[0]).get_shape()
        x = np.full(shape, step % 7, np.float32)
        for have, want in zip(native.run([x]), judge.run([x]), strict=True):
            np.testing.assert_array_equal(have, want)
        for name, value in judge.states.items():
            np.testing.assert_array_equal(native.states[name], value)


@pytest.mark.parametrize("count", [0, 1, 4])
@pytest.mark.parametrize("go", [True, False])
def test_decisions(count: int, go: bool):
    program = parse_program(DECIDING)
    native, judge = Native(program, ISA, threads=3), ProgramExecutor(program)
    inputs = [np.arange(5, dtype=np.float32), np.array(count), np.array(go)]
    for _ in range(20):
        for have, want in zip(native.run(inputs), judge.run(inputs), strict=True):
            np.testing.assert_array_equal(have, want)


def test_cancelling():
    """All threads leave, the states stay as they were, and the next call runs again."""
    native = Native(parse_program(LOOP), ISA, threads=3)
    native.run([np.ones((3, 5), np.float32)])
    before = native.states["h"]
    for _ in range(20):
        native.context[0] = 1
        assert native.call() == 1
        np.testing.assert_array_equal(native.states["h"], before)
    native.context[0] = 0
    assert native.call() == 0
    assert (native.states["h"] == 2 * before).all()


def test_cancelling_from_another_thread():
    """Whenever the request comes, nobody waits for a thread that has left."""
    text = LOOP.replace("kernel.for 3", "kernel.for 1000000").replace(" step 20", " step 0")
    native = Native(parse_program(text.replace(" step -20", " step 0")), ISA, threads=3)
    statuses: list[int] = []
    for _ in range(5):
        native.context[0] = 0
        caller = threading.Thread(target=lambda: statuses.append(native.call()))
        caller.start()
        native.context[0] = 1
        caller.join()
    assert statuses == [1] * 5


def test_each_thread_stamps_what_it_runs():
    """Counts start anew in every call, also of threads that did not join."""
    native = Native(parse_program(LOOP), ISA, profiling=True, threads=3)
    for _ in range(3):
        for thread in range(3):
            native.stamps[thread * STAMPS_WORDS] = 77
        native.run([np.ones((3, 5), np.float32)])
        counts = [native.stamps[thread * STAMPS_WORDS] for thread in range(native.threads)]
        assert sum(counts) >= LOOPED
        assert all(count <= LOOPED for count in counts)


def without_workers(native: Native, words: Sequence[int]) -> Any:
    """A pool whose mailboxes hold these words, and nobody serves them; native code finds it in the next frames."""
    memory = (ctypes.c_int64 * ((POOL_BYTES + MAILBOX) // WORD))()
    start = -ctypes.addressof(memory) % MAILBOX // WORD
    memory[start] = len(words)
    for number, word in enumerate(words):
        memory[start + mailbox(number) // WORD] = word
    native.pool_address = ctypes.addressof(memory) + start * WORD
    return lambda: [memory[start + mailbox(number) // WORD] for number in range(len(words))]


def test_nobody_waits_for_a_thread_that_comes_late():
    """Its work is done by others, and its mailbox is free afterwards, in a later epoch."""
    program = parse_program(LOOP)
    x = np.arange(15, dtype=np.float32).reshape(3, 5)
    wanted = Native(program, ISA).run([x])
    native = Native(program, ISA, threads=3)
    begun = 7 << EPOCH_SHIFT
    words = without_workers(native, [PARKED | begun, begun])
    for have, want in zip(native.run([x]), wanted, strict=True):
        np.testing.assert_array_equal(have, want)
    after = words()
    assert all(word & ~PARKED == word >> EPOCH_SHIFT << EPOCH_SHIFT for word in after)
    assert all(word > begun for word in after)


@pytest.mark.parametrize("bit", [CLAIMED, QUIT])
def test_workers_of_others_are_left_alone(bit: int):
    native = Native(parse_program(LOOP), ISA, threads=2)
    words = without_workers(native, [bit])
    native.run([np.ones((3, 5), np.float32)])
    assert words() == [bit]


def test_what_was_shared_is_taken_back_from_a_call_that_is_cancelled():
    native = Native(parse_program(LOOP), ISA, threads=2)
    words = without_workers(native, [0])
    native.context[CANCEL] = 1
    assert native.call() == 1
    assert words()[0] % (1 << EPOCH_SHIFT) == 0


def test_one_thread_meets_nobody():
    """What is compiled for one thread knows nothing of others."""
    program = parse_program(COUNTER)
    assert "team" not in "".join(assembly_of(program, ISA))
    assert "team" in assembly_of(program, ISA, threads=2)[-1]


def test_kernels_of_one_function_have_scratch_memory_of_their_own_sizes():
    """A thread's begins where those of the threads before it end."""
    programs = [
        test_winograd.Case(positions=(8, 8), channels=channels, rows=rows).program(ISA)
        for channels, rows in ((32, 2), (64, 9))
    ]

    def make(block: Block, ins: Sequence[SSAValue], outs: Sequence[SSAValue]) -> None:
        for program in programs:
            (op,) = program.body.block.ops
            mine = dict(zip(program.input_args, ins, strict=False))
            mine |= dict(zip(program.output_args, outs, strict=False))
            ins, outs = ins[len(program.input_args) :], outs[len(program.output_args) :]
            block.add_op(op.clone(mine))

    ins = [value.type for program in programs for value in program.input_args]
    outs = [value.type for program in programs for value in program.output_args]
    *kernels, entry = assembly_of(program_of(ins, outs, make), ISA, threads=2)
    assert sum("define weak_odr void @WinogradKernel" in text for text in kernels) == 1
    assert "job.1" in entry


def test_small_programs_stay_alone(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(work, "THREADS_WORK", 10**9)
    assert Native(parse_program(COUNTER), ISA, threads=4).threads == 1


@pytest.mark.parametrize(("threads", "leaves"), [(1, [2]), (2, [2, 1, 1])], ids=["alone", "team"])
def test_whoever_flushes_denormals_stops_where_it_leaves(threads: int, leaves: list[int]):
    """The entry, done or cancelled, and each job. Others have such a flag in FPCR."""
    program = parse_program(COUNTER.replace("] {", "] flush_denormals {", 1))
    entry = assembly_of(program, ISA, threads=threads)[-1]
    functions = [text for text in entry.split("define ") if re.search(r"call.*(mxcsr|fpcr)", text)]
    sets = [
        len(re.findall(r"call void @llvm[.]\S*(ldmxcsr|set[.]fpcr)", text)) for text in functions
    ]
    assert sorted(sets, reverse=True) == [1 + count for count in leaves]
    assert not re.search(
        "mxcsr|fpcr", assembly_of(parse_program(COUNTER), ISA, threads=threads)[-1]
    )
