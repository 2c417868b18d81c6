"""
Bisection by kernel: runs each kernel of a program on the machine, on the memory that the reference left before it.

So a wrong kernel is found where it is, and not by what later kernels make of its results.
"""

from __future__ import annotations

import ctypes
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from xdsl.dialects.builtin import (
    ArrayAttr,
    IntegerType,
    MemRefType,
    StringAttr,
    i1,
    i8,
)
from xdsl.ir import Block, Operation, Region, SSAValue

from ..dialects import kernel
from ..dialects.inferred import label
from ..dialects.kernel.plan_verifier import root_of
from ..dialects.origins import origins_of
from ..lowering.codegen.compile import compile_program
from ..lowering.lower_to_kernels import Fused
from ..lowering.machine import choose_isa
from ..reference.program import Address, ProgramExecutor, Run
from .aligned_buffers import address_of, aligned, table_of
from .cache.tuned import configurations_for
from .executable import Executable
from .host import host_cpu
from .native import NativeProgram

if TYPE_CHECKING:
    import numpy.typing as npt
    from xdsl.dialects.builtin import ModuleOp

    from ..lowering.machine import Isa

    Array = npt.NDArray[Any]

MOST_ULPS = 2
"""The largest difference of a float, in units of the last place. Integers must be equal."""

MOST_IN_TILES = 2e-5
"""
The largest difference of sums that Winograd's algorithm computes, which rounds in other places: relative to the largest
sum. Integers that they are rounded to may differ by 1.
"""

TURNS = 2
"""Calls of each kernel: a serpentine traversal goes backwards in every second call."""

PLACES = (kernel.ConstantOp, kernel.BufferOp, kernel.ViewOp)
"""Operations that only name memory."""


@dataclass(frozen=True)
class KernelDifference:
    """How far machine and reference are apart after a kernel, or after a loop or a choice as a whole."""

    name: str
    type: str
    """The element type of the buffer that differs most, among those that the operation writes."""
    size: int
    """The number of elements."""
    count: int
    """The number of elements that differ."""
    largest: float
    """By how much at most: in units of the last place where they are floats."""
    strays: int
    """The number of bytes that differ elsewhere in memory."""

    @property
    def is_close(self) -> bool:
        """
        Whether elements are equal, or floats a few units of the last place apart, and no other memory was touched.
        """
        return self.largest <= (MOST_ULPS if self.is_float else 0) and not self.strays

    @property
    def is_float(self) -> bool:
        """Whether `largest` is in units of the last place."""
        return self.type.startswith(("f", "bf"))


def compare_kernels(
    module: ModuleOp, inputs: Sequence[Array], threads: int = 1
) -> Iterator[KernelDifference]:
    """
    The difference at each kernel of a module, which passes have prepared, in the order of emission, for one
    inference from reset states. Raises DiagnosticException where the module cannot be compiled.
    """
    isa = choose_isa()
    program = Fused.of(module, isa).finished(configurations_for(threads, isa.name))
    return compare_program(program, inputs, isa, threads)


def compare_program(
    program: kernel.ProgramOp,
    inputs: Sequence[Array],
    isa: Isa,
    threads: int = 1,
    trusted: Container[Operation] = (),
) -> Iterator[KernelDifference]:
    """
    As `compare_kernels`, of a program. What `trusted` operations leave in memory is the machine's: they are not
    compared.
    """
    machine = Machine(program, isa, threads)
    run = ProgramExecutor(program).begin(inputs)
    for op in program.body.block.ops:
        number = machine.numbers.get(op)
        if number is None or _is_idle(op, run):
            run.step(op)
        elif op in trusted:
            for value, array in machine.step(number, run).items():
                run.places[value].memory[...] = array
        else:
            found = [machine.step(number, run) for _ in range(TURNS)]
            run.step(op)
            differences = [each for memory in found for each in _differences(op, run, memory)]
            if differences:
                yield max(
                    differences, key=lambda each: (not each.is_close, each.largest, each.count)
                )


