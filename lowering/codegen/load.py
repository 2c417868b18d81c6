"""From object files to functions to call: all that a model from the cache needs."""

from __future__ import annotations

import ctypes
import itertools
import threading
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from llvmlite import binding

ENTRY, HELP, PYTHON_ENTRY = "entry", "help", "python_entry"

INTERPRETER = (
    "PyCapsule_GetPointer",
    "PyEval_SaveThread",
    "PyEval_RestoreThread",
    "PyLong_FromLongLong",
)
"""What `python_entry` calls."""

_SIGNATURE = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p)

_LOADING = threading.Lock()
_numbers = itertools.count()


class LoadedFunction:
    """The entry of object files, in memory for as long as this lives. `call` takes the address of its frame."""

    def __init__(self, objects: Iterable[bytes], symbols: Sequence[str] = ()):
        self._tracker = link(objects, [ENTRY, *symbols])
        self.call: Callable[[int], int] = _SIGNATURE(self._tracker[ENTRY])


class LoadedProgram(LoadedFunction):
    """
    The object files of `compile_program` for so many threads. If these are several, `help` takes the address of a
    box (`team`).
    """

    def __init__(self, objects: Iterable[bytes], threads: int = 1):
        super().__init__(objects, [PYTHON_ENTRY, HELP] if threads > 1 else [PYTHON_ENTRY])
        self.help = _SIGNATURE(self._tracker[HELP]) if threads > 1 else None
        self._method = _Method(b"entry", self._tracker[PYTHON_ENTRY], WITHOUT_ARGUMENTS, None)

    def bind(self, frame: int) -> Callable[[], int]:
        """
        `call` with this address, as a built-in function: it takes a third of the time, and is to be called only
        while this object lives.
        """
        capsule = _new_capsule(frame, None, None)
        return _new_function(ctypes.addressof(self._method), capsule, None)


class _Method(ctypes.Structure):
    """The C API's PyMethodDef."""

    _fields_ = (
        ("name", ctypes.c_char_p),
        ("function", ctypes.c_void_p),
        ("flags", ctypes.c_int),
        ("doc", ctypes.c_char_p),
    )


WITHOUT_ARGUMENTS = 4
"""The C API's METH_NOARGS."""

_new_capsule = ctypes.PYFUNCTYPE(
    ctypes.py_object, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p
)(("PyCapsule_New", ctypes.pythonapi))

_new_function = ctypes.PYFUNCTYPE(
    ctypes.py_object, ctypes.c_void_p, ctypes.py_object, ctypes.c_void_p
)(("PyCFunction_NewEx", ctypes.pythonapi))


def link(objects: Iterable[bytes], symbols: Sequence[str]) -> binding.ResourceTracker:
    """
    Places object files in this process, for as long as the result lives, and looks up symbols of theirs. The
    interpreter's they may use wherever it lies: a host may have loaded it for itself alone.
    """
    from llvmlite import binding

    with _LOADING:
        builder = binding.JITLibraryBuilder()
        for code in objects:
            builder.add_object_img(code)
        builder.add_current_process()
        for name in INTERPRETER:
            builder.import_symbol(name, _address_of(name))
        for symbol in symbols:
            builder.export_symbol(symbol)
        return builder.link(_jit(), f"lowstream.{next(_numbers)}")


def _address_of(name: str) -> int:
    address = ctypes.cast(getattr(ctypes.pythonapi, name), ctypes.c_void_p).value
    assert address is not None
    return address


@cache
def _jit() -> binding.LLJIT:
    from llvmlite import binding

    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    return binding.create_lljit_compiler()
