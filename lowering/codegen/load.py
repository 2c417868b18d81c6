"""From object files to a function to call: all that a model from the cache needs."""

from __future__ import annotations

import ctypes
import itertools
import threading
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from llvmlite import binding

ENTRY, HELP = "entry", "help"

_LOADING = threading.Lock()
_numbers = itertools.count()


class LoadedProgram:
    """
    Machine code in memory for as long as this object lives. `call` takes the address of a frame, `help`, where
    the program is for several threads, that of a box (`team`).
    """

    def __init__(self, tracker: binding.ResourceTracker, threads: int = 1):
        self._tracker = tracker
        self.call: Callable[[int], int] = _SIGNATURE(tracker[ENTRY])
        self.help = _SIGNATURE(tracker[HELP]) if threads > 1 else None


_SIGNATURE = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p)


def load(objects: Iterable[bytes], threads: int = 1) -> LoadedProgram:
    """The entry of the object files of `compile_program` for so many threads."""
    return LoadedProgram(link(objects, [ENTRY, HELP] if threads > 1 else [ENTRY]), threads)


def link(objects: Iterable[bytes], symbols: Sequence[str] = (ENTRY,)) -> binding.ResourceTracker:
    """Places object files in this process, for as long as the result lives, and looks up symbols of theirs."""
    from llvmlite import binding

    with _LOADING:
        builder = binding.JITLibraryBuilder()
        for code in objects:
            builder.add_object_img(code)
        builder.add_current_process()
        for symbol in symbols:
            builder.export_symbol(symbol)
        return builder.link(_jit(), f"lowstream.{next(_numbers)}")


@cache
def _jit() -> binding.LLJIT:
    from llvmlite import binding

    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    return binding.create_lljit_compiler()
