"""
Links object files of AArch64 into memory of this process, at whose addresses an emulated CPU runs them. Relocations:
https://github.com/ARM-software/abi-aa/blob/main/aaelf64/aaelf64.rst
"""

from __future__ import annotations

import mmap
import struct
from collections.abc import Callable, Iterable, Mapping

from lowstream.lowering.codegen import link
from lowstream.test.emulated.memory import address_of

RELOCATABLE_AARCH64 = (b"\x7fELF", 2, 1, 1, 183)

WORD64, DISTANCE32, JUMP26, CALL26 = 257, 261, 282, 283

PAGE21 = (275, 311)
"""Distances of pages, in two parts of an instruction."""

LOW12 = {277: 0, 278: 0, 284: 1, 285: 2, 286: 3, 299: 4, 312: 3}
"""The low 12 bits of an address, and by how many bits an instruction shifts them."""

INDIRECT = (311, 312)
"""Relocations that refer to a word which holds the address: those of the global offset table."""

VENEER = struct.Struct("<IIQ")
LOAD_X16, JUMP_TO_X16 = 0x58000050, 0xD61F0200
"""`ldr x16, .+8` and `br x16`: a jump to the address behind them, which 26 bits of distance may not reach."""


class LinkedObjects:
    """Object files in memory: `addresses` has what they define; `external` gives what they do not."""

    def __init__(self, objects: Iterable[bytes], external: Callable[[str], int]):
        parsed = [_Object(code) for code in objects]
        self._image = bytearray()
        for each in parsed:
            each.append_to(self._image)
        defined = {name: place for each in parsed for name, place in each.defined.items()}
        missing = {name for each in parsed for name in each.missing} - defined.keys()
        veneers = {
            name: self._append(VENEER.pack(LOAD_X16, JUMP_TO_X16, external(name)))
            for name in sorted(missing)
        }
        places = defined | veneers
        words = {name: self._append(bytes(8)) for name in sorted(places)}
        self.memory = mmap.mmap(-1, -(-len(self._image) // mmap.PAGESIZE) * mmap.PAGESIZE)
        self.base = address_of(self.memory)
        for name, word in words.items():
            _relocate(self._image, word, WORD64, self.base + places[name], self.base + word)
        for each in parsed:
            each.relocate(self._image, places, words, self.base)
        self.memory.write(self._image)
        self.addresses = {name: self.base + place for name, place in defined.items()}

    def _append(self, data: bytes) -> int:
        self._image += bytes(-len(self._image) % VENEER.size)
        place = len(self._image)
        self._image += data
        return place


class _Object:
    """An object file; `defined` has the places of its symbols in the image, once it was appended."""

    def __init__(self, code: bytes):
        *kind, table, count = link.FILE.unpack_from(code)
        assert tuple(kind) == RELOCATABLE_AARCH64, "no object file of AArch64"
        self._code, self._places = code, dict[int, int]()
        self._sections = list(link.SECTION.iter_unpack(code[table : table + 64 * count]))
        (self._symbols,) = (
            [
                (self._string(names, name), info >> 4, section, at)
                for name, info, section, at in link.SYMBOL.iter_unpack(code[begin : begin + size])
            ]
            for kind, _, begin, size, names, *_ in self._sections
            if kind == link.SYMBOLS
        )
        self.missing = {name for name, _, section, _ in self._symbols if name and not section}

    def _string(self, table: int, offset: int) -> str:
        begin = self._sections[table][2] + offset
        return self._code[begin : self._code.index(b"\0", begin)].decode()

    @property
    def defined(self) -> dict[str, int]:
        return {
            name: self._places[section] + at
            for name, is_global, section, at in self._symbols
            if is_global and section
        }

    def append_to(self, image: bytearray) -> None:
        """Appends the sections that occupy memory to an image."""
        for number, (kind, flags, begin, size, _, _, alignment) in enumerate(self._sections):
            if flags & link.ALLOCATED:
                image += bytes(-len(image) % max(alignment, 1))
                self._places[number] = len(image)
                image += bytes(size) if kind == link.ZEROS else self._code[begin : begin + size]

    def relocate(
        self, image: bytearray, places: Mapping[str, int], words: Mapping[str, int], base: int
    ) -> None:
        """Writes addresses and distances into an image that will lie at `base`; `words` are those of the table."""
        for kind, _, begin, size, _, target, _ in self._sections:
            if kind == link.RELOCATIONS and target in self._places:
                for offset, how, symbol, addend in link.RELOCATION.iter_unpack(
                    self._code[begin : begin + size]
                ):
                    name, _, section, at = self._symbols[symbol]
                    if how in INDIRECT:
                        place = words[name]
                    elif section:
                        place = self._places[section] + at
                    else:
                        place = places[name]
                    here = self._places[target] + offset
                    _relocate(image, here, how, base + place + addend, base + here)


def _relocate(image: bytearray, place: int, how: int, target: int, here: int) -> None:
    """Writes an address, or its distance from `here`, into the word or the instruction at a place."""
    if how == WORD64:
        struct.pack_into("<Q", image, place, target)
        return
    if how == DISTANCE32:
        struct.pack_into("<i", image, place, target - here)
        return
    (instruction,) = struct.unpack_from("<I", image, place)
    if how in PAGE21:
        pages = (target >> 12) - (here >> 12)
        instruction |= (pages & 3) << 29 | (pages >> 2 & 0x7FFFF) << 5
    elif how in (JUMP26, CALL26):
        instruction |= target - here >> 2 & 0x3FFFFFF
    else:
        instruction |= (target & 0xFFF) >> LOW12[how] << 10
    struct.pack_into("<I", image, place, instruction)
