"""A model compiled for batches of several sizes, whose rows are streams of their own."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from copy import deepcopy
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from xdsl.dialects.builtin import IntegerAttr, i64
from xdsl.utils.exceptions import DiagnosticException

from ...dialects import infra
from ...lowering.calling_convention import ALIGNMENT
from ...passes.errors import DiagnosticError
from ...passes.quantize_states import quantize_states
from ..aligned_buffers import address_of
from ..build import ports_of
from ..compiler import compile_model
from ..requests.binding import Binding
from ..requests.calls_in_a_row import Pointer
from ..requests.results import distinct_places
from ..requests.sequence import OutputsInARow
from .plan import BATCH_SIZES, Costs, Group, SlotWindow
from .stored import Stored

if TYPE_CHECKING:
    from ...interop.model import Model
    from ...lowering.calling_convention import Streams
    from ..aligned_buffers import Array
    from ..compiled import CompiledModel
    from ..executable import Executable, State
    from ..native import NativeProgram
    from ..ports import Port
    from ..requests.calls_in_a_row import CallsInARow, ScatteredCalls
    from ..requests.state import StateBuffer
    from .plan import Singles

TRIAL_STEPS = 2
"""How many calls the rows of a new program are compared over with streams that run alone."""

TIMED_CALLS = 5
"""Of the programs for one row and for a few, by which batches are chosen."""


@dataclass(frozen=True)
class StreamPart:
    """
    A stream's part of a tensor whose dimension `axis` is that of the streams; `shape` is the tensor's for one stream.
    """

    axis: int
    shape: tuple[int, ...]

    @classmethod
    def of(
        cls, tensor: Port, one: tuple[int, ...], many: tuple[int, ...], count: int
    ) -> StreamPart:
        """The row of a tensor, by its shapes for one stream and for many. Raises DiagnosticException if it has none."""
        for axis, size in enumerate(one):
            if size == 1 and many == (*one[:axis], count, *one[axis + 1 :]):
                return cls(axis, one)
        raise DiagnosticError(
            f"{tensor} has shape {list(one)} for one stream and {list(many)} for a batch of {count}: streams of this "
            "model cannot share a call; give each a request"
        )

    @property
    def inner(self) -> tuple[int, ...]:
        """The shape without the dimension of the streams."""
        return self.shape[: self.axis] + self.shape[self.axis + 1 :]

    def rows(self, batch: Array, count: int) -> Array:
        """The first rows of a batch, `[count, *inner]`: a view."""
        return batch[:count] if self.axis == 0 else np.moveaxis(batch, self.axis, 0)[:count]

    def stacked(self, each: Array) -> Array:
        """What `[count, *shape]` holds, as `[count, *inner]`: a view."""
        return each.reshape(len(each), *self.inner)


class Batches:
    """
    The programs, and which dimension of each input, output and state is that of the streams.

    `shared` has values of inputs, by name or position, that are the same for all streams. Of all others, the first
    dimension of size 1 in which streams can be told apart is that of the streams. Raises DiagnosticException where the
    model cannot be batched.
    """

    def __init__(self, model: Model, shared: Mapping[Any, Any], num_threads: int | None):
        self._model, self._threads = model, num_threads
        self.module = model.module
        quantize_states(self.module, ALIGNMENT)  # so that one stream's are still read in place
        ports, _ = ports_of(model.module)
        self._shared = {n: shared[key] for key, n in distinct_places(shared, ports).items()}
        self._axes: dict[int, int] = {}
        """The dimension of the streams, of each input that is not shared."""
        self._programs: dict[int, Programs] = {}
        given = {number: port for number, port in enumerate(ports) if number not in self._shared}
        refusals = list[DiagnosticError]()
        for self._axes in _axes_to_try(given):
            try:
                self._find_rows(BATCH_SIZES[1])
            except DiagnosticError as error:
                refusals.append(error)
                self._programs.clear()
            else:
                return
        raise refusals[0]

    def _find_rows(self, count: int) -> None:
        """Finds the streams' dimension of everything. Raises DiagnosticException where one has none."""
        many, one = self._of(count).first, self._of(1).first
        self.inputs, self.outputs = one.inputs, one.outputs
        self.input_rows = {
            number: StreamPart.of(port, port.shape, many.inputs[number].shape, count)
            for number, port in enumerate(self.inputs)
            if number not in self._shared
        }
        used = (number for number in self.input_rows if self.inputs[number].is_used)
        self.read = dict.fromkeys(used).keys()
        """The inputs that have frames."""
        self._read = (*self.read,)
        self.in_a_row = OutputsInARow(self.outputs)
        self._output_shapes = [port.shape for port in self.outputs]
        self._output_rows = [
            StreamPart.of(port, port.shape, other.shape, count)
            for port, other in zip(self.outputs, many.outputs, strict=True)
        ]
        self.states = kept_states(one)
        self._state_rows = [
            StreamPart.of(state.port, state.following, other.following, count)
            for state, other in zip(self.states, kept_states(many), strict=True)
        ]
        self._check_rows(count)

    def _of(self, size: int) -> Programs:
        """The programs for so many rows."""
        if size not in self._programs:
            model = deepcopy(self._model)
            model.reshape(
                {
                    number: _with_size(model.inputs[number].shape, axis, size)
                    for number, axis in self._axes.items()
                }
            )
            if size > 1:
                model.module.attributes[infra.STREAMS] = IntegerAttr(size, i64)
            compiled = compile_model(model, num_threads=self._threads)
            shared = {n: compiled.inputs[n].accept(given) for n, given in self._shared.items()}
            self._programs[size] = Programs(size, compiled, shared)
        return self._programs[size]

    def store(self, capacity: int) -> Stored:
        """Room for the states of so many streams, none of which is set."""
        rows = zip(self._state_rows, self.states, strict=True)
        return Stored(capacity, [(row.inner, state.stored) for row, state in rows])

    # --- running ----------------------------------------------------------------------------

    def run(self, frames: Mapping[int, Array], store: Stored, slots: Array) -> list[Array]:
        """
        One call for each of the streams in these slots: their frames, `[count, *shape]` by the number of the input, to
        their outputs, `[count, *shape]` each. Their states go on.
        """
        outputs = self._room(len(slots))
        for step in store.plan(slots, self.in_place, self._costs):
            if isinstance(step, Group):
                self._run_group(step, frames, store, outputs)
            elif isinstance(step, SlotWindow):
                self._run_window(step, frames, store, outputs)
            else:
                self._run_singles(step, frames, store, outputs)
        return outputs

    @cached_property
    def _costs(self) -> Costs:
        """What calls take here and now; results do not depend on it."""
        one, count = self._of(1).seconds(), BATCH_SIZES[1]
        return Costs.of(one, self._of(count).seconds(), count, 1 in self.in_place)

    @cached_property
    def in_place(self) -> tuple[int, ...]:
        """The batches, the largest first, whose streams lie as stored."""
        states = list(zip(self._state_rows, self.states, strict=True))
        rows = (*self.input_rows.values(), *self._output_rows, *self._state_rows)
        if any(math.prod(row.shape[: row.axis]) > 1 for row in rows):
            return ()
        nbytes = [math.prod(row.inner) * state.stored.itemsize for row, state in states]
        return tuple(
            size
            for size in BATCH_SIZES[::-1]
            if not any(size * each % ALIGNMENT for each in nbytes)
        )

    def _run_window(
        self,
        window: SlotWindow,
        frames: Mapping[int, Array],
        store: Stored,
        outputs: Sequence[Array],
    ) -> None:
        """
        The calls for the streams of a window; for the others there they write what nobody reads. Where all there have
        frames, these and the outputs do not move either.
        """
        size, places, rows = window.size, window.places, window.rows
        half = store.gather_window(window)
        if window.is_full:
            arrays = (*(frames[number] for number in self.read), *outputs)
            self.call_window(window, store, half, [address_of(each[places]) for each in arrays])
            return
        binding = self._known(size).binding(True)
        for number, each in frames.items():
            row = self.input_rows[number]
            row.rows(binding.inputs[number], size)[rows] = row.stacked(each)[places]
        self.call_window(window, store, half, [])
        for row, native, output in zip(self._output_rows, binding.outputs, outputs, strict=True):
            row.stacked(output)[places] = row.rows(native, size)[rows]

    def call_window(
        self, window: SlotWindow, store: Stored, half: int, of_frames: Sequence[int]
    ) -> None:
        """
        The native calls for a window whose values are in this half. Where it is full, the first frame of each input and
        the first of each output are at these addresses, and the others follow them.
        """
        programs = self._known(window.size)
        binding = programs.binding(True)
        calls = programs.calls(self._read if window.is_full else (), store.moves[half])
        first = [*store.addresses(half, window.start), *of_frames]
        made, status = calls.run(window.calls, first)
        store.half[window.slots if made == window.calls else window.slots_of(made)] = 1 - half
        if status:
            binding.raise_why_stopped()

    def _run_singles(
        self,
        singles: Singles,
        frames: Mapping[int, Array],
        store: Stored,
        outputs: Sequence[Array],
    ) -> None:
        """A call for each stream, on its states and its frame where they lie; all from one native call."""
        arrays = (*(frames[number] for number in self.read), *outputs)
        self.call_singles(singles, store, [address_of(each) for each in arrays])

    def call_singles(self, singles: Singles, store: Stored, of_frames: Sequence[int]) -> None:
        """The native calls for streams anywhere, whose frames and outputs begin at these addresses."""
        programs, calls = self.scattered(store)
        programs.run_scattered(calls, len(singles.slots), store.streams(singles), of_frames)

    def scattered(self, store: Stored, is_copied: bool = False) -> tuple[Programs, ScatteredCalls]:
        """What runs streams anywhere in a store; frames and results are those of the binding if they are copied."""
        programs = self._known(1)
        return programs, programs.scattered(None if is_copied else self._read, store.strides)

    def _known(self, size: int) -> Programs:
        """The programs for so many rows, which give what each row gives alone."""
        if size not in self._programs:
            self._of(size)
            self._check_rows(size)
        return self._programs[size]

    def _room(self, count: int) -> list[Array]:
        return self.in_a_row.room(count, self._output_shapes)

    def _run_group(
        self,
        group: Group,
        frames: Mapping[int, Array],
        store: Stored,
        outputs: Sequence[Array],
    ) -> None:
        """One call."""
        count, places = len(group.slots), group.places
        held = store.places(group.slots)
        binding = self._known(group.size).binding(group.is_set)
        for number, each in frames.items():
            row = self.input_rows[number]
            row.rows(binding.inputs[number], count)[...] = row.stacked(each)[places]
        states = list(zip(self._state_rows, kept_buffers(binding), store.arrays, strict=True))
        if group.is_set:
            for row, buffer, array in states:
                np.take(array, held, 0, row.rows(buffer.current, count), "clip")
        binding.run()
        for row, buffer, array in states:
            array[held] = row.rows(buffer.current, count)
        if not group.is_set:
            store.mark(group.slots, True)
        for row, native, output in zip(self._output_rows, binding.outputs, outputs, strict=True):
            row.stacked(output)[places] = row.rows(native, count)

    def _check_rows(self, size: int) -> None:
        """Raises DiagnosticException unless the rows of a program give what each gives alone, bit for bit."""
        slots, random = np.arange(size), np.random.default_rng(0)
        store, alone = self.store(size), self.store(size)
        for step in range(TRIAL_STEPS):
            is_set = step > 0
            frames = {
                number: trial_frames(random, (size, *row.shape), self.inputs[number].dtype)
                for number, row in self.input_rows.items()
            }
            together, each = self._room(size), self._room(size)
            self._run_group(Group(size, slots, slots, is_set), frames, store, together)
            for one in np.split(slots, size):
                self._run_group(Group(1, one, one, is_set), frames, alone, each)
            ports = (*self.outputs, *(state.port for state in self.states))
            arrays = zip((*together, *store.arrays), (*each, *alone.arrays), strict=True)
            for port, (found, wanted) in zip(ports, arrays, strict=True):
                if found.tobytes() != wanted.tobytes():
                    raise DiagnosticError(
                        f"{port} of a stream depends on the other streams of its batch, so that they cannot share "
                        "calls; give each a request"
                    )


