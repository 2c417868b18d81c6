"""
Links object files into this process: ELF files for x86-64 with position-independent code, as LLVM writes them.

LLVM has a linker of its own, but a model from the cache runs before LLVM would even be loaded. The format is that of
https://refspecs.linuxfoundation.org/elf/gabi4+/contents.html, the relocations those of
https://gitlab.com/x86-psABIs/x86-64-ABI. All sections lie in one block, so that code reaches its constants by 32-bit
distances. Code, constants and writable data have pages of their own. Unwind tables are left out: nothing is thrown
through this code.
"""

from __future__ import annotations

import ctypes
import mmap
import os
import platform
import struct
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import cache

IS_HOST = sys.platform == "linux" and platform.machine() == "x86_64"
"""Whether this process can run what is linked here."""

FILE = struct.Struct("<4sBB10xHH20xQ12xH2x")
"""The file header: magic, class, byte order; type, machine; offset, size and number of the section headers."""

RELOCATABLE_X86_64 = (b"\x7fELF", 2, 1, 1, 62)

SECTION = struct.Struct("<4xIQ8xQQIIQ8x")
"""A section header: type, flags, offset in the file, size, two linked sections, alignment."""

SYMBOL = struct.Struct("<IBxHQ8x")
"""A symbol: offset of its name, binding and type, its section, its offset in that."""

RELOCATION = struct.Struct("<QIIq")
"""A relocation: offset in the section, type, number of the symbol, addend."""

SYMBOLS, RELOCATIONS, ZEROS, UNWINDING = 2, 4, 8, 0x70000001
"""Types of sections."""

WRITE, ALLOCATED, EXECUTE = 1, 2, 4
"""Flags of sections; only those that are allocated occupy memory."""

PROTECTIONS = {
    EXECUTE: mmap.PROT_READ | mmap.PROT_EXEC,
    0: mmap.PROT_READ,
    WRITE: mmap.PROT_READ | mmap.PROT_WRITE,
}
"""The protection of pages by the flags of their sections, in the order in which these lie."""

WORD64, PC32, PLT32 = 1, 2, 4
"""Types of relocations: an address, a distance from here, and the distance to what is called."""

STUB = b"\xff\x25\x00\x00\x00\x00"
"""`jmp *(%rip)`: jumps to the address behind it, which a 32-bit distance may not reach."""


class UnknownRelocationError(Exception):
    """An object has a relocation that this linker does not know."""


class LinkedObjects:
    """
    Object files in memory: `addresses` has what they define, `external` gives the functions that they do not. Raises
    UnknownRelocationError where LLVM's linker is needed.

    `release` unmaps them. The end of the process does not, since threads may run in them until then.
    """

    def __init__(self, objects: Iterable[bytes], external: Callable[[str], int]):
        parsed = [_Object(code) for code in objects]
        defined = {name for code in parsed for name in code.defined}
        missing = sorted({name for code in parsed for name in code.missing} - defined)
        image, groups = bytearray(), list[tuple[int, int, int]]()
        places = dict[str, int]()
        for flags, protection in PROTECTIONS.items():
            begin = len(image)
            for code in parsed:
                code.append_to(image, flags)
            if flags == EXECUTE:
                for name in missing:
                    places[name] = len(image)
                    image += STUB + external(name).to_bytes(8, "little")
            image += bytes(-len(image) % mmap.PAGESIZE)
            groups.append((begin, len(image) - begin, protection))
        for code in parsed:
            places.update(
                {name: code.places[number] + at for name, (number, at) in code.defined.items()}
            )
        self._size = len(image)
        self._base = _checked(_libc().mmap(None, self._size, *_NEW_MEMORY, -1, 0))
        for code in parsed:
            code.relocate(image, places, self._base)
        ctypes.memmove(self._base, bytes(image), self._size)
        for begin, size, protection in groups:
            if size:  # emulators refuse to protect nothing
                _checked(_libc().mprotect(self._base + begin, size, protection))
        self.addresses = {name: self._base + places[name] for name in defined}

    def release(self) -> None:
        """Unmaps the objects."""
        _libc().munmap(self._base, self._size)


