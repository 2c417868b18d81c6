"""Runs planned programs as machine code, each buffer flush against pages that nobody may touch if asked."""

from __future__ import annotations

import ctypes
import mmap
from collections.abc import Callable, Sequence
from typing import Any, Literal

import numpy as np
from xdsl.dialects.builtin import MemRefType
from xdsl.ir import SSAValue
from xdsl.parser import Parser

from lowstream.dialects import context, kernel
from lowstream.dialects.blob import BlobAttr
from lowstream.lowering.calling_convention import (
    COUNTERS,
    FLAGS,
    STAMPS,
    STAMPS_WORDS,
    WORD,
    Frame,
    current_value,
)
from lowstream.lowering.codegen import ir
from lowstream.lowering.codegen.compile import compile_program
from lowstream.lowering.codegen.load import LoadedProgram
from lowstream.lowering.codegen.program import emit_program
from lowstream.lowering.machine import Isa
from lowstream.reference.arrays import (
    Array,
    array_of,
    dtype_in_memory,
    in_memory,
    of_memory,
)
from lowstream.reference.program import trimmed
from lowstream.runtime.thread_pool import pool

Guard = Literal["before", "after"]
PAGE, PROT_NONE = mmap.PAGESIZE, 0
LIBC = ctypes.CDLL(None, use_errno=True)


def assembly_of(
    program: kernel.ProgramOp, isa: Isa, profiling: bool = False, threads: int = 1
) -> list[str]:
    """The modules of a program, those of kernels first, one for each."""
    modules: list[str] = []

    def define(name: str, level: int, emit: Callable[[ir.Module], object]) -> None:
        module = ir.Module()
        emit(module)
        modules.append(str(module))

    entry, _ = emit_program(program, isa, profiling, threads, define)
    return [*modules, str(entry)]


def parse_program(text: str) -> kernel.ProgramOp:
    """The verified program in this text."""
    module = Parser(context(), text).parse_module()
    module.verify()
    (program,) = module.ops
    assert isinstance(program, kernel.ProgramOp)
    return program


def buffer(size: int, guard: Guard | None) -> Array:
    """Bytes of garbage, aligned; with a guard, the page before the first or after the last is closed."""
    if guard is None:
        room = np.full(size + kernel.ALIGNMENT, 0xA5, np.uint8)
        return room[-room.ctypes.data % kernel.ALIGNMENT :][:size]
    pages = -(-max(size, 1) // PAGE)
    room = mmap.mmap(-1, (pages + 2) * PAGE)
    whole = np.frombuffer(room, np.uint8)
    whole[:] = 0xA5
    for start in (0, (pages + 1) * PAGE):
        if LIBC.mprotect(ctypes.c_void_p(whole.ctypes.data + start), PAGE, PROT_NONE):
            raise OSError(ctypes.get_errno(), "mprotect")
    inside = whole[PAGE : (pages + 1) * PAGE]
    return inside[:size] if guard == "before" else inside[inside.size - size :]


def call(function: int, *arrays: Array) -> None:
    """Calls the function at this address with the addresses of arrays."""
    pointers = [ctypes.c_void_p(array.ctypes.data) for array in arrays]
    ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * len(pointers))(function)(*pointers)


class Objects:
    """Object files of kernels in this process: what one test had compiled, the next loads."""

    def __init__(self):
        self.files: dict[str, bytes] = {}

    def load(self, key: str) -> bytes | None:
        """The object file of a kernel."""
        return self.files.get(key)

    def store(self, objects: dict[str, bytes]) -> None:
        """Keeps them."""
        self.files |= objects


KNOWN = Objects()


