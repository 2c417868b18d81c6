"""Light and small kernels: which they are, and that neither LLVM's level nor less code changes a result."""

import numpy as np
import pytest
from xdsl.dialects.builtin import f32, i8

from lowstream.dialects import kernel
from lowstream.lowering.codegen import ir, work
from lowstream.lowering.codegen.convolution.winograd import WinogradKernel
from lowstream.lowering.codegen.emitter import Emitter
from lowstream.lowering.codegen.emitters import emitters_of
from lowstream.lowering.codegen.functions import KernelFunctions
from lowstream.lowering.machine import Isa, choose_isa
from lowstream.test.unit.lowering.codegen.convolution import (
    test_convolution,
    test_depthwise,
    test_winograd,
)
from lowstream.test.unit.lowering.codegen.kernels import each_isa
from lowstream.test.unit.lowering.codegen.mat_mul import test_mat_mul
from lowstream.test.unit.lowering.codegen.native import Native, assembly_of, parse_program
from lowstream.test.unit.lowering.codegen.products import ProductCase

ISA = choose_isa()


def program(
    few: int = 16, many: int = 16 * work.LIGHT_PART, loop: str = "kernel.for 1"
) -> kernel.ProgramOp:
    """Copies a few floats in a loop, and many of twice their size."""
    short, long = f"memref<{few}xf32>", f"memref<{many}xf64>"
    return parse_program(
        f"""
        kernel.program @main inputs ["a", "b", "n", "c"] outputs ["x", "y"] states [] assigned [] inits [] {{
        ^bb0(%a: {short}, %b: {long}, %n: memref<i64>, %c: memref<i1>, %x: {short}, %y: {long}, %arena: memref<64xi8>):
          {loop} {{
          ^bb1(%i: index):
            kernel.copy %a to %x : {short} to {short}
          }}
          kernel.copy %b to %y : {long} to {long}
        }}
        """
    )


def light(found: kernel.ProgramOp) -> int:
    parts = work.parts_of_work(emitters_of(found, ISA), ISA).values()
    return sum(part * work.LIGHT_PART <= 1 for part in parts)


def test_a_kernel_with_a_small_part_of_the_work_is_light():
    assert light(program()) == 1


def test_one_with_a_larger_part_is_not():
    assert light(program(few=32)) == 0


def test_a_program_with_little_work_is_light(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(work, "LIGHT_WORK", 80)
    assert light(program(few=16, many=64)) == 2
    assert light(program(few=17, many=64)) == 0


def test_runs_count():
    """A loop does the same so often that it is a larger part."""
    assert light(program(loop="kernel.for 2")) == 0


def test_what_only_the_run_counts_is_not():
    loop = "kernel.while trip %n : memref<i64> start %c : memref<i1> next %c : memref<i1>"
    assert light(program(loop=loop)) == 0


def test_kernels_of_a_light_program_are_functions_of_its_module(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(work, "LIGHT_WORK", 80)
    *kernels, entry = assembly_of(program(many=64), ISA)
    assert not kernels
    assert entry.count("define weak_odr void @") == 2


def test_one_that_is_not_light_has_modules_of_kernels():
    *kernels, entry = assembly_of(program(), ISA)
    assert len(kernels) == 2
    assert "weak_odr" not in entry


@pytest.mark.host
def test_levels_have_functions_of_their_own():
    """A kernel that is light in one program is not taken from another one, in which it is not; others are."""
    *lighter, _ = assembly_of(program(), ISA)
    *heavier, _ = assembly_of(program(loop="kernel.for 2"), ISA)
    assert len(lighter) == 2
    assert len(heavier) == 2
    assert len(set(lighter) & set(heavier)) == 1


def test_assembly_counts_as_nothing():
    """A long product of one row does little but run its inner loop."""
    case = test_mat_mul.Case(rows=1, columns=16, depths=(1 << 16,))
    emitters = emitters_of(case.program(ISA), ISA)
    (found,) = emitters.values()
    part = work.parts_of_work(emitters, ISA)[found]
    assert (part * work.LIGHT_PART <= 1) == found.is_assembly(ISA)


CASES = [
    test_mat_mul.Case(rows=9, columns=40, depths=(37,)),
    test_mat_mul.Case(rows=1, columns=21, depths=(130,), kinds=((f32, f32),)),
    test_depthwise.Case(channels=37),
    test_depthwise.Case(channels=37, kind=(f32, f32)),
    test_winograd.Case(tile=4, positions=(9, 8), units=21, element=i8),
    test_winograd.Case(positions=(5, 4), units=21),
]


def test_a_small_kernel_has_less_code_of_the_same_level():
    case = test_convolution.Case(positions=(4, 28), taps=(1, 1), channels=16, units=16)
    (found,) = emitters_of(case.program(ISA), ISA).values()
    assert found.compact() != found

    def named(parts: dict[Emitter, float]) -> list[tuple[str, int]]:
        names = list[tuple[str, int]]()
        functions = KernelFunctions(
            ir.Module(), ISA, lambda name, level, _: names.append((name, level)), parts
        )
        functions.of(found)
        functions.of(found.compact())
        return names

    assert len(named({})) == 2
    assert named({found: 1 / found.small_part}) == [named({})[1]]
    assert named({found: 1.1 / found.small_part}) == named({})
    (light, _), _ = named({found: 1 / work.LIGHT_PART})
    assert light not in dict(named({}))


@each_isa
@pytest.mark.parametrize("case", CASES, ids=str)
def test_less_code_gives_the_same_bits(
    case: ProductCase, isa: Isa, monkeypatch: pytest.MonkeyPatch
):
    found = case.program(isa)
    inputs = case.inputs(found, isa)
    monkeypatch.setattr(work, "LIGHT_WORK", 0)
    wanted = Native(found, isa).run(inputs)
    for each in Emitter, WinogradKernel:
        monkeypatch.setattr(each, "small_part", 0)
    for have, want in zip(Native(found, isa).run(inputs), wanted, strict=True):
        np.testing.assert_array_equal(have, want)


@each_isa
@pytest.mark.parametrize("case", CASES, ids=str)
def test_levels_give_the_same_bits(case: ProductCase, isa: Isa, monkeypatch: pytest.MonkeyPatch):
    found = case.program(isa)
    inputs = case.inputs(found, isa)
    wanted = Native(found, isa).run(inputs)
    monkeypatch.setattr(work, "LIGHT_PART", 0)
    for have, want in zip(Native(found, isa).run(inputs), wanted, strict=True):
        np.testing.assert_array_equal(have, want)
