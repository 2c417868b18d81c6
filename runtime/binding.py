"""One request's memory for one program: buffers of its ports and states, and the frame of its calls."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from xdsl.utils.exceptions import DiagnosticException

from .memory import address_of, buffer_for, table_of
from .native import Arena, NativeProgram
from .state import FLAGS, Cell

if TYPE_CHECKING:
    from .memory import Array
    from .ports import Port

ARENA = 4
"""Where a frame holds the arena's address: inputs, outputs, states, weights, arena, context, pool."""

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
                program.pool_address,
            ]
        )
        self._tables = tables
        self.run = self._runner()

    def set_input(self, index: int, array: Array) -> None:
        """Makes the program read this contiguous array, in place. Raises DiagnosticException if it is an output."""
        address = address_of(array)
        self._refuse_shared(self.program.executable.inputs[index], array, self._all_outputs)
        self.inputs[index], self._input_table[index] = array, address

    def fill_input(self, index: int, array: Array) -> None:
        """Copies this array's values to where the program reads them: never into an array of the caller's."""
        own = self._own[index]
        if self.inputs[index] is not own:
            self.inputs[index], self._input_table[index] = own, address_of(own)
        own[...] = array

    def set_output(self, index: int, array: Array) -> None:
        """Makes the program write to this contiguous array. Raises DiagnosticException if it is another port."""
        port = self.program.executable.outputs[index]
        self._refuse_shared(port, array, (*self._all_inputs, *self._all_outputs))
        self.outputs[index], self._output_table[index] = array, address_of(array)

    def keep_outputs(self, before: Binding) -> None:
        """Makes the program write where another one did, as far as shapes allow."""
        for index, array in enumerate(before.outputs):
            if array.shape == self.outputs[index].shape:
                self.outputs[index], self._output_table[index] = array, address_of(array)

    @property
    def _all_inputs(self) -> Iterator[tuple[Port, Array]]:
        """The inputs with the arrays that are read now, and with our own, which `fill_input` goes back to."""
        ports = self.program.executable.inputs
        yield from zip((*ports, *ports), (*self.inputs, *self._own), strict=True)

    @property
    def _all_outputs(self) -> Iterator[tuple[Port, Array]]:
        yield from zip(self.program.executable.outputs, self.outputs, strict=True)

    def _refuse_shared(
        self, port: Port, array: Array, others: Iterable[tuple[Port, Array]]
    ) -> None:
        """Raises DiagnosticException where memory for a port is also another's: kernels rely on that not being so."""
        begin, end = _room_of(array)
        for other, taken in others:
            low, high = _room_of(taken)
            if low < end and begin < high and other is not port:
                raise DiagnosticException(
                    f"{port} would share memory with {other}; use a copy of the array"
                )

    def cancel(self) -> None:
        """Asks the call that is under way to stop soon."""
        self._context[CANCEL] = 1

    def forget_to_stop(self) -> None:
        """Takes `cancel` back."""
        self._context[CANCEL] = 0

    def _runner(self) -> Callable[[], None]:
        """The call as a closure: it is all that happens in an inference, and attributes are slow."""
        frame, context, spare = self._frame, self._context, self.program.spare_arenas
        call, size = self.program.bind(ctypes.addressof(frame)), self.program.executable.arena_bytes
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
            status = call()
            spare.append(arena)
            if status:
                context[CANCEL] = 0
                raise DiagnosticException(
                    "the inference was cancelled; its states stay as they were"
                )

        return run


def _room_of(array: Array) -> tuple[int, int]:
    """Where a contiguous array begins and ends in memory."""
    begin = address_of(array)
    return begin, begin + array.nbytes