class _Object:
    """
    An object file. `defined` gives section and offset of the symbols that others see, `missing` the names of symbols
    that others must define, `places` where each section lies in the image.
    """

    def __init__(self, code: bytes):
        *kind, table, count = FILE.unpack_from(code)
        assert tuple(kind) == RELOCATABLE_X86_64, "no object file of this machine"
        self._code, self.places = code, dict[int, int]()
        self._sections: list[tuple[int, ...]] = list(
            SECTION.iter_unpack(code[table : table + count * 64])
        )
        self._symbols: list[tuple[str, int, int]] = []
        self.defined: dict[str, tuple[int, int]] = {}
        for kind, _, begin, size, names, *_ in self._sections:
            if kind == SYMBOLS:
                for name, info, section, offset in SYMBOL.iter_unpack(code[begin : begin + size]):
                    self._add_symbol(self._string(names, name), info >> 4, section, offset)
        self.missing = {name for name, section, _ in self._symbols if name and section == 0}
        self._relocations = list(self._read_relocations())

    def _add_symbol(self, name: str, binding: int, section: int, offset: int) -> None:
        self._symbols.append((name, section, offset))
        if binding and section:
            self.defined[name] = section, offset

    def _string(self, table: int, offset: int) -> str:
        begin = self._sections[table][2] + offset
        return self._code[begin : self._code.index(b"\0", begin)].decode()

    def _read_relocations(self) -> Iterator[tuple[int, int, int, int, int]]:
        """The relocations of sections that occupy memory: section, offset, type, symbol, addend."""
        for kind, _, begin, size, _, target, _ in self._sections:
            if kind == RELOCATIONS and _is_placed(self._sections[target]):
                for place, how, symbol, addend in RELOCATION.iter_unpack(
                    self._code[begin : begin + size]
                ):
                    if how not in (WORD64, PC32, PLT32):
                        raise UnknownRelocationError(f"type {how}")
                    yield target, place, how, symbol, addend

    def append_to(self, image: bytearray, flags: int) -> None:
        """Appends the sections of these flags to an image."""
        for number, (kind, own, begin, size, _, _, alignment) in enumerate(self._sections):
            if _is_placed((kind, own)) and own & (WRITE | EXECUTE) == flags:
                image += bytes(-len(image) % max(alignment, 1))
                self.places[number] = len(image)
                image += bytes(size) if kind == ZEROS else self._code[begin : begin + size]

    def relocate(self, image: bytearray, places: dict[str, int], base: int) -> None:
        """Writes addresses and distances into an image that will lie at `base`."""
        for section, offset, how, symbol, addend in self._relocations:
            name, home, at = self._symbols[symbol]
            target = addend + (self.places[home] + at if home else places[name])
            place = self.places[section] + offset
            if how == WORD64:
                image[place : place + 8] = (base + target).to_bytes(8, "little")
            else:
                image[place : place + 4] = (target - place).to_bytes(4, "little", signed=True)


def _is_placed(section: tuple[int, ...]) -> bool:
    kind, flags, *_ = section
    return bool(flags & ALLOCATED) and kind != UNWINDING


# --- the system's calls ---------------------------------------------------------------------

_NEW_MEMORY = (mmap.PROT_READ | mmap.PROT_WRITE, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)


@cache
def _libc() -> ctypes.CDLL:
    """The C library. It is not `ctypes.pythonapi`, whose calls hold the interpreter's lock."""
    libc = ctypes.CDLL(None, use_errno=True)
    word, number = ctypes.c_size_t, ctypes.c_int
    libc.mmap.argtypes = [ctypes.c_void_p, word, number, number, number, ctypes.c_int64]
    libc.mmap.restype = ctypes.c_ssize_t
    libc.mprotect.argtypes = [ctypes.c_void_p, word, number]
    libc.munmap.argtypes = [ctypes.c_void_p, word]
    return libc


def _checked(result: int) -> int:
    """Raises OSError where a call has failed."""
    if result == -1:
        number = ctypes.get_errno()
        raise OSError(number, f"no memory for machine code: {os.strerror(number)}")
    return result


def address_in_process(name: str) -> int:
    """The address of a function of this process's libraries. Raises AttributeError where there is none."""
    address = ctypes.cast(getattr(_libc(), name), ctypes.c_void_p).value
    assert address is not None
    return address