def _is_idle(op: Operation, run: Run) -> bool:
    """Whether an operation computes the initial value of a state that is set, or gives call parity."""
    is_set = isinstance(op, kernel.IfUnsetOp) and not run.unset[op.state.value.data]
    return is_set or isinstance(op, kernel.CallParityOp)


# --- the machine's side ---------------------------------------------------------------------

Memory = dict[SSAValue, "Array"]
"""The bytes of each argument of a program."""


class Machine:
    """
    A program compiled so that a call does the one operation that is asked for, in memory given with the call.

    Each operation stands in a `kernel.if` of its own; all memory of the original, and a condition for each of
    them, are inputs.
    """

    def __init__(self, program: kernel.ProgramOp, isa: Isa, threads: int):
        self.arguments: tuple[SSAValue, ...] = tuple(program.body.block.args)
        steps, self.numbers = stepped(program)
        compiled = compile_program(steps, isa, threads=threads)
        self.native = NativeProgram(
            Executable(
                cpu=host_cpu(),
                isa=isa.name,
                threads=compiled.threads,
                inputs=(),
                outputs=(),
                states=(),
                kernels=(),
                arena_bytes=compiled.arena_bytes,
                failures=(),
                objects=compiled.objects,
                weights=compiled.weights.in_memory(),
            )
        )
        self.context = (ctypes.c_int64 * 8)()

    def step(self, number: int, run: Run) -> Memory:
        """What memory holds after one operation, given what it holds before."""
        memory = {value: _copied(run.places[value].memory) for value in self.arguments}
        conditions = aligned(len(self.numbers))
        conditions[number] = 1
        inputs = table_of([address_of(array) for array in (*memory.values(), conditions)])
        arena = self.native.take_arena()
        addresses = [ctypes.addressof(inputs), 0, 0, self.native.weights_address, arena.address]
        frame = table_of([*addresses, ctypes.addressof(self.context), self.native.pool_address])
        status = self.native.bind(ctypes.addressof(frame))()
        assert not status, "nobody asks for an end"
        return memory


def _copied(memory: Array) -> Array:
    copy = aligned(memory.size)
    copy[...] = memory
    return copy


def stepped(program: kernel.ProgramOp) -> tuple[kernel.ProgramOp, dict[Operation, int]]:
    """The program with a condition for each operation, and the number of each operation of the original."""
    steps = [op for op in program.body.block.ops if not isinstance(op, PLACES)]
    numbers = {op: number for number, op in enumerate(steps)}
    conditions = MemRefType(i8, [len(steps)])
    before = program.body.block
    block = Block(arg_types=[*(arg.type for arg in before.args), conditions, MemRefType(i8, [0])])
    mapping: dict[SSAValue, SSAValue] = dict(zip(before.args, block.args, strict=False))
    for op in before.ops:
        clone = op.clone(mapping)
        if (number := numbers.get(op)) is None:
            block.add_op(clone)
            continue
        condition = kernel.ViewOp(block.args[-2], MemRefType(i1, []), offset=number)
        body = clone.body.clone() if isinstance(clone, kernel.IfUnsetOp) else Region(Block([clone]))
        block.add_ops([condition, kernel.IfOp(condition.result, body, Region(Block()))])
    return _program(block), numbers


def _program(block: Block) -> kernel.ProgramOp:
    """A program whose ports are all inputs, which it may write to."""
    nothing = ArrayAttr[Any]([])
    names = [StringAttr(f"memory{i}") for i in range(len(block.args) - 1)]
    properties = {"states": nothing, "assigned": nothing, "inits": nothing, "outputs": nothing}
    return kernel.ProgramOp(
        properties={"sym_name": StringAttr("steps"), "inputs": ArrayAttr(names), **properties},
        regions=[Region(block)],
    )


# --- comparing ------------------------------------------------------------------------------


