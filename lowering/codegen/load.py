"""From object files to functions to call: all that a model from the cache needs."""

from __future__ import annotations

import ctypes
import os
import threading
import weakref
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, partial
from typing import TYPE_CHECKING

from ..calling_convention import (
    ENTRY,
    INTERPRETER,
    PYTHON_ENTRY,
    SCATTERED_ENTRY,
    SEQUENCE_ENTRY,
    WORKER,
)
from .link import IS_HOST, LinkedObjects, UnknownRelocationError, address_in_process

if TYPE_CHECKING:
    from llvmlite import binding

LLVM = threading.RLock()
"""
A lock that is held while LLVM works, and while the process forks: a child has the memory of its parent, but not the
threads that were at work in it.
"""

_forking = threading.local()


def _before_fork() -> None:
    LLVM.acquire()
    _forking.holds = True


def _after_fork() -> None:
    """A fork that had begun when this module was imported does not hold the lock."""
    if _forking.__dict__.pop("holds", False):
        LLVM.release()


os.register_at_fork(before=_before_fork, after_in_parent=_after_fork, after_in_child=_after_fork)

_SIGNATURE = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p)


class LoadedFunction:
    """The entry of object files, in memory for as long as this lives. `call` takes the address of its frame."""

    def __init__(self, objects: Iterable[bytes], symbols: Sequence[str] = ()):
        self._library = Library(objects, [ENTRY, *symbols])
        self.call: Callable[[int], int] = _SIGNATURE(self._library[ENTRY])


class LoadedProgram(LoadedFunction):
    """
    The loaded object files of `compile_program`, for so many threads. `call_sequence` takes the address of a sequence,
    `call_scattered` that of scattered calls. If there are several threads, `worker` takes that of a mailbox (`team`).
    """

    def __init__(self, objects: Iterable[bytes], threads: int = 1):
        team = [WORKER] if threads > 1 else []
        super().__init__(objects, [PYTHON_ENTRY, SEQUENCE_ENTRY, SCATTERED_ENTRY, *team])
        self.call_sequence: Callable[[int], int] = _SIGNATURE(self._library[SEQUENCE_ENTRY])
        self.call_scattered: Callable[[int], int] = _SIGNATURE(self._library[SCATTERED_ENTRY])
        self.worker = _SIGNATURE(self._library[WORKER]) if threads > 1 else None
        self._method = bytes(_Method(NAME, self._library[PYTHON_ENTRY], WITHOUT_ARGUMENTS, None))

    def bind(self, frame: int) -> Callable[[], int]:
        """
        `call` with this address, as a built-in function: it takes a third of the time, and is to be called only
        while this object lives. It may live longer, and then still reads its definition, which it owns as its module.
        """
        return _new_function(self._method, _new_capsule(frame, None, None), self._method)


class _Method(ctypes.Structure):
    """The C API's PyMethodDef."""

    _fields_ = (
        ("name", ctypes.c_char_p),
        ("function", ctypes.c_void_p),
        ("flags", ctypes.c_int),
        ("doc", ctypes.c_char_p),
    )


NAME = b"entry"
"""The name in such definitions, which hold a pointer to it."""

WITHOUT_ARGUMENTS = 4
"""The C API's METH_NOARGS."""

_new_capsule = ctypes.PYFUNCTYPE(
    ctypes.py_object, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p
)(("PyCapsule_New", ctypes.pythonapi))

_new_function = ctypes.PYFUNCTYPE(
    ctypes.py_object, ctypes.c_char_p, ctypes.py_object, ctypes.py_object
)(("PyCFunction_NewEx", ctypes.pythonapi))


class Library:
    """
    Object files linked into this process, and the addresses of their symbols. They are unloaded when this is collected.
    Symbols of the interpreter are given by address: a host may have loaded it without making them visible.
    """

    def __init__(self, objects: Iterable[bytes], symbols: Sequence[str]):
        objects = tuple(objects)
        if (linked := _linked(objects)) is None:
            self._addresses, release = _linked_by_llvm(objects, symbols)
        else:
            self._addresses, release = linked.addresses, linked.release
        weakref.finalize(self, release).atexit = False

    def __getitem__(self, symbol: str) -> int:
        return self._addresses[symbol]


def _linked(objects: Iterable[bytes]) -> LinkedObjects | None:
    """The objects linked by our own linker; None where LLVM's is needed."""
    try:
        return LinkedObjects(objects, _external) if IS_HOST else None
    except UnknownRelocationError:
        return None


def _external(name: str) -> int:
    return _address_of(name) if name in INTERPRETER else address_in_process(name)


def _linked_by_llvm(
    objects: Iterable[bytes], symbols: Sequence[str]
) -> tuple[Mapping[str, int], Callable[[], None]]:
    """
    The addresses of symbols, and what unloads their code.

    Each library has a linker of its own: a shared one would keep the records of unloaded objects. It is JITLink, which
    places the sections of an object next to each other, so that code reaches its constants by 32-bit offsets.
    """
    from llvmlite import binding

    builder = binding.JITLibraryBuilder()
    for code in objects:
        builder.add_object_img(code)
    builder.add_current_process()
    for name in INTERPRETER:
        builder.import_symbol(name, _address_of(name))
    for symbol in symbols:
        builder.export_symbol(symbol)
    with LLVM:
        linker = binding.create_lljit_compiler(_machine(), use_jit_link=True)
        linked = builder.link(linker, "lowstream")
    return {symbol: linked[symbol] for symbol in symbols}, partial(_unload, linked, linker)


def _unload(linked: binding.ResourceTracker, linker: binding.LLJIT) -> None:
    """Unloads in this order: the linker owns what it linked."""
    with LLVM:
        linked.close()
        linker.close()


def _address_of(name: str) -> int:
    address = ctypes.cast(getattr(ctypes.pythonapi, name), ctypes.c_void_p).value
    assert address is not None
    return address


@cache
def _machine() -> binding.TargetMachine:
    """The target machine for linkers; without one, each linker would detect this CPU again."""
    from llvmlite import binding

    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    return binding.Target.from_default_triple().create_target_machine()
