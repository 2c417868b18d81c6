"""One request's memory for one program: buffers of its ports and states, and the frame of its calls."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from ...lowering.calling_convention import (
    ARENA,
    CANCEL,
    COUNTERS,
    FIRST_FAILURE,
    NO_ROOM,
    STAMPS,
    STAMPS_WORDS,
    UNFIT,
    Frame,
)
from ...passes.errors import DiagnosticError
from ..aligned_buffers import address_of, buffer_for, table_of
from ..native import Arena, NativeProgram
from ..profiling.stages import StageTimes, counted
from .appended import Appended, owner_of
from .batch import Batch, Padded, Source
from .state import state_buffers_of, tables_of

if TYPE_CHECKING:
    from ..aligned_buffers import Array
    from ..executable import Executable
    from ..ports import Port
    from .calls_in_a_row import CallsInARow, Pointer, ScatteredCalls
    from .sequence import Repeated

    Words = ctypes.Array[ctypes.c_int64]

OWN_ARENA_BYTES = 4096
"""An arena of up to a page is each request's own: checking one out would take a third of an empty call."""

WORK = 1_000_000
"""How many solutions `numpy.shares_memory` tries, a millisecond's worth: the problem is hard in general."""


class NoRoomError(DiagnosticError):
    """A loop wants more iterations than the program has room for, or the call is not for this program (`UNFIT`)."""


