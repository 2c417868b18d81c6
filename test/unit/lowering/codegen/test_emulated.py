"""The emulated CPU of AArch64 (`make aarch64`): it runs what is compiled for it, and accesses what this process may."""

import numpy as np
import pytest
from llvmlite import binding

from lowstream.lowering.codegen.compile import machine_of
from lowstream.lowering.machine import NEON_DOT
from lowstream.test.emulated.cpu import CPU, Library
from lowstream.test.emulated.target import TRIPLE
from lowstream.test.unit.lowering.codegen.native import Guard, buffer

pytestmark = pytest.mark.host

FUNCTIONS = """
@factor = constant <4 x i32> <i32 1, i32 10, i32 100, i32 1000>
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare i64 @expf(i64)
define i32 @scale(ptr %x) noinline {
  %factor = load <4 x i32>, ptr @factor
  %value = load <4 x i32>, ptr %x, align 4
  %product = mul <4 x i32> %value, %factor
  store <4 x i32> %product, ptr %x, align 4
  ret i32 -7
}
define i32 @twice(ptr %x) {
  call i32 @scale(ptr %x)
  %result = call i32 @scale(ptr %x)
  ret i32 %result
}
define i32 @clear(ptr %x, i64 %size) {
  call void @llvm.memset.p0.i64(ptr %x, i8 0, i64 %size, i1 false)
  ret i32 0
}
define i32 @other(i64 %x) {
  call i64 @expf(i64 %x)
  ret i32 0
}
"""


@pytest.fixture(scope="module")
def library() -> Library:
    binding.initialize_all_targets()
    binding.initialize_all_asmprinters()
    assembly = binding.parse_assembly(FUNCTIONS)
    return Library([machine_of(NEON_DOT, TRIPLE).emit_object(assembly)], [])


def test_it_computes_in_the_memory_of_this_process(library: Library):
    x = np.array([1, 2, 3, -4], np.int32)
    assert CPU.call(library["twice"], x.ctypes.data) == -7
    assert x.tolist() == [1, 200, 30000, -4000000]


def test_functions_of_the_c_library_run(library: Library):
    x = np.arange(1, 1 << 16)
    CPU.call(library["clear"], x.ctypes.data, x.nbytes - 8)
    assert x[-2:].tolist() == [0, (1 << 16) - 1]
    with pytest.raises(AssertionError, match="there is no function expf"):
        CPU.call(library["other"], 1)


@pytest.mark.parametrize(("guard", "beyond"), [("before", -4), ("after", 4)])
def test_closed_pages_are_closed(library: Library, guard: Guard, beyond: int):
    memory = buffer(16, guard)
    assert CPU.call(library["scale"], memory.ctypes.data) == -7
    with pytest.raises(AssertionError, match="may not access"):
        CPU.call(library["scale"], memory.ctypes.data + beyond)


def test_what_this_process_may_only_read_stays_so(library: Library):
    with pytest.raises(AssertionError, match="may not access"):
        CPU.call(library["scale"], _read_only())


def _read_only() -> int:
    """The address of a page that this process may only read."""
    with open("/proc/self/maps", encoding="utf-8") as file:
        line = next(line for line in file if " r--p " in line)
    return int(line.partition("-")[0], 16)
