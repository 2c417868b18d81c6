"""One request's memory for one program: buffers of its ports and states, and the frame of its calls."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import TYPE_CHECKING

from xdsl.utils.exceptions import DiagnosticException

from .memory import address_of, buffer_for, table_of
from .native import Arena, NativeProgram
from .state import FLAGS, Cell

if TYPE_CHECKING:
    from .memory import Array

ARENA = 4
"""Where a frame holds the arena's address: inputs, outputs, states, weights, arena, context."""

CANCEL, COUNTERS = 0, 1
"""Where the context holds the request to stop, and the address of the counters."""


class Binding:
    """
    The arrays that a program reads and writes for one request. `run` calls it once.

    The frame is made of addresses looked up when an array is set, so that a call looks up none.
    """

    def __init__(self, program: NativeProgram):
        executable = program.executable
        self.program = program
        self._own = [buffer_for(port) for port in executable.inputs]
        self.inputs = list(self._own)
        self.outputs = [buffer_for(port) for port in executable.outputs]
        self._input_table = table_of([address_of(array) for array in self.inputs])
        self._output_table = table_of([address_of(array) for array in self.outputs])
        state_table = table_of([0] * (2 * len(executable.states)))
        self._context = (ctypes.c_int64 * (FLAGS + len(executable.states)))()
        self.cells = [
            Cell(state, index, state_table, self._context)
            for index, state in enumerate(executable.states)
        ]
        self.counters = (ctypes.c_int64 * len(executable.kernels))()
        self._context[COUNTERS] = ctypes.addressof(self.counters)
        tables = (self._input_table, self._output_table, state_table)
        self._frame = table_of(
            [
                *map(ctypes.addressof, tables),
                program.weights_address,
                0,
                ctypes.addressof(self._context),
            ]
        )
        self._tables = tables
        self.run = self._runner()

    def set_input(self, index: int, array: Array) -> None:
        """Makes the program read this array, in place. Raises DiagnosticException if it is an output, too."""
        for port, output in zip(self.program.executable.outputs, self.outputs, strict=True):
            if _overlap(array, output):
                name = self.program.executable.inputs[index]
                raise DiagnosticException(f"{name} shares memory with {port}; pass a copy of it")
        self.inputs[index] = array
        self._input_table[index] = address_of(array)

    def fill_input(self, index: int, array: Array) -> None:
        """Copies this array's values to where the program reads them: never into an array of the caller's."""
        own = self._own[index]
        if self.inputs[index] is not own:
            self.inputs[index] = own
            self._input_table[index] = address_of(own)
        own[...] = array

    def set_output(self, index: int, array: Array) -> None:
        """Makes the program write to this array. Raises DiagnosticException if it is another port, too."""
        executable = self.program.executable
        others = [*zip(executable.inputs, self.inputs, strict=True)]
        others += [
            pair
            for i, pair in enumerate(zip(executable.outputs, self.outputs, strict=True))
            if i != index
        ]
        for port, other in others:
            if _overlap(array, other):
                name = executable.outputs[index]
                raise DiagnosticException(f"{name} shares memory with {port}; pass another array")
        self.outputs[index] = array
        self._output_table[index] = address_of(array)

    def cancel(self) -> None:
        """Asks the call that is under way to stop soon."""
        self._context[CANCEL] = 1

    def _runner(self) -> Callable[[], None]:
        """The call as a closure: it is all that happens in an inference, and attributes are slow."""
        call, frame, spare = self.program.call, self._frame, self.program.spare_arenas
        address, size = ctypes.addressof(frame), self.program.executable.arena_bytes
        context = self._context
        last: Arena | None = None

        def run() -> None:
            nonlocal last
            try:
                arena = spare.pop()
            except IndexError:
                arena = Arena(size)
            if arena is not last:
                frame[ARENA] = arena.address
                last = arena
            status = call(address)
            spare.append(arena)
            if status:
                context[CANCEL] = 0
                raise DiagnosticException(
                    "the inference was cancelled; its states stay as they were"
                )

        return run


def _overlap(one: Array, other: Array) -> bool:
    """Whether two contiguous arrays share a byte."""
    first, second = address_of(one), address_of(other)
    return first < second + other.nbytes and second < first + one.nbytes