def _axes_to_try(ports: Mapping[int, Port]) -> Iterator[dict[int, int]]:
    """
    Which dimension of each input may be that of the streams: the first of all that have size 1, then the second where
    an input has one. Raises DiagnosticException where an input has none.
    """
    ones = {
        number: [axis for axis, size in enumerate(port.shape) if size in (1, -1)]
        for number, port in ports.items()
    }
    for number, port in ports.items():
        if not ones[number]:
            raise DiagnosticError(
                f"{port} has shape {list(port.shape)}: a dimension of an input is to be 1, for the streams of a batch; "
                "reshape the model, or give a value for all streams in `shared`"
            )
    for place in range(max(map(len, ones.values()), default=1)):
        yield {number: axes[min(place, len(axes) - 1)] for number, axes in ones.items()}


def _with_size(shape: Sequence[int], axis: int, size: int) -> list[int]:
    return [size if number == axis else each for number, each in enumerate(shape)]


class Programs:
    """
    The programs for so many rows: `first` for those whose states are not set, which is the one for all calls unless
    states change their shape with it.
    """

    def __init__(self, size: int, compiled: CompiledModel, shared: Mapping[int, Array]):
        self.size = size
        if (shapes := compiled.static_shapes) is None:
            raise DiagnosticError(
                "inputs have unknown dimensions beside that of the streams; reshape the model"
            )
        self._shared = shared
        self._first = compiled.program(shapes)
        executable = self.first = self._first.executable
        if executable.changes_shapes:
            dynamic = (state for state in kept_states(executable) if state.is_dynamic)
            states = tuple((state.port.any_name, state.following) for state in dynamic)
            self._later = compiled.program(shapes, states)
        else:
            self._later = self._first
        executable = self._later.executable
        if executable.changes_shapes or not executable.has_known_sizes:
            raise DiagnosticError(
                "a state or an output changes its size from call to call, so that streams cannot share calls; give "
                "each a request"
            )
        self._running, self._is_set = self._bound(self._later), False
        self.kept = kept_buffers(self._running)
        """The memory of the states that streams keep."""
        self._calls: dict[tuple[Any, ...], CallsInARow] = {}
        self._scattered: dict[tuple[Any, ...], ScatteredCalls] = {}

    def binding(self, is_set: bool) -> Binding:
        """Memory for a call of rows whose states are all set, or all unset."""
        if self._first is not self._later and not is_set:
            return self._bound(self._first)  # it is good for one call
        if not (is_set and self._is_set):
            for buffer in self.kept:
                if is_set:
                    buffer.mark(True)
                else:
                    buffer.reset()
        self._is_set = is_set
        return self._running

    def calls(self, inputs: tuple[int, ...], moves: tuple[tuple[int, int], ...]) -> CallsInARow:
        """
        Calls on states where they are stored, which are set: `moves` are the bytes from the value of a state that a
        call reads to the one that it writes, and from row to row. Frames of these inputs follow each other, and so do
        outputs, unless there are none of these inputs.
        """
        if (found := self._calls.get((inputs, moves))) is None:
            moving = list[Pointer]()
            for buffer, (apart, step) in zip(self.kept, moves, strict=True):
                moving += buffer.pointers(apart, self.size * step)
            if inputs:
                moving += self._running.pointers(inputs)
            found = self._calls[inputs, moves] = self._running.calls_in_a_row(moving)
        return found

    def scattered(
        self, inputs: tuple[int, ...] | None, strides: Sequence[tuple[int, int]]
    ) -> ScatteredCalls:
        """
        Calls for streams anywhere, whose states are set: on frames of these inputs, outputs and states where they lie.
        Those of each state begin at an address, so many bytes apart. With None, frames and outputs are those of the
        running binding.
        """
        key = (inputs, *strides[:1])  # which has the address of all states
        if (found := self._scattered.get(key)) is None:
            states = [
                (pointer, first)
                for buffer, (first, step) in zip(self.kept, strides, strict=True)
                for pointer in buffer.pointers(0, step)
            ]
            of_frames = [] if inputs is None else self._running.pointers(inputs)
            found = self._running.scattered_calls(states, of_frames)
            self._scattered[key] = found
        return found

    def run_scattered(
        self, calls: ScatteredCalls, count: int, streams: Streams[int], of_frames: Sequence[int]
    ) -> None:
        """So many of these calls. Raises DiagnosticException where one stops."""
        binding = self.binding(True)
        _, status = calls.run(count, streams, of_frames)
        if status:
            binding.raise_why_stopped()

    def seconds(self) -> float:
        """How long a call takes: the least of some."""
        times = list[float]()
        for _ in range(TIMED_CALLS):
            begin = time.perf_counter()
            with suppress(DiagnosticException):  # of what the states are by now
                self._running.run()
            times.append(time.perf_counter() - begin)
        return min(times)

    def _bound(self, program: NativeProgram) -> Binding:
        binding = Binding(program)
        for number, array in self._shared.items():
            binding.fill_input(number, array)
        return binding


def kept_states(executable: Executable) -> list[State]:
    """
    The states that a stream keeps. Those that no call assigns are never set, and flags say whether others are.
    """
    flags = {state.flag for state in executable.states}
    return [s for n, s in enumerate(executable.states) if s.assigned and n not in flags]


def kept_buffers(binding: Binding) -> list[StateBuffer]:
    """The memory of the states that a stream keeps."""
    return [buffer for buffer in binding.state_buffers if buffer.state.assigned]


def trial_frames(
    random: np.random.Generator, shape: tuple[int, ...], dtype: np.dtype[Any]
) -> Array:
    """Frames that rows are compared on: of integers 0 and 1, which are places in any table but the smallest."""
    if dtype.kind in "fV":
        return random.normal(size=shape).astype(dtype)
    return random.integers(0, 2, shape).astype(dtype)
