"""The program that a request runs, and the arrays that it is bound to; other shapes mean another program."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import takewhile
from sys import getrefcount
from time import perf_counter_ns
from typing import TYPE_CHECKING, Any

import numpy as np
from xdsl.utils.exceptions import DiagnosticException

from ...passes.errors import DiagnosticError
from ..aligned_buffers import buffer_of
from ..profiling.stages import StageTimes
from .appended import ONLY_HERE, lies_in
from .batch import Batch, Padded, Source
from .binding import Binding, NoRoomError
from .results import Key, Results, by_key, distinct_places, position_of
from .state import StateBuffer, detached

if TYPE_CHECKING:
    from ..aligned_buffers import Array
    from ..buckets import Bucket, Conditions
    from ..compiled import CompiledModel, Shapes, StateShapes
    from ..native import NativeProgram
    from ..ports import Port


class BoundProgram:
    """
    What `InferRequest` keeps from call to call. `_run` is what the next call does: it calls the bound program where
    that fits, and looks for another one first where an input or a state got another shape.
    """

    def __init__(self, compiled: CompiledModel):
        self._compiled = compiled
        self._binding: Binding | None = None
        self._bucket: Bucket | None = None
        self._first_state_buffers = None if compiled.states is None else detached(compiled.states)
        self.stage_times = StageTimes()
        self._waiting: dict[int, Source] = {}
        self._targets: dict[int, Array] = {}
        self._missing = {n for n, port in enumerate(compiled.inputs) if port.is_used}
        self._fits = False
        self._results = Results((), ())
        self._was_asked_to_stop = False
        self._run = self._specialize_and_run
        self._take_inputs = self._fill
        self._numbers = {number: number for number in range(len(compiled.inputs))}
        self._places: Mapping[Any, int] = {}
        """Keys, each of another input, and the numbers of these: a call with no other keys gives no input twice."""
        if (shapes := compiled.static_shapes) is not None:
            self._bind(compiled.program(shapes), {})

    # --- values of inputs and outputs ---------------------------------------------------------

    def _fill(self, inputs: Any, in_place: bool) -> None:
        """Copies what `infer` was given to where the program reads it, or has it read there."""
        binding, numbers = self._binding, self._numbers
        if inputs.__class__ is list and len(inputs) == len(numbers):
            keys, places, given = numbers, numbers, enumerate(inputs)
        else:
            keys = inputs if inputs.__class__ is dict else by_key(inputs, len(numbers))
            places, given = self._places, keys.items()
        key: Any = None
        try:
            if binding is None or in_place or self._run is not binding.run:
                lent = binding.lent if in_place and binding is not None else None
                for key, array in given:
                    if key not in places:
                        self._places = places = distinct_places(keys, self._compiled.inputs)
                    self._set_input(places[key], array, in_place, lent)
                return
            fillable = binding.fillable
            for key, array in given:
                if key not in places:
                    self._places = places = distinct_places(keys, self._compiled.inputs)
                if (
                    (found := fillable[places[key]]) is not None
                    and array.__class__ is np.ndarray
                    and (array.dtype is found[1] or array.dtype == found[1])
                    and array.shape == found[2]
                ):
                    found[0][...] = array
                else:
                    self._set_input(places[key], array)
        except DiagnosticException as error:
            if not (before := [*takewhile(lambda each: each is not key, keys)]):
                raise
            kept = ", ".join(str(self._compiled.inputs[places[each]]) for each in before)
            raise DiagnosticError(
                f"{error}; of this call, the request keeps the value of {kept}"
            ) from error

    def _fill_and_count(self, inputs: Any, in_place: bool) -> None:
        begin = perf_counter_ns()
        self._fill(inputs, in_place)
        self.stage_times.filling = perf_counter_ns() - begin

    def _set_input(
        self, key: Key, given: Any, in_place: bool = False, lent: Mapping[int, Array] | None = None
    ) -> None:
        """Has an input read from what is given, `in_place` but where that lies in what is `lent`, or from a copy."""
        ports, binding = self._compiled.inputs, self._binding
        index = position_of(key, ports, "input")
        array: Source
        if isinstance(given, Batch):
            array = given
        else:
            array = ports[index].view(given) if in_place else ports[index].accept(given)
            if lent and lies_in(array, lent):
                array, in_place = ports[index].accept(array), False
        if binding is None or not binding.takes(index, tuple(array.shape)):
            is_shown = in_place or isinstance(array, Batch)
            self._waiting[index] = self._kept(index, array, is_shown)
            self._is_given(index)
            return
        if in_place or isinstance(array, Batch):
            binding.set_input(index, array)
        else:
            binding.fill_input(index, array)
        if self._run is not binding.run:
            self._waiting.pop(index, None)
            self._is_given(index)

    def _kept(self, index: int, source: Source, in_place: bool) -> Source:
        """What the next call reads: an array itself, or a copy, which may be where it is read."""
        binding = self._binding
        appended = None if binding is None else binding.appended.get(index)
        if binding is not None and appended is not None:
            if isinstance(source, np.ndarray) and appended.holds(source):
                return source
            parts = source.parts if isinstance(source, Batch) else [source]
            in_place &= not any(lies_in(part, binding.lent) for part in parts)
        return source if in_place else source.copy()

    def _set_output(self, index: int, given: Any) -> None:
        array, binding = self._compiled.outputs[index].target(given), self._binding
        if (
            binding is not None
            and self._bucket is None
            and array.shape == binding.outputs[index].shape
        ):
            self._renew_results()
            binding.set_output(index, array)
        else:
            self._fits = False
        self._targets[index] = array
        self._choose_run()

    def _is_given(self, index: int) -> None:
        self._missing.discard(index)
        self._choose_run()

    def _refuse_missing(self) -> None:
        """Raises DiagnosticException where an input that the model uses was never given."""
        if not self._missing:
            return
        names = [repr(self._compiled.inputs[index].any_name) for index in sorted(self._missing)]
        (first, *others) = names
        verb = "inputs {} have no values" if others else "input {} has no value"
        raise DiagnosticError(
            f"{verb.format(', '.join(names))} yet: infer({{{first}: array, …}}) and set_tensor({first}, array) "
            "give one, and later calls keep it"
        )

    # --- states -------------------------------------------------------------------------------

    @property
    def _state_buffers(self) -> Sequence[StateBuffer] | None:
        """The states as the next call finds them; None if they are unknown until its program is chosen."""
        return self._first_state_buffers if self._binding is None else self._binding.state_buffers

    def _known_state_buffers(self) -> Sequence[StateBuffer]:
        if (buffers := self._state_buffers) is None:
            raise DiagnosticError(
                "passes of the pipeline may make states, and they run when the first call says the shapes of "
                "inputs: run them before, with lowstream.run_passes, or infer first"
            )
        return buffers

    # --- programs -----------------------------------------------------------------------------

    def _bind(
        self,
        program: NativeProgram,
        arrays: Mapping[int, Source],
        bucket: Bucket | None = None,
    ) -> None:
        """
        Makes this program the one that runs, on these arrays and the outputs that were set; states that it can read
        keep their values. With a bucket, arrays fill the beginning of what it reads. Raises DiagnosticException, and
        leaves all as it was, where arrays do not go together.
        """
        old, binding = self._binding, Binding(program, self.stage_times)
        if old is not None:
            binding.keep_outputs(old)
        for index, array in self._targets.items():
            port, wanted = self._compiled.outputs[index], binding.outputs[index].shape
            if array.shape != wanted:
                raise DiagnosticError(
                    f"{port} has shape {list(wanted)} for these inputs, the array that was set for it "
                    f"{list(array.shape)}; set one of that shape"
                )
            binding.set_output(index, array)
        padded = () if bucket is None else bucket.inputs | binding.appended.keys()
        for index, array in arrays.items():
            binding.set_input(index, self._padded(index, array) if index in padded else array)
        if (buffers := self._state_buffers) is not None:
            for before, buffer in zip(buffers, binding.state_buffers, strict=True):
                buffer.take_over(before)
        self._binding, self._bucket, self._waiting, self._fits = binding, bucket, {}, True
        if binding.times is not None:
            self._take_inputs = self._fill_and_count
        self._results = Results(
            [port for port in program.executable.outputs if port.role != "size"],
            binding.outputs,
            lent={each.output: each for each in binding.appended.values()},
        )
        self._choose_run()
        if old is not None:
            old.release()

    def _padded(self, index: int, source: Source) -> Padded:
        return Padded(source, self._compiled.inputs[index])

    def _choose_run(self) -> None:
        """Chooses what the next call does. It is as little as possible, since it may be all that an inference does."""
        binding = self._binding
        if binding is None or self._missing or self._waiting or not self._fits:
            self._run = self._specialize_and_run
        elif binding.program.executable.changes_shapes:
            self._run = self._run_once
        else:
            self._run = binding.run

    def _respecialize(self) -> None:
        """Makes the next call look for the program that fits the shapes at that time."""
        self._fits = False
        self._choose_run()

    def _run_once(self) -> None:
        """A call that changes the shape of a state."""
        self._known_binding().run()
        self._follow_states()

    def _follow_states(self) -> None:
        """After a call: how much of its states counts, and the next program is one for that."""
        binding = self._known_binding()
        for buffer in binding.state_buffers:
            buffer.follow(binding.outputs)
        self._respecialize()

    def _specialize_and_run(self) -> None:
        """The call after an input or a state got another shape: it needs another program."""
        self._specialize()
        self._run()

    def _specialize(self) -> None:
        self._refuse_missing()
        old, ports = self._binding, self._compiled.inputs

        def source(index: int, port: Port) -> Source:
            if index in self._waiting:
                return self._waiting[index]
            return _unused(port) if old is None else old.input(index)

        arrays = {index: source(index, port) for index, port in enumerate(ports)}
        shapes = tuple(tuple(arrays[index].shape) for index in range(len(ports)))
        states = _state_shapes(self._state_buffers or ())
        if self._targets:  # which have the shapes of outputs, not larger ones
            self._bind(self._compiled.program(shapes, states), arrays)
        else:
            conditions = _conditions(self._compiled, arrays)
            self._bind_for(shapes, states, conditions, arrays)
        if self._was_asked_to_stop:
            self._known_binding().cancel()

    def _bind_for(
        self,
        shapes: Shapes,
        states: StateShapes,
        conditions: Conditions,
        arrays: Mapping[int, Source],
    ) -> None:
        """Makes a program for inputs of these shapes the one that runs; that of a bucket may be bound already."""
        program, bucket, size = self._compiled.program_of_call(shapes, states, conditions)
        binding = self._binding
        keeps = not program.executable.moves_states
        if bucket is None or binding is None or binding.program is not program or not keeps:
            self._bind(program, arrays, bucket)
        else:
            padded = bucket.inputs | binding.appended.keys()
            for index, array in self._waiting.items():
                binding.set_input(index, self._padded(index, array) if index in padded else array)
            self._waiting, self._fits = {}, True
            self._choose_run()
        if bucket is not None:
            self._known_binding().inputs[-1][...] = size

    def _run_in_any_room(self) -> None:
        try:
            self._run()
        except NoRoomError:
            self._run_with_more_room()

    def _run_with_more_room(self) -> None:
        """
        Repeats a call that stopped: because a loop had too little room, until there is enough, or because its program
        is for other values of conditions.
        """
        while True:
            self._make_room()
            try:
                self._specialize_and_run()
            except NoRoomError:
                continue
            return

    def _make_room(self) -> None:
        """
        After a call that stopped: gives loops more room, unless conditions have other values, for which there is
        another program.
        """
        binding, bucket = self._known_binding(), self._bucket
        numbers = self._compiled.conditions
        if bucket is None or bucket.conditions == _conditions(
            self._compiled, {number: binding.input(number) for number in numbers}
        ):
            self._compiled.make_room(binding.program)

    def _known_binding(self) -> Binding:
        if self._binding is None:
            raise DiagnosticError(
                "the shapes of this model's inputs are not known before its first call: give them arrays "
                "(set_tensor), and infer first"
            )
        return self._binding

    # --- results ------------------------------------------------------------------------------

    def _renew_results(self) -> None:
        """Lets whoever holds the last results keep them, before their buffers are written."""
        if not self._results.copies and getrefcount(self._results) <= ONLY_HERE:
            return
        if getrefcount(self._results) > ONLY_HERE:
            self._results.keep()
        last = self._results
        self._results = Results(last.ports, last.buffers, lent=last.lent)


def _state_shapes(buffers: Sequence[StateBuffer]) -> StateShapes:
    return tuple(
        (buffer.state.port.any_name, buffer.current.shape)
        for buffer in buffers
        if buffer.state.is_dynamic and buffer.is_set
    )


def _conditions(compiled: CompiledModel, arrays: Mapping[int, Source]) -> Conditions:
    """The values of inputs that decide branches, in a call that reads these arrays."""

    def value(source: Source) -> bool:
        parts = source.parts if isinstance(source, Batch) else [source]
        return any(map(np.any, parts))

    return tuple((number, value(arrays[number])) for number in compiled.conditions)


def _unused(port: Port) -> Array:
    """A value for an input that nothing reads."""
    return buffer_of([max(size, 1) for size in port.shape], port.dtype)
