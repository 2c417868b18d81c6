"""
Emulated CPUs of x86-64 that this machine may not have: Bochs (https://bochs.sourceforge.io), through bochscpu-python.

Like that of AArch64 (`cpu`), one accesses the memory of this process at the same addresses, guard pages included.

bochscpu-python 0.4 reads twice the short displacement of `vpinsrb` in its EVEX encoding, which dense depthwise
convolutions of codes have on avx512_vnni: four of their `test_every_kind` fail for that.
"""

from __future__ import annotations

import ctypes
import mmap
import os
import struct
import sys
import threading
from importlib import import_module
from typing import Any

from lowstream.lowering.machine import AVX2, AVX512_VNNI, AVX_VNNI
from lowstream.test.emulated.memory import address_of, maps

MODELS = {
    AVX512_VNNI.name: "_Z29create_corei7_icelake_u_cpuidP8BX_CPU_C",
    AVX_VNNI.name: "_Z23create_arrow_lake_cpuidP8BX_CPU_C",
    AVX2.name: "_Z32create_corei7_haswell_4770_cpuidP8BX_CPU_C",
}
"""Bochs's function that makes a CPU which has just this instruction set."""

BUILT_IN = "_Z23create_corei3_cnl_cpuidP8BX_CPU_C"
"""The one that the package calls, always."""

JUMP = struct.Struct("<2sQ2s")
"""`movabs rax, address; jmp rax`"""

PAGE = mmap.PAGESIZE
REGION = 1 << 30
"""Bytes that one entry of the page tables maps."""

MOST_REGIONS = 1023
"""Physical addresses have 40 bits; region 0 has the page tables."""

TABLES = 64
"""Pages of page tables: one for each 512 GiB that are in use."""

PRESENT, LARGE = 7, 0x87

STACK = 8 << 20

BEGIN = b"\x0f\x08\xff\xd0\xf4"
"""`invd; call rax; hlt`: code that was there before is forgotten, then the function is called."""

ARGUMENTS = ("rdi", "rsi", "rdx", "rcx", "r8", "r9")

CODE_SEGMENT, DATA_SEGMENT = (0x10, 0x209B), (0x18, 0xC93)
"""Selectors and attributes, of a kernel's 64-bit code and of its data."""

VECTORS_IN_CR4 = 1 << 9 | 1 << 10 | 1 << 18
"""The bits OSFXSR, OSXMMEXCPT and OSXSAVE."""

AVX_STATES, AVX512_STATES = 0x7, 0xE7
"""XCR0 of a system that saves such registers."""

DEFAULT_MXCSR = 0x1F80


