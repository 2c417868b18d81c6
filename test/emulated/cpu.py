"""
An emulated CPU of AArch64: Unicorn (https://www.unicorn-engine.org), which is QEMU's.

It accesses the memory of this process at the same addresses. So the buffers of a test are those of its kernel, guard
pages included: what this process may not access, it may not either.
"""

from __future__ import annotations

import ctypes
import mmap
import threading
import weakref
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from unicorn import (
    UC_ARCH_ARM64,
    UC_HOOK_CODE,
    UC_HOOK_MEM_PROT,
    UC_HOOK_MEM_UNMAPPED,
    UC_MODE_ARM,
    UC_PROT_ALL,
    UC_PROT_READ,
    UC_PROT_WRITE,
)
from unicorn.arm64_const import (
    UC_ARM64_REG_CPACR_EL1,
    UC_ARM64_REG_LR,
    UC_ARM64_REG_PC,
    UC_ARM64_REG_SP,
    UC_ARM64_REG_X0,
    UC_CPU_ARM64_MAX,
)
from unicorn.unicorn import Uc, UcError

from lowstream.test.emulated.memory import address_of, maps
from lowstream.test.emulated.objects import LinkedObjects

PAGE = mmap.PAGESIZE
STACK = 8 << 20
NEAR = 4 << 20
"""Bytes before and behind an access that are mapped with it, where they are of one kind."""

VECTORS_ALLOWED = 3 << 20
"""The bits of the register CPACR_EL1 that allow vector instructions."""

RETURN = b"\xc0\x03\x5f\xd6"


def _libc_function(name: str) -> Callable[[int, int, int], int]:
    function = getattr(ctypes.CDLL(None), name)
    function.argtypes, function.restype = [ctypes.c_size_t] * 3, ctypes.c_size_t
    return function


FUNCTIONS = {
    name: _libc_function(name) for name in ("memcpy", "memmove", "memset", "clock_gettime")
}
"""What programs call of the C library. It runs on this machine's own CPU."""


class Cpu:
    """The CPU, its stack, and the functions of the C library."""

    def __init__(self) -> None:
        self._cpu: Any = Uc(UC_ARCH_ARM64, UC_MODE_ARM)
        self._cpu.ctl_set_cpu_model(UC_CPU_ARM64_MAX)
        self._cpu.reg_write(UC_ARM64_REG_CPACR_EL1, VECTORS_ALLOWED)
        self._stack = mmap.mmap(-1, STACK)
        self._returns = mmap.mmap(-1, PAGE)
        self._returns.write(RETURN * (PAGE // len(RETURN)))
        self._end = address_of(self._returns)
        self._called: list[str] = []
        self._kept: dict[int, int] = {}
        """Size by address of memory that stays mapped between calls: it has code."""
        self._mapped: dict[int, int] = {}
        self._fault = ""
        self._lock = threading.RLock()
        self.keep(self._end, PAGE)
        self._cpu.hook_add(UC_HOOK_MEM_UNMAPPED, self._map)
        self._cpu.hook_add(UC_HOOK_MEM_PROT, self._refuse)
        span = {"begin": self._end + len(RETURN), "end": self._end + PAGE - 1}
        self._cpu.hook_add(UC_HOOK_CODE, self._call_function, **span)

    def function(self, name: str) -> int:
        """The address of a function that is not in the object files."""
        if name not in self._called:
            self._called.append(name)
        return self._end + len(RETURN) * (1 + self._called.index(name))

    def keep(self, address: int, size: int) -> None:
        """Maps code."""
        with self._lock:
            self._cpu.mem_map_ptr(address, size, UC_PROT_ALL, address)
            self._kept[address] = size

    def drop(self, address: int) -> None:
        """Unmaps code."""
        with self._lock:
            self._cpu.mem_unmap(address, self._kept.pop(address))

    def call(self, function: int, *arguments: int) -> int:
        """
        Calls a function with at most eight words; gives its i32. One thread at a time does. Raises AssertionError where
        the function accesses what it may not, or calls what there is not.
        """
        with self._lock:
            self._fault = ""
            for number, argument in enumerate(arguments):
                self._cpu.reg_write(UC_ARM64_REG_X0 + number, argument)
            self._cpu.reg_write(UC_ARM64_REG_SP, address_of(self._stack) + STACK)
            self._cpu.reg_write(UC_ARM64_REG_LR, self._end)
            try:
                self._cpu.emu_start(function, self._end)
            except UcError as error:
                self._fault = f"{error}, at {self._cpu.reg_read(UC_ARM64_REG_PC):#x}: {self._fault}"
            finally:
                for address, size in self._mapped.items():
                    self._cpu.mem_unmap(address, size)
                self._mapped.clear()  # what lies there may be freed
            assert not self._fault, self._fault
            return ctypes.c_int32(self._cpu.reg_read(UC_ARM64_REG_X0)).value

    def _call_function(self, cpu: Any, address: int, size: int, data: object) -> None:
        name = self._called[(address - self._end) // len(RETURN) - 1]
        if name in FUNCTIONS:
            arguments = (cpu.reg_read(UC_ARM64_REG_X0 + number) for number in range(3))
            cpu.reg_write(UC_ARM64_REG_X0, FUNCTIONS[name](*arguments))
        else:
            self._fault = f"there is no function {name}"
            cpu.emu_stop()

    def _map(self, cpu: Any, access: int, at: int, size: int, value: int, data: object) -> bool:
        """Maps the memory of this process around an address, if the process has some there."""
        for low, high, rights in maps():
            if low <= at < high and rights[0] == "r":
                begin, end = max(low, (at & -PAGE) - NEAR), min(high, (at & -PAGE) + NEAR)
                for other, length in (*self._mapped.items(), *self._kept.items()):
                    if other + length <= at:
                        begin = max(begin, other + length)
                    elif other > at:
                        end = min(end, other)
                can_write = UC_PROT_WRITE if rights[1] == "w" else 0
                cpu.mem_map_ptr(begin, end - begin, UC_PROT_READ | can_write, begin)
                self._mapped[begin] = end - begin
                return True
        return self._refuse(cpu, access, at, size, value, data)

    def _refuse(self, cpu: Any, access: int, at: int, size: int, value: int, data: object) -> bool:
        self._fault = f"it may not access {size} bytes at {at:#x}"
        return False


CPU = Cpu()


class Library:
    """What `load.Library` is for this machine's CPU."""

    def __init__(self, objects: Iterable[bytes], symbols: Sequence[str]):
        linked = LinkedObjects(objects, CPU.function)
        self._addresses = linked.addresses
        CPU.keep(linked.base, len(linked.memory))
        weakref.finalize(self, _unload, linked).atexit = False

    def __getitem__(self, symbol: str) -> int:
        return self._addresses[symbol]


def _unload(linked: LinkedObjects) -> None:
    CPU.drop(linked.base)
    linked.memory.close()
