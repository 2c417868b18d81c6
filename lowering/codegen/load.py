"""From an object file to a function to call: all that a model from the cache needs."""

from __future__ import annotations

import ctypes
import itertools
import threading
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from llvmlite import binding

ENTRY = "entry"

_LOADING = threading.Lock()
_numbers = itertools.count()


class LoadedProgram:
    """Machine code in memory for as long as this object lives. `call` takes the address of a frame."""

    def __init__(self, tracker: binding.ResourceTracker):
        self._tracker = tracker
        self.call: Callable[[int], int] = _SIGNATURE(tracker[ENTRY])


_SIGNATURE = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p)


def load(object_code: bytes) -> LoadedProgram:
    """The entry of an object file of `compile_program`."""
    return LoadedProgram(link(object_code))


def link(object_code: bytes) -> binding.ResourceTracker:
    """Places an object file in this process, for as long as the result lives."""
    from llvmlite import binding

    with _LOADING:
        builder = binding.JITLibraryBuilder()
        builder.add_object_img(object_code).add_current_process().export_symbol(ENTRY)
        return builder.link(_jit(), f"lowstream.{next(_numbers)}")


@cache
def _jit() -> binding.LLJIT:
    from llvmlite import binding

    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    return binding.create_lljit_compiler()
