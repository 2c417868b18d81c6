"""The meaning of planned programs, on memory of their own, in the order in which machines compute."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from xdsl.dialects.builtin import MemRefType
from xdsl.ir import Block, Operation, SSAValue
from xdsl.utils.exceptions import DiagnosticException

from ..dialects import kernel
from ..dialects.blob import BlobAttr
from ..dialects.infra import TooManyIterationsError
from ..dialects.kernel import shaped, storage_bytes, strides_of
from .arrays import Array, array_of, dtype_in_memory, in_memory, of_memory, of_user
from .kernel import compute, indices, put
from .scalar import stored
from .whole_kernel import compute_whole


@dataclass(frozen=True)
class Address:
    """Where a memref starts: a byte array and an offset into it."""

    memory: Array
    offset: int

    def array(self, type: MemRefType[Any]) -> Array:
        """The elements as a view, as memory holds them."""
        dtype = dtype_in_memory(type.element_type)
        strides = [step * dtype.itemsize for step in strides_of(type)]
        return np.ndarray(type.get_shape(), dtype, self.memory.data, self.offset, strides)


class ProgramExecutor:
    """
    Runs a program on memory of its own, states included.

    `states` holds the values of the states that are set, by name; `run` takes the inputs in order. Who wants to
    look at memory in between takes `begin`, a step of the run for each operation, and `end`.
    """

    def __init__(self, program: kernel.ProgramOp):
        self.program = program
        self.states: dict[str, Array] = {}

    def run(self, inputs: Sequence[Array]) -> list[Array]:
        """One inference: the outputs in order."""
        run = self.begin(inputs)
        for op in self.program.body.block.ops:
            run.step(op)
        return self.end(run)

    def begin(self, inputs: Sequence[Array]) -> Run:
        """Memory before the first operation."""
        program = self.program
        for name, flag in program.flag_of.items():
            self.states[flag] = np.array(name in self.states)
        places: dict[SSAValue, Address] = {arg: _allocate(arg) for arg in program.body.block.args}
        for name, (current, following) in zip(program.states, program.state_args, strict=True):
            if name in (program.in_place or ()):
                places[following] = places[current]
        for output, input in program.aliased_args:
            places[output] = places[input]
        for argument, array in zip(program.input_args, inputs, strict=True):
            element = _memref(argument).element_type
            _fill(places[argument], argument, of_user(array, element))
        names = [name.data for name in program.states]
        for name, init, (current, _) in zip(names, program.inits, program.state_args, strict=True):
            if name in self.states:
                _check_state(name, self.states[name], current)
                _fill(places[current], current, self.states[name])
            elif isinstance(init, BlobAttr):
                _fill(places[current], current, array_of(init))
        return Run(places, [name not in self.states for name in names])

    def end(self, run: Run) -> list[Array]:
        """Keeps the states that memory holds after the last operation, and gives the outputs."""
        program = self.program
        names = [name.data for name in program.states]
        for name, assigned, (_, following) in zip(
            names, program.assigned, program.state_args, strict=True
        ):
            if assigned:
                self.states[name] = _read(run.places[following], following).copy()
        for name, flag in program.flag_of.items():
            if not self.states.pop(flag):
                self.states.pop(name, None)
        outputs = [_read(run.places[argument], argument).copy() for argument in program.output_args]
        return trimmed(program, outputs)

    def reset(self) -> None:
        """Forgets all states."""
        self.states.clear()


def trimmed(program: kernel.ProgramOp, outputs: Sequence[Array]) -> list[Array]:
    """The outputs with the elements that are there, without those that say how many."""
    found = list(outputs)
    for number, dimension, place in program.dynamic_shapes:
        whole = (slice(None),) * dimension
        found[number] = found[number][(*whole, slice(int(outputs[place].item())))]
    hidden = program.hidden_outputs
    return [array for number, array in enumerate(found) if number not in hidden]


def _check_state(name: str, value: Array, current: SSAValue) -> None:
    if value.shape != (wanted := _memref(current).get_shape()):
        raise DiagnosticException(
            f"state '{name}' has shape {list(value.shape)}, the program reads {list(wanted)}; lower the model "
            "for states of this shape"
        )


UNWRITTEN = 0xA5
"""The bytes of memory that nobody wrote: no plan may depend on them."""


def _allocate(value: SSAValue) -> Address:
    return Address(np.full(max(storage_bytes(shaped(value)), 1), UNWRITTEN, np.uint8), 0)


def _memref(value: SSAValue) -> MemRefType[Any]:
    return cast(MemRefType[Any], value.type)


def _read(place: Address, value: SSAValue) -> Array:
    type = _memref(value)
    return of_memory(place.array(type), type.element_type)


def _fill(place: Address, value: SSAValue, array: Array) -> None:
    type = _memref(value)
    place.array(type)[...] = in_memory(array, type.element_type)


@dataclass
class Run:
    """One inference under way: where each memref is, and which states are unset."""

    places: dict[SSAValue, Address]
    unset: list[bool]

    def block(self, block: Block, index: int | None = None) -> None:
        for op in block.ops:
            self.step(op, index)

    def step(self, op: Operation, index: int | None = None) -> None:
        """One operation, in the iteration `index` of the loop around it."""
        match op:
            case kernel.ConstantOp():
                place = _allocate(op.result)
                _fill(place, op.result, array_of(op.value))
                self.places[op.result] = place
            case kernel.BufferOp():
                self._view(op.result, op.arena, op.offset.value.data)
            case kernel.ViewOp():
                offset = op.offset.value.data
                if op.step is not None:
                    assert index is not None
                    offset += index * op.step.value.data
                self._view(op.result, op.base, offset)
            case kernel.CopyOp():
                _fill(self.places[op.target], op.target, self._load(op.source).copy())
            case kernel.ForOp():
                for iteration in range(op.count.value.data):
                    self.block(op.body.block, iteration)
            case kernel.IndexOp():
                assert index is not None
                _fill(self.places[op.target], op.target, np.array(index))
            case kernel.CallParityOp(target=SSAValue() as target):
                _fill(self.places[target], target, np.array(False))
            case kernel.WhileOp():
                self._while(op)
            case kernel.IfOp():
                taken = op.then_body if self._load(op.condition).any() else op.else_body
                self.block(taken.block)
            case kernel.FailOp():
                raise DiagnosticException(op.message.data)
            case kernel.IfUnsetOp():
                if self.unset[op.state.value.data]:
                    self.block(op.body.block)
            case kernel.KernelOp():
                self._kernel(op)
            case kernel.WholeKernelOp():
                made = compute_whole(op, [self._load(value) for value in op.reads])
                for value, array in zip(op.outs, made, strict=True):
                    _fill(self.places[value], value, array)
            case _:
                raise AssertionError(f"{op.name} passed verification inside a program")

    def _while(self, op: kernel.WhileOp) -> None:
        most = -1 if op.trip is None else int(self._load(op.trip).item())
        go_on = op.start is None or bool(self._load(op.start).item())
        iteration = 0
        while go_on and not 0 <= most <= iteration:
            if op.most is not None and iteration >= op.most.value.data:
                break
            if op.room is not None and iteration >= op.room.value.data:
                raise TooManyIterationsError(op.room.value.data)
            self.block(op.body.block, iteration)
            iteration += 1
            go_on = op.following is None or bool(self._load(op.following).item())

    def _view(self, result: SSAValue, base: SSAValue, offset: int) -> None:
        place = self.places[base]
        self.places[result] = Address(place.memory, place.offset + offset)

    def _load(self, value: SSAValue) -> Array:
        return _read(self.places[value], value)

    def _kernel(self, op: kernel.KernelOp) -> None:
        yielded = compute(op, [self._load(value) for value in op.reads])
        for value, array, access in zip(op.outs, yielded, op.accesses[len(op.ins) :], strict=True):
            element = _memref(value).element_type
            words = in_memory(stored(array, element), element)
            put(self.places[value].array(_memref(value)), indices(access, op.shape), words)