class Cpu:
    """A CPU with this instruction set."""

    def __init__(self, isa: str):
        self._bochs = _bochs(MODELS[isa])
        self._states = AVX512_STATES if isa == AVX512_VNNI.name else AVX_STATES
        self._tables = mmap.mmap(-1, TABLES * PAGE)
        for page in range(TABLES):
            self._bochs.memory.page_insert(page * PAGE, address_of(self._tables) + page * PAGE)
        self._regions: list[int] = [0]
        self._directories: list[int] = []
        self._memory: list[tuple[int, int, str]] = []
        self._inserted: set[int] = set()
        self._copies: dict[int, mmap.mmap] = {}
        """By address, what the CPU has instead of a page that this process may only read."""
        self._stack, self._nothing = mmap.mmap(-1, STACK), mmap.mmap(-1, PAGE)
        self._begin = mmap.mmap(-1, PAGE)
        self._begin.write(BEGIN)
        self._fault = ""
        self._lock = threading.RLock()
        self._session = self._bochs.Session()
        self._session.missing_page_handler = self._insert
        self._hook = self._bochs.Hook()
        self._hook.hlt = lambda session, cpu: session.stop()
        self._hook.exception = self._refuse

    def call(self, function: int, *arguments: int) -> int:
        """
        Calls a function with at most six words; gives its i32. One thread at a time does. Raises AssertionError where
        the function accesses what it may not, or has instructions that the CPU lacks.
        """
        with self._lock:
            self._fault = ""
            self._memory = list(maps())
            for low, high, rights in self._memory:
                if rights[0] == "r":
                    for region in range(low // REGION, -(-high // REGION)):
                        self._map(region)
            self._session.cpu.state = self._state(function, arguments)
            self._session.run([self._hook])
            for page in self._inserted:
                self._bochs.memory.page_remove(page)  # what lies there may be freed
            self._inserted.clear()
            for address, copy in self._copies.items():
                if copy[:] != ctypes.string_at(address, PAGE):
                    self._fault = self._fault or f"it may not write into memory at {address:#x}"
            self._copies.clear()
            assert not self._fault, self._fault
            return ctypes.c_int32(self._session.cpu.rax & 0xFFFFFFFF).value

    def _state(self, function: int, arguments: tuple[int, ...]) -> Any:
        """Registers in which a function begins."""
        state = self._bochs.State()
        self._bochs.cpu.set_long_mode(state)
        state.cr3, state.cr4, state.xcr0 = 0, state.cr4 | VECTORS_IN_CR4, self._states
        state.mxcsr, state.mxcsr_mask, state.rflags = DEFAULT_MXCSR, 0xFFFF, 2
        state.cs = self._segment(*CODE_SEGMENT)
        state.ds = state.es = state.ss = state.fs = state.gs = self._segment(*DATA_SEGMENT)
        state.rip, state.rsp = address_of(self._begin), address_of(self._stack) + STACK
        state.rax = function
        for name, argument in zip(ARGUMENTS, arguments, strict=False):
            setattr(state, name, argument)
        return state

    def _segment(self, selector: int, attributes: int) -> Any:
        segment = self._bochs.Segment()
        segment.present, segment.selector, segment.attr = True, selector, attributes
        segment.base, segment.limit = 0, 0xFFFFFFFF
        return segment

    def _map(self, region: int) -> None:
        """Gives a region of this process a physical address."""
        if region in self._regions:
            return
        physical, directory = len(self._regions), region >> 9
        assert physical <= MOST_REGIONS, "this process has memory in too many places"
        self._regions.append(region)
        if directory not in self._directories:
            self._directories.append(directory)
            self._write(0, directory, len(self._directories) * PAGE | PRESENT)
        table = 1 + self._directories.index(directory)
        self._write(table, region & 511, physical * REGION | LARGE)

    def _write(self, table: int, entry: int, value: int) -> None:
        struct.pack_into("<Q", self._tables, table * PAGE + 8 * entry, value)

    def _insert(self, physical: int) -> None:
        """Gives the CPU a page of this process, if the process has one there; else one of zeros, and the CPU stops."""
        page = physical & -PAGE
        address = self._regions[page // REGION] * REGION + page % REGION
        rights = next((rights for low, high, rights in self._memory if low <= address < high), "-")
        if rights[0] != "r":
            self._stop(f"it may not access memory at {address:#x}")
            place = address_of(self._nothing)
        elif rights[1] != "w":
            copy = self._copies[address] = mmap.mmap(-1, PAGE)
            copy.write(ctypes.string_at(address, PAGE))
            place = address_of(copy)
        else:
            place = address
        self._bochs.memory.page_insert(page, place)
        self._inserted.add(page)

    def _refuse(self, session: Any, cpu: int, vector: int, error: int) -> None:
        names = self._bochs.cpu.ExceptionType
        self._stop(f"{names(vector).name} ({error}) at {session.cpu.rip:#x}")

    def _stop(self, fault: str) -> None:
        self._fault = self._fault or fault
        self._session.stop()


def _bochs(model: str) -> Any:
    """The package, whose CPU is of this model from now on."""
    flags = sys.getdlopenflags()
    sys.setdlopenflags(os.RTLD_LAZY)  # glibc before 2.38 lacks functions that nobody calls
    try:
        bochs = import_module("bochscpu")
        for part in ("cpu", "memory"):
            import_module(f"bochscpu.{part}")
    finally:
        sys.setdlopenflags(flags)
    library = ctypes.CDLL(bochs._bochscpu.__file__)
    place, target = (_address_of(library, name) for name in (BUILT_IN, model))
    begin = place & -PAGE
    rights = mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC
    assert not ctypes.CDLL(None).mprotect(ctypes.c_void_p(begin), 2 * PAGE, rights)
    ctypes.memmove(place, JUMP.pack(b"\x48\xb8", target, b"\xff\xe0"), JUMP.size)
    return bochs


def _address_of(library: ctypes.CDLL, name: str) -> int:
    address = ctypes.cast(getattr(library, name), ctypes.c_void_p).value
    assert address
    return address