class Native:
    """
    What `ProgramExecutor` is for the reference: `run` takes the inputs and gives the outputs; `states` holds
    what is set. `elapsed` are the counters of a profiled program.
    """

    def __init__(
        self,
        program: kernel.ProgramOp,
        isa: Isa,
        profiling: bool = False,
        guard: Guard | None = None,
        threads: int = 1,
    ):
        self.program = program
        compiled = compile_program(program, isa, profiling, threads, KNOWN)
        self.code = LoadedProgram(compiled.objects, compiled.threads)
        self.threads, self.arena_bytes = compiled.threads, compiled.arena_bytes
        if compiled.threads > 1:
            pool.serve(self)
        self.pool_address = pool.address
        self.image = compiled.weights.in_memory()
        self.place(guard)

    def place(self, guard: Guard | None) -> None:
        """Gives it new memory, with no state set."""
        program = self.program
        args = program.body.block.args
        self.buffers: dict[SSAValue, Array] = {arg: buffer(_size(arg), guard) for arg in args}
        self.buffers[program.arena] = buffer(self.arena_bytes, guard)
        self.weights = buffer(len(self.image), guard)
        self.weights[:] = np.frombuffer(self.image, np.uint8)
        states = [value for pair in program.state_args for value in pair]
        self.elapsed = (ctypes.c_int64 * 64)(*[-1] * 64)
        self.tables = [
            self._table(program.input_args),
            self._table(program.output_args),
            self._table(states),
        ]
        self.context = (ctypes.c_int64 * (FLAGS + len(program.states)))()
        self.context[COUNTERS] = ctypes.addressof(self.elapsed)
        self.stamps = (ctypes.c_int64 * (self.threads * STAMPS_WORDS))()
        self.context[STAMPS] = ctypes.addressof(self.stamps)
        self.current = {self.buffers[value].ctypes.data: self.buffers[value] for value in states}

    def _table(self, values: Sequence[SSAValue]) -> Any:
        addresses = [self.buffers[value].ctypes.data for value in values]
        return (ctypes.c_uint64 * max(len(addresses), 1))(*addresses)

    def address_of_context(self, word: int) -> int:
        """Where the context holds this."""
        return ctypes.addressof(self.context) + WORD * word

    def call(self) -> int:
        """Calls the entry; gives what it returns."""
        frame = self.frame()
        return self.code.call(ctypes.addressof(frame))

    def frame(self) -> Any:
        """The arguments of a call."""
        inputs, outputs, states, context = map(ctypes.addressof, (*self.tables, self.context))
        arena = self.buffers[self.program.arena].ctypes.data
        weights = self.weights.ctypes.data
        if self.threads > 1:
            pool.start(self.threads - 1, self.code)
        frame = Frame(inputs, outputs, states, weights, arena, context, self.pool_address)
        return (ctypes.c_uint64 * len(frame))(*frame)

    def run(self, inputs: Sequence[Array]) -> list[Array]:
        """One inference."""
        program = self.program
        for argument, array in zip(program.input_args, inputs, strict=True):
            self.set(argument, array)
        for i, (init, (argument, _)) in enumerate(
            zip(program.inits, program.state_args, strict=True)
        ):
            if not self.context[FLAGS + i] and isinstance(init, BlobAttr):
                view(self.current[self.tables[2][current_value(i)]], argument)[...] = in_memory(
                    array_of(init), init.type.element_type
                )
        assert self.call() == 0
        return trimmed(program, [self.get(argument) for argument in program.output_args])

    def set(self, argument: SSAValue, array: Array) -> None:
        """Fills an argument's elements."""
        element = kernel.shaped(argument).get_element_type()
        view(self.buffers[argument], argument)[...] = in_memory(array, element)

    def get(self, argument: SSAValue) -> Array:
        """A copy of an argument's elements."""
        return read(self.buffers[argument], argument)

    @property
    def states(self) -> dict[str, Array]:
        """The states that are set."""
        return {
            name.data: read(
                self.current[self.tables[2][current_value(i)]], self.program.state_args[i][0]
            )
            for i, name in enumerate(self.program.states)
            if self.context[FLAGS + i]
        }


def _size(value: SSAValue) -> int:
    return kernel.storage_bytes(kernel.shaped(value))


def view(memory: Array, value: SSAValue) -> Array:
    """The elements of a memref in memory; as memory holds them."""
    type = kernel.shaped(value)
    assert isinstance(type, MemRefType)
    element = type.element_type
    dtype = dtype_in_memory(element)
    strides = [step * dtype.itemsize for step in kernel.strides_of(type)]
    return np.ndarray(type.get_shape(), dtype, memory.data, 0, strides)


def read(memory: Array, value: SSAValue) -> Array:
    """A copy of the elements of a memref."""
    return of_memory(view(memory, value).copy(), kernel.shaped(value).get_element_type())
