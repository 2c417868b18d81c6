"""
Code is loaded wherever there is room, also where a process has little left in any one place; what calls it may live
longer than it.
"""

import ctypes
import gc
import subprocess
import sys

import pytest

from lowstream import compile_model
from lowstream.lowering.codegen.load import LoadedProgram
from lowstream.test.unit.runtime import runtime_models

pytestmark = pytest.mark.host

SCRIPT = """
import ctypes, mmap
import lowstream
from lowstream.lowering.codegen.load import LoadedProgram

text = '''func.func @main(%x: tensor<40xf32>) -> tensor<40xf32> {
  %y = nn.exp %x : tensor<40xf32>
  func.return %y : tensor<40xf32>
}'''
open("model.mlir", "w").write(text)
compiled = lowstream.compile_model("model.mlir", num_threads=1)
executable = compiled.executable()

# Nothing is left in a block of memory and above it, but holes of 1, 2, 3 … pages, FAR from each other.
FAR, COUNT = 3 << 30, 15
libc = ctypes.CDLL(None, use_errno=True)
libc.mmap.restype = ctypes.c_void_p
libc.mmap.argtypes = [ctypes.c_void_p, *[ctypes.c_size_t] * 5]
libc.munmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t]

def reserve(size):
    flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x4000  # MAP_NORESERVE
    return libc.mmap(None, size, 0, flags, 2**64 - 1, 0)

block = reserve(COUNT * FAR)
size = FAR
while size >= mmap.PAGESIZE:
    if reserve(size) < block:
        size //= 2
for n in range(COUNT):
    libc.munmap(block + n * FAR, (COUNT - n) * mmap.PAGESIZE)
LoadedProgram(map(bytes, executable.objects))
"""


def test_sections_of_an_object_lie_together(tmp_path):
    found = subprocess.run(
        [sys.executable, "-P", "-c", SCRIPT],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert found.returncode == 0, found.stderr


def test_a_function_is_still_one_when_its_program_is_gone():
    executable = compile_model(runtime_models.module(runtime_models.SUMS)).executable()
    program = LoadedProgram(map(bytes, executable.objects), executable.threads)
    function = program.bind(ctypes.addressof(ctypes.c_int64()))
    del program
    reused = [bytes([0xFF]) * size for size in range(1, 256) for _ in range(100)]
    gc.collect()  # goes over the function
    assert function.__name__ == "entry" and reused