def _differences(op: Operation, run: Run, memory: Memory) -> list[KernelDifference]:
    """
    A difference for each buffer that an operation writes to, after reference and machine have run it; `memory` is the
    machine's.
    """
    found: list[KernelDifference] = []
    for buffer in _written(op, run):
        argument = buffer.owner.arena if isinstance(buffer.owner, kernel.BufferOp) else buffer
        type, place = cast(MemRefType[Any], buffer.type), run.places[buffer]
        wanted, given = place.array(type), Address(memory[argument], place.offset).array(type)
        if _are_same(wanted, given):
            apart = np.zeros(wanted.shape, np.uint64)
        else:
            apart = distances(wanted, given, isinstance(type.element_type, IntegerType))
        if isinstance(op, kernel.ConvolutionOp) and op.rounds_in_tiles:
            apart[_is_near(wanted, given)] = 0
        largest = float(apart.max(initial=0))
        count = int(np.count_nonzero(apart))
        element = str(type.element_type)
        found.append(KernelDifference(_name(op), element, apart.size, count, largest, 0))
        given[...] = wanted
    strays = sum(_unequal_bytes(run.places[value].memory, memory[value]) for value in memory)
    return [replace(each, strays=strays) for each in found]


def _is_near(wanted: Array, given: Array) -> Array:
    """Which elements are no further apart than in tiles of Winograd's algorithm."""
    low, high = (array.astype(np.float64) for array in (wanted, given))
    finite = np.isfinite(low) & np.isfinite(high)
    largest = np.abs(low).max(initial=0, where=finite)
    most = 1.0 if wanted.dtype.kind in "iu" else MOST_IN_TILES * largest
    return np.abs(np.subtract(high, low, out=np.full_like(low, np.inf), where=finite)) <= most


def _name(op: Operation) -> str:
    """A kernel and the first of the operations of the model that it computes."""
    origins = origins_of(op)
    return f"{op.name} '{origins[0].name}'" if origins else label(op)


def _written(op: Operation, run: Run) -> dict[SSAValue, None]:
    """The buffers and arguments of the program that an operation, or one inside of it, wrote to."""
    targets: list[SSAValue] = []
    for inner in op.walk():
        match inner:
            case kernel.EmittedOp():
                targets += inner.outs
            case kernel.CopyOp() | kernel.IndexOp():
                targets.append(inner.target)
            case kernel.CallParityOp(target=SSAValue() as target):
                targets.append(target)
            case _:
                pass
    roots = map(root_of, targets)
    return dict.fromkeys(root for root in roots if root in run.places)


def distances(wanted: Array, found: Array, is_integer: bool) -> Array:
    """How far elements are apart: floats, and the words of bf16, in units of the last place; two NaN are equal."""
    low, high = (array if is_integer else _ranks(array) for array in (wanted, found))
    wide = np.uint64 if low.dtype == np.uint64 else np.int64
    low, high = low.astype(wide), high.astype(wide)
    apart = np.where(high > low, high - low, low - high).view(np.uint64)  # may need all 64 bits
    if wanted.dtype.kind == "f":
        apart[np.isnan(wanted) & np.isnan(found)] = 0
    return apart


def _ranks(x: Array) -> Array:
    """Integers in the order of the floats, so that neighbouring floats are 1 apart."""
    words = np.ascontiguousarray(x).view(f"i{x.dtype.itemsize}").astype(np.int64)
    lowest = np.iinfo(f"i{x.dtype.itemsize}").min
    return np.where(words < 0, lowest - words, words).reshape(x.shape)


def _are_same(wanted: Array, given: Array) -> bool:
    """Whether all words are equal, whatever numbers they are."""
    words = f"u{wanted.dtype.itemsize}"
    return bool((wanted.view(words) == given.view(words)).all())


def _unequal_bytes(wanted: Array, found: Array) -> int:
    found = found[: wanted.size]
    whole = wanted.size // 8 * 8
    ends = wanted[whole:] != found[whole:]
    if (wanted[:whole].view(np.uint64) == found[:whole].view(np.uint64)).all():
        return int(np.count_nonzero(ends))
    return int(np.count_nonzero(wanted != found))
