"""
An executable as bytes: what the cache keeps and pickle carries.

They are a safetensors file, so that others can look inside: the tensors `weights` (first, and aligned, since it is
used where it is mapped), `object0` and so on and the states' initial values, the rest as JSON in the metadata. The seal
stands at a fixed place in front and covers all else: nothing is looked at, parsed or loaded before it was checked.
"""

from __future__ import annotations

import json
import mmap
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from itertools import chain
from typing import IO, TYPE_CHECKING, Any

from ...lowering.calling_convention import ALIGNMENT
from ..executable import Executable, fields_of
from .trust import SEAL_LENGTH, Bytes, check_seal, seal

if TYPE_CHECKING:
    from ...lowering.codegen.weights_image import WeightsImage

LARGE = 4 << 20
"""Files of so many bytes get their place on the disk at once, before they are written."""

HUGE_PAGE = 2 << 20
"""
Bytes of a huge page of x86-64 and AArch64. Linux holds a part of a file in one that a single write gave it, if the file
system can: https://docs.kernel.org/admin-guide/mm/transhuge.html. Streams of reads through small pages wait for the
addresses of each.
"""

MOST_IN_HUGE_PAGES = 32 << 20
"""
Bytes from which on only weights that are streamed are written in huge pages. Where the host of a virtual machine has to
find these first, writing takes four times as long, 2 ms more for each MB: BERT-base's 340 MB take 0.7 s more, U-Net's
124 take 0.3 s, and a call gains at most 5 %.
"""

_OPENING = '{"__metadata__": {"seal": "'
"""How the header begins, up to the seal."""

_SEAL = slice(8 + len(_OPENING), 8 + len(_OPENING) + SEAL_LENGTH)


def pack(executable: Executable, name: str = "") -> bytes:
    """The bytes of an executable that is kept under this name."""
    return b"".join(pieces(executable, name))


def pieces(executable: Executable, name: str) -> list[Bytes]:
    """The same bytes in pieces: a header, and what the executable consists of."""
    tensors = executable.tensors()
    head = _head(executable, {name: _nbytes(data) for name, data in tensors.items()})
    before, behind = _sealed(head)
    head[_SEAL] = seal(name, before, [behind, *tensors.values()])
    return [head, *tensors.values()]


def write(file: IO[bytes], name: str, executable: Executable, weights: WeightsImage) -> Executable:
    """
    Writes the same bytes, with these weights, to a new file, and returns the executable with all its bytes mapped from
    there.
    """
    others = executable.tensors()
    del others["weights"]
    sizes = {"weights": weights.nbytes, **{name: _nbytes(data) for name, data in others.items()}}
    head = _head(executable, sizes)
    if (size := len(head) + sum(sizes.values())) >= LARGE:
        os.posix_fallocate(file.fileno(), 0, size)  # in one go it takes less than with each write
    parts = chain([head], weights.pieces(), others.values())
    is_gathered = weights.is_streamed or size <= MOST_IN_HUGE_PAGES
    file.writelines(in_huge_pages(parts) if is_gathered else parts)
    file.flush()
    pages = map_pages(file)
    file.seek(_SEAL.start)
    file.write(
        seal(name, *_sealed(memoryview(pages)), was_read=lambda: pages.madvise(mmap.MADV_DONTNEED))
    )
    file.flush()
    return unpacked(memoryview(pages))


def map_pages(file: IO[bytes]) -> mmap.mmap:
    """A file's pages, huge ones where the system holds it in such."""
    pages = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    if hasattr(mmap, "MADV_HUGEPAGE"):
        with suppress(OSError):  # a kernel without them
            pages.madvise(mmap.MADV_HUGEPAGE)
    return pages


def in_huge_pages(pieces: Iterable[Bytes]) -> Iterator[memoryview]:
    """The same bytes in whole huge pages, each valid until the next one; the last one may be shorter."""
    gathered, held = memoryview(bytearray(HUGE_PAGE)), 0
    for piece in pieces:
        rest = memoryview(piece)
        while rest:
            if not held and len(rest) >= HUGE_PAGE:
                whole = len(rest) // HUGE_PAGE * HUGE_PAGE
                yield rest[:whole]
                rest = rest[whole:]
                continue
            count = min(HUGE_PAGE - held, len(rest))
            gathered[held : held + count] = rest[:count]
            held, rest = held + count, rest[count:]
            if held == HUGE_PAGE:
                yield gathered
                held = 0
    yield gathered[:held]


def _head(executable: Executable, sizes: Mapping[str, int]) -> bytearray:
    """The header in front of tensors of these sizes, with zeros in place of the seal."""
    described = json.dumps(executable.description(), default=fields_of)
    metadata = {"seal": "0" * SEAL_LENGTH, "lowstream": described}
    header: dict[str, Any] = {"__metadata__": metadata}
    end = 0
    for tensor, size in sizes.items():
        start, end = end, end + size
        header[tensor] = {"dtype": "U8", "shape": [size], "data_offsets": [start, end]}
    text = json.dumps(header).encode()
    text += b" " * (-(8 + len(text)) % ALIGNMENT)
    return bytearray(len(text).to_bytes(8, "little") + text)


def _nbytes(data: Bytes) -> int:
    return memoryview(data).nbytes


def unpack(packed: Bytes, name: str = "") -> Executable:
    """
    The inverse of `pack`. Raises DiagnosticException where these are not the bytes that were kept under this name, or
    they are of another version of lowstream.
    """
    packed = memoryview(packed)
    check(packed, name)
    return unpacked(packed)


def check(packed: memoryview, name: str) -> None:
    """Raises DiagnosticException where these are not the bytes that were kept under this name."""
    check_seal(packed[_SEAL], name, *_sealed(packed))


def unpacked(packed: memoryview) -> Executable:
    """As `unpack`, for bytes that were checked."""
    length = int.from_bytes(packed[:8], "little")
    header = json.loads(bytes(packed[8 : 8 + length]))
    metadata, data = header.pop("__metadata__"), packed[8 + length :]
    tensors = {tensor: data[slice(*field["data_offsets"])] for tensor, field in header.items()}
    return Executable.of(json.loads(metadata["lowstream"]), tensors)


def _sealed(packed: Bytes) -> tuple[memoryview, memoryview]:
    """The bytes before the seal, and those behind it."""
    view = memoryview(packed)
    return view[: _SEAL.start], view[_SEAL.stop :]
