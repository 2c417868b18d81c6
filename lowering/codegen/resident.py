"""Memory that code generation starts without: what passes and loading LLVM leave in this process and need no more."""

from __future__ import annotations

import ctypes
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from .link import IS_HOST

SMAPS = Path("/proc/self/smaps")
"""What Linux says of the maps of this process (proc_pid_smaps(5))."""

LIBRARY = "libllvmlite.so"

DONTNEED = 4
"""Linux's MADV_DONTNEED (madvise(2))."""

_HEAD = re.compile(r"([0-9a-f]+)-([0-9a-f]+) (\S{4}) \S+ \S+ \S+ *(.*)")


def drop_unneeded() -> None:
    """
    Gives the system back what `malloc` holds free, and, the first time, what only loading LLVM has looked at: its
    relocations, and the code that registers its options.
    """
    _drop_library()
    if (trim := getattr(ctypes.CDLL(None), "malloc_trim", None)) is not None:  # glibc's
        trim(0)


@cache
def _drop_library() -> None:
    if not IS_HOST:
        return
    try:
        maps = list(_unchanged(SMAPS.read_text(encoding="utf-8", errors="replace"), LIBRARY))
    except OSError:  # a system without
        return
    for begin, end in maps:
        ctypes.CDLL(None).madvise(ctypes.c_void_p(begin), ctypes.c_size_t(end - begin), DONTNEED)


def _unchanged(smaps: str, library: str) -> Iterator[tuple[int, int]]:
    """
    Begin and end of the maps of a library that nothing can write to or has written to, as the loader does where it
    relocates: the system reads them from the file again.
    """
    begin, end, ours = 0, 0, False
    for line in smaps.splitlines():
        if (head := _HEAD.fullmatch(line)) is not None:
            begin, end = int(head[1], 16), int(head[2], 16)
            ours = "w" not in head[3] and Path(head[4]).name == library
        elif ours and line.startswith("Anonymous:") and line.split()[1] == "0":
            yield begin, end