class Binding:
    """
    The arrays that a program reads and writes for one request. `run` calls it once.

    The frame is made of addresses looked up when an array is set, so that a call looks up none. Arrays of the
    caller's that native code cannot read or write are `sources`, which a call copies to inputs before, and
    `targets`, to which it copies outputs afterwards.
    """

    def __init__(self, program: NativeProgram, times: StageTimes | None = None):
        executable = program.executable
        self.program = program
        self._own = [buffer_for(port) for port in executable.inputs]
        self._fillable: list[tuple[Array, Any, tuple[int, ...]]] = [
            (array, array.dtype, array.shape) for array in self._own
        ]
        self.inputs = list(self._own)
        self.fillable: list[tuple[Array, Any, tuple[int, ...]] | None] = list(self._fillable)
        """For each input that is read from an array of this request: that, its type and its shape."""
        inputs = dict(executable.aliases)
        self.outputs = [
            self._own[inputs[number]] if number in inputs else buffer_for(port)
            for number, port in enumerate(executable.outputs)
        ]
        self.appended = {
            input: Appended(
                self._own[input],
                _grown(executable.outputs[output])[0],
                output,
                executable.inputs[input],
            )
            for output, input in executable.aliases
        }
        """The memory of inputs to which calls append, by their numbers."""
        self.is_shared = False
        """Whether arrays of this request's memory are in others' hands."""
        self.sources: dict[int, Source | Padded] = {}
        self.targets: dict[int, Array] = {}
        self._make_frame()
        self.call = self._runner()
        self.times = times if executable.kernels else None
        self.runs_sequences = (
            executable.has_known_sizes and not executable.aliases and self.times is None
        )
        """Whether one native call takes many frames: all results are written, of one size, and none is measured."""
        self._sequences: dict[tuple[int, ...], CallsInARow] = {}
        self.repeated: Repeated | None = None
        """The last sequence, to be run again on other frames."""
        self._choose_run()

    def _make_frame(self) -> None:
        """The frame of a call, the tables of pointers that it names, and the states that one of them holds."""
        program, executable = self.program, self.program.executable
        self._input_table = table_of([address_of(array) for array in self.inputs])
        self._output_table = table_of([address_of(array) for array in self.outputs])
        state_table, self._context = tables_of(executable.states)
        self.state_buffers = state_buffers_of(executable.states, state_table, self._context)
        self.counters, self.stamps = _counters_and_stamps(executable, self._context)
        self._tables = (self._input_table, self._output_table, state_table)
        inputs, outputs, states, context = map(ctypes.addressof, (*self._tables, self._context))
        weights, pool = program.weights_address, program.pool_address
        self._frame = table_of(Frame(inputs, outputs, states, weights, 0, context, pool))

    def set_input(self, index: int, array: Source | Padded) -> None:
        """
        Makes each call read what this array holds then: in place where native code can. Raises DiagnosticException
        if it is an output.
        """
        port = self.program.executable.inputs[index]
        if not isinstance(array, Padded):
            for part in array.parts if isinstance(array, Batch) else [array]:
                self._refuse_shared(port, part, self._all_outputs)
        if isinstance(array, np.ndarray) and _is_native(array, port):
            self._read(index, array)
        else:
            self._read(index, self._own[index])
            if (appended := self.appended.get(index)) is not None:
                assert isinstance(array, Padded), "it has room for more"
                appended.set(array)
                array = appended
            self.sources[index], self.fillable[index] = array, None
        self._choose_run()

    def fill_input(self, index: int, array: Array) -> None:
        """Copies this array's values to where the program reads them: never into an array of the caller's."""
        own = self._own[index]
        if self.inputs[index] is not own or self.sources:
            self._read(index, own)
            self._choose_run()
        own[...] = array

    def set_output(self, index: int, array: Array) -> None:
        """
        Makes each call write to this array: in place where native code can. Raises DiagnosticException if it is
        another port.
        """
        port = self.program.executable.outputs[index]
        self._refuse_shared(port, array, (*self._all_inputs, *self._all_outputs))
        if _is_native(array, port):
            self._write(index, array)
        else:
            self._write(index, buffer_for(port))
            self.targets[index] = array
        self._choose_run()

    def keep_outputs(self, before: Binding) -> None:
        """Makes the program write where another one did, as far as shapes allow; either may have more sizes."""
        self.is_shared = before.is_shared
        pairs = zip(list(self.outputs), before.outputs, strict=False)
        kept = {number for each in (self, before) for number, _ in each.program.executable.aliases}
        for index, (own, array) in enumerate(pairs):
            if own.shape == array.shape and index not in kept:
                self._write(index, array)

    def release(self) -> None:
        """Lets go of itself, once another one runs: its closures would keep all memory until Python collects cycles."""
        del self.run, self.call

    def input(self, index: int) -> Source:
        """What an input is read from: the caller's, or an array of this request's."""
        source = self.sources.get(index, self.inputs[index])
        return source.given if isinstance(source, Padded) else source

    def takes(self, index: int, shape: tuple[int, ...]) -> bool:
        """Whether an array of this shape may be read in place of what an input is read from."""
        is_padded = isinstance(self.sources.get(index), Padded)
        return shape == self.inputs[index].shape and not is_padded

    @property
    def lent(self) -> dict[int, Array]:
        """By id, the owners of the outputs' memory that is in others' hands: the next call writes there."""
        appended = [each.whole for each in self.appended.values()]
        owners = map(owner_of, self.outputs if self.is_shared else appended)
        return {id(owner): owner for owner in owners}

    def output(self, index: int) -> Array:
        """The array that an output is written to: the caller's, or one of this request's."""
        if (target := self.targets.get(index)) is not None:
            return target
        return self.program.executable.outputs[index].present(self.outputs, index)

    def _read(self, index: int, array: Array) -> None:
        self.inputs[index], self._input_table[index] = array, address_of(array)
        self.fillable[index] = self._fillable[index] if array is self._own[index] else None
        self.sources.pop(index, None)

    def _write(self, index: int, array: Array) -> None:
        self.outputs[index], self._output_table[index] = array, address_of(array)
        self.targets.pop(index, None)

    @property
    def _all_inputs(self) -> Iterator[tuple[Port, Array]]:
        """
        The inputs with the arrays that are read now, and with this request's own arrays, which `fill_input` goes back
        to.
        """
        ports = self.program.executable.inputs
        for index, (port, own) in enumerate(zip(ports, self._own, strict=True)):
            source = self.input(index)
            for part in source.parts if isinstance(source, Batch) else [source]:
                yield port, part
            yield port, own

    @property
    def _all_outputs(self) -> Iterator[tuple[Port, Array]]:
        for index, (port, native) in enumerate(
            zip(self.program.executable.outputs, self.outputs, strict=True)
        ):
            yield port, self.output(index)
            yield port, native

    def _refuse_shared(
        self, port: Port, array: Array, others: Iterable[tuple[Port, Array]]
    ) -> None:
        """Raises DiagnosticException where two ports would share memory: kernels rely on this not being so."""
        for other, taken in others:
            if other is not port and _may_share(array, taken):
                raise DiagnosticError(
                    f"{port} would share memory with {other}; use a copy of the array"
                )

    def cancel(self) -> None:
        """Asks the call that is under way to stop soon."""
        self._context[CANCEL] = 1

    def forget_to_stop(self) -> None:
        """Takes `cancel` back."""
        self._context[CANCEL] = 0

    def _choose_run(self) -> None:
        """Chooses what a call is: its own closure where nothing is copied or counted, since attributes are slow."""
        self.run: Callable[[], None] = self.call
        if self.sources or self.targets:
            self.run = self._call_with_copies
        if self.times is not None:
            self.run = counted(self.times, self.read_sources, self.call, self.write_targets)

    def _call_with_copies(self) -> None:
        self.read_sources()
        self.call()
        self.write_targets()

    def read_sources(self) -> None:
        """Converts and copies what native code cannot read where it lies."""
        for index, appended in self.appended.items():
            _, place = _grown(self.program.executable.outputs[appended.output])
            appended.open(0 if place is None else int(self.outputs[place].item()))
            if appended.whole is not self._own[index]:
                self._move(index, appended)
        for index, source in self.sources.items():
            if isinstance(source, Appended):
                continue
            if isinstance(source, Batch | Padded):
                source.copy_to(self.inputs[index])
            else:
                self.inputs[index][...] = self.program.executable.inputs[index].accept(source)

    def _move(self, index: int, appended: Appended) -> None:
        """Reads an input in other memory, and appends to it there."""
        array = self._own[index] = self.outputs[appended.output] = appended.whole
        self._fillable[index] = (array, array.dtype, array.shape)
        self.inputs[index], self._input_table[index] = array, address_of(array)

    def write_targets(self) -> None:
        """Converts and copies outputs to arrays that native code cannot write."""
        for index, target in self.targets.items():
            target[...] = self.outputs[index]

    def run_sequence(
        self, frames: Mapping[int, Array], outputs: Sequence[Array], start: int
    ) -> int:
        """
        Calls the program once for each frame from `start` on, and returns how many calls it made: all, or those before
        a loop wanted more room. `frames` are arrays of native code's types by the numbers of their inputs, which are
        this request's own arrays, `outputs` where each output goes, all with a leading dimension for the frames; what
        else is read stays as it is. States go from call to call.

        Raises DiagnosticException when asked to stop.
        """
        self.read_sources()
        arrays = (*frames.values(), *outputs)
        count = len(arrays[0]) - start
        first = [address_of(array) for array in arrays]
        if start:
            first = [a + start * array[0].nbytes for a, array in zip(first, arrays, strict=True)]
        made, status = self.calls_for(tuple(frames)).run(count, first)
        self.write_targets()
        if status and not self._is_for_another(reason := self._forget_why_stopped()):
            after = f"{start + made} of {start + count} frames; its states are as these left them"
            if reason >= FIRST_FAILURE:
                raise DiagnosticError(f"{self._failure(reason)} (after {after})")
            raise DiagnosticError(f"the sequence was cancelled after {after}")
        return made

    def calls_for(self, inputs: tuple[int, ...]) -> CallsInARow:
        """The native calls for frames of these inputs."""
        if (calls := self._sequences.get(inputs)) is None:
            calls = self._sequences[inputs] = self.calls_in_a_row(self.pointers(inputs, True))
        return calls

    def calls_in_a_row(self, moving: Sequence[Pointer]) -> CallsInARow:
        """Calls between which these pointers move on."""
        from .calls_in_a_row import CallsInARow  # models from the cache start without it

        return CallsInARow(self.program, self._frame, moving)

    def scattered_calls(
        self, states: Sequence[tuple[Pointer, int]], of_frames: Sequence[Pointer]
    ) -> ScatteredCalls:
        """Calls for streams anywhere, whose states and frames these pointers find."""
        from .calls_in_a_row import ScatteredCalls

        return ScatteredCalls(self.program, self._frame, states, of_frames)

    def pointers(self, inputs: Iterable[int], is_copied: bool = False) -> list[Pointer]:
        """
        The pointers that move over frames of inputs and outputs which lie one after the other. The last ones may be
        copied to this binding's arrays.
        """
        from .calls_in_a_row import Pointer

        return [
            *(
                Pointer(self._input_table, n, self.inputs[n].nbytes, True, is_copied)
                for n in inputs
            ),
            *(
                Pointer(self._output_table, n, a.nbytes, False, is_copied)
                for n, a in enumerate(self.outputs)
            ),
        ]

    def moves(self, frames: Mapping[int, Array]) -> bool:
        """
        Whether `run_sequence` takes these frames: whether native calls may follow each other, and copy their inputs.
        """
        return self.runs_sequences and all(
            (found := self.fillable[index]) is not None and found[2] == array.shape[1:]
            for index, array in frames.items()
        )

    def _forget_why_stopped(self) -> int:
        """Clears what the context says of a call that did not succeed, so that the next call does not find it."""
        reason, self._context[CANCEL] = self._context[CANCEL], 0
        return reason

    def _is_for_another(self, reason: int) -> bool:
        """Whether a call did not succeed because it needs another program."""
        return reason == NO_ROOM or (reason >= FIRST_FAILURE and self._failure(reason) == UNFIT)

    def _failure(self, reason: int) -> str:
        return self.program.executable.failures[reason - FIRST_FAILURE]

    def _runner(self) -> Callable[[], None]:
        """The call as a closure: it is all that happens in an inference, and attributes are slow."""
        frame, spare = self._frame, self.program.spare_arenas
        call, size = self.program.bind(ctypes.addressof(frame)), self.program.executable.arena_bytes
        last: Arena | None = None

        def run_in_own_arena() -> None:
            if call():
                self.raise_why_stopped()

        if size <= OWN_ARENA_BYTES:
            self._arena = Arena(size)
            frame[ARENA] = self._arena.address
            return run_in_own_arena

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
                self.raise_why_stopped()

        return run

    def raise_why_stopped(self) -> NoReturn:
        """Raises DiagnosticException with the reason why a call did not succeed."""
        for buffer in self.state_buffers:
            buffer.clear_rest()
        for appended in self.appended.values():
            appended.fail()
        reason = self._forget_why_stopped()
        if self._is_for_another(reason):
            raise NoRoomError("a loop wants more iterations than there is room for")
        if reason >= FIRST_FAILURE:
            raise DiagnosticError(self._failure(reason))
        raise DiagnosticError("the inference was cancelled; its states stay as they were")


def _counters_and_stamps(executable: Executable, context: Words) -> tuple[Words, Words]:
    """What measured kernels write to, one counter for each; the context gets the addresses. Empty without profiling."""
    counters = (ctypes.c_int64 * len(executable.kernels))()
    stamps = (ctypes.c_int64 * (STAMPS_WORDS * executable.threads * bool(executable.kernels)))()
    context[COUNTERS], context[STAMPS] = ctypes.addressof(counters), ctypes.addressof(stamps)
    return counters, stamps


def _grown(port: Port) -> tuple[int, int | None]:
    """The dimension of an output that grows, and which output has its size; any and none, where none does."""
    return port.sizes[0] if port.sizes else (0, None)


def _is_native(array: Array, port: Port) -> bool:
    """Whether native code can use an array as it is."""
    return array.dtype == port.dtype and array.flags.c_contiguous and array.flags.aligned


def _may_share(array: Array, other: Array) -> bool:
    """Whether two arrays share an element; also true where finding that out would take long."""
    try:
        return np.shares_memory(array, other, max_work=WORK)  # pyright: ignore[reportArgumentType]
    except np.exceptions.TooHardError:
        return True
