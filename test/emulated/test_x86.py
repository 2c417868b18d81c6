"""Emulated CPUs of x86-64 (`make x86`): one has its instructions and no others, and accesses what this process may."""

from collections.abc import Sequence

import numpy as np
import pytest
from llvmlite import binding

from lowstream.lowering.codegen.compile import machine_of
from lowstream.lowering.codegen.load import Library
from lowstream.lowering.machine import AVX2, AVX512_VNNI, AVX_VNNI, Isa, choose_isa
from lowstream.test.emulated.target import emulate
from lowstream.test.unit.lowering.codegen.native import Guard, buffer

CALL = emulate()

DOT = """
declare <8 x i32> @llvm.x86.avx512.vpdpbusd.256(<8 x i32>, <32 x i8>, <32 x i8>)
define i32 @entry(ptr %x) {
  %value = load <8 x i32>, ptr %x, align 4
  %bytes = bitcast <8 x i32> %value to <32 x i8>
  %sums = call <8 x i32> @llvm.x86.avx512.vpdpbusd.256(<8 x i32> %value, <32 x i8> %bytes, <32 x i8> %bytes)
  store <8 x i32> %sums, ptr %x, align 4
  ret i32 -7
}
"""

INCREMENT = """
define i32 @entry(ptr %x) {
  %value = load <16 x i32>, ptr %x, align 4
  %next = add <16 x i32> %value, splat (i32 NUMBER)
  store <16 x i32> %next, ptr %x, align 4
  ret i32 NUMBER
}
"""

AS_MANY = 16


def library(assembly: str, isa: Isa) -> Library:
    return Library([machine_of(isa).emit_object(binding.parse_assembly(assembly))], ["entry"])


def run(code: Library, *arguments: int) -> int:
    return CALL(code["entry"], *arguments)


def test_it_computes_in_the_memory_of_this_process():
    x = np.arange(-8, 8, dtype=np.int32)
    assert run(library(INCREMENT.replace("NUMBER", "3"), choose_isa()), x.ctypes.data) == 3
    assert x.tolist() == list(range(-5, 11))


def test_code_that_was_at_an_address_is_forgotten():
    x = np.zeros(AS_MANY, np.int32)
    for number in range(1, 20):
        code = library(INCREMENT.replace("NUMBER", str(number)), choose_isa())
        assert run(code, x.ctypes.data) == number
    assert set(x.tolist()) == {190}


def test_it_has_no_other_instructions():
    x = np.full(8, 0x01020304, np.int32)
    has_dot: Sequence[Isa] = (AVX512_VNNI, AVX_VNNI)
    for isa in has_dot:
        code = library(DOT, isa)
        if isa is choose_isa():
            assert run(code, x.ctypes.data) == -7
            assert x.tolist() == [0x01020304 + 1 + 4 + 9 + 16] * 8
        else:
            with pytest.raises(AssertionError, match="InvalidOpcode"):
                run(code, x.ctypes.data)


@pytest.mark.parametrize(("guard", "beyond"), [("before", -4), ("after", 4)])
def test_closed_pages_are_closed(guard: Guard, beyond: int):
    code = library(INCREMENT.replace("NUMBER", "1"), AVX2)
    memory = buffer(4 * AS_MANY, guard)
    assert run(code, memory.ctypes.data) == 1
    with pytest.raises(AssertionError, match="may not access"):
        run(code, memory.ctypes.data + beyond)


def test_what_this_process_may_only_read_stays_so():
    code = library(INCREMENT.replace("NUMBER", "1"), AVX2)
    with open("/proc/self/maps", encoding="utf-8") as file:
        line = next(line for line in file if " r--p " in line)
    with pytest.raises(AssertionError, match="may not write"):
        run(code, int(line.partition("-")[0], 16))
