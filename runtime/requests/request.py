"""A request: the inputs, outputs and states of one caller, and the call itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from sys import getrefcount
from threading import Lock
from typing import TYPE_CHECKING, Any, NoReturn, TypeAlias

from ...passes.errors import AbsentError, DiagnosticError
from ..openvino.by_name import by_name
from ..openvino.names import RequestNames
from ..openvino.tensor import Tensor
from ..profiling.stages import Stages
from .appended import ONLY_HERE
from .async_calls import AsyncCalls
from .batch import Batch
from .binding import Binding, NoRoomError
from .bound_program import BoundProgram
from .exclusive import Exclusive, busy
from .results import Key, Results, by_key, names_one, position_of
from .state import StateBuffer, VariableState

if TYPE_CHECKING:
    from ..aligned_buffers import Array
    from ..compiled import CompiledModel
    from ..profiling.profiling import Profile
    from .sequence import Collected, OutputsInARow

Inputs: TypeAlias = "Mapping[Any, Any] | Sequence[Any] | Array"
"""What `infer` takes: arrays by name or position, one for each input, or that of the only input."""


class InferRequest(BoundProgram, AsyncCalls, RequestNames):
    """
    Runs a compiled model for one caller. A request serves one thread at a time and says so when two use
    it; many requests of one model run in as many threads.

        results = request.infer({"X": x})
        request.set_tensor("X", x); request.infer(); y = request.get_tensor("Y")
    """

    def __init__(self, compiled: CompiledModel):
        self._exclusive = Exclusive()
        self._take, self._give_back = self._exclusive.take, self._exclusive.give_back
        self._starting = Lock()
        super().__init__(compiled)

    def __reduce__(self) -> NoReturn:
        raise TypeError(
            "a request is neither copied nor pickled: make another with create_infer_request(), and set the state of "
            "each in query_state()"
        )

    def __repr__(self) -> str:
        return f"<InferRequest of {self._compiled}>"

    # --- running ----------------------------------------------------------------------------

    def infer(
        self,
        inputs: Inputs | None = None,
        share_inputs: bool = False,
        share_outputs: bool = False,
    ) -> Results:
        """
        Runs the model on `inputs`; an input that is not given stays as it was. Values are copied; with `share_inputs`
        the arrays are used in place, as `set_tensor` does. Results are copies, except of what is appended to an input:
        those are views, which later calls leave as they are. With `share_outputs`, results are arrays that the next
        call writes to. If they are given back, they are copied, unless the call appends to them.

        Raises DiagnosticException where an array does not fit its input, where an input was never given, and if
        another thread is using this request.
        """
        try:
            self._take()
        except IndexError:
            raise busy() from None
        try:
            if self._was_asked_to_stop:
                self._forget_to_stop()
            if inputs is not None:
                self._take_inputs(inputs, share_inputs)
            if self._results.copies or getrefcount(self._results) > ONLY_HERE:
                self._renew_results()
            try:
                self._run()
            except NoRoomError:
                self._run_with_more_room()
            if share_outputs:
                self._results.share()
                self._known_binding().is_shared = True
            return self._results
        finally:
            self._give_back(None)

    def infer_sequence(self, inputs: Inputs) -> Results:
        """
        Runs the model once for each frame of a signal, natively, and gives all results; states go from frame to frame
        and stay. Arrays have one more leading dimension than their inputs: for an input of shape `[1, 40]`,
        `[frames, 1, 40]`. An input that is not given is the same in every frame. Afterwards the request is as after the
        `infer` of the last frame.

            results = request.infer_sequence({"X": frames})       # results["Y"][t] is of frame t

        Raises DiagnosticException as `infer` does, where inputs differ in their number of frames, and where outputs
        differ in shape from frame to frame.
        """
        try:
            self._take()
        except IndexError:
            raise busy() from None
        try:
            if self._was_asked_to_stop:
                self._forget_to_stop()
            binding = self._binding
            if binding is not None and binding.repeated is not None and self._run is binding.call:
                found = binding.repeated.run(
                    binding, inputs, self._renew_results, self._infer_frames
                )
                if found is not None:
                    return found
            sequence, ports = self._sequence, self._compiled.inputs
            given = by_key(inputs, len(ports))
            frames, count = sequence.frames_of(given, ports)
            collected = sequence.Collected(self._in_a_row, count)
            found = self._infer_frames(frames, collected, 0)
            if count and (binding := self._native(frames)) is not None:
                binding.repeated = sequence.Repeated(binding, tuple(given), frames, collected)
            return found
        finally:
            self._give_back(None)

    def _infer_frames(
        self, frames: Mapping[int, Array], collected: Collected, done: int
    ) -> Results:
        """All frames, of which some are done."""
        while done < collected.count:
            if (binding := self._native(frames)) is None:
                self._take_frame(frames, done)
                binding = self._native(frames)
            if binding is not None:
                self._renew_results()
                collected.open(done, binding.outputs)
                made = binding.run_sequence(frames, collected.arrays, done)
                done += made
                if made:
                    continue
                self._take_frame(frames, done)
            self._renew_results()
            self._run_in_any_room()
            collected.take(done, self._results)
            done += 1
        return collected.results

    @cached_property
    def _sequence(self):
        """The module; an import in each call takes 40 µs where the last call used all of the cache."""
        from . import sequence  # models from the cache start without it

        return sequence

    @cached_property
    def _in_a_row(self) -> OutputsInARow:
        return self._sequence.OutputsInARow(self._compiled.outputs)

    def _native(self, frames: Mapping[int, Array]) -> Binding | None:
        """What runs frames of these inputs natively, where the next call is such a call."""
        binding = self._binding
        is_ready = binding is not None and self._run == binding.run and binding.moves(frames)
        return binding if is_ready else None

    def _take_frame(self, frames: Mapping[int, Array], number: int) -> None:
        self._take_inputs({index: array[number] for index, array in frames.items()}, False)

    def cancel(self) -> None:
        """Asks the call that is under way to stop; its `infer` or `wait` then raises DiagnosticException."""
        if self._exclusive.is_free:
            return
        self._was_asked_to_stop = True  # first: the call may be looking for its program
        if self._binding is not None:
            self._binding.cancel()

    def _forget_to_stop(self) -> None:
        """What came too late for the last call is not meant for the next."""
        self._was_asked_to_stop = False
        if self._binding is not None:
            self._binding.forget_to_stop()

    @property
    def results(self) -> Results:
        """What the last call gave."""
        with self._exclusive:
            return self._results

    # --- inputs and outputs -----------------------------------------------------------------

    @by_name(("name", "tensor"), ("port", "tensor"), ("key", "array"))
    def set_tensor(self, key: Key, array: Any) -> None:
        """
        Makes the request use an array for an input, by position or name, or for an output, by name.

        Each call reads what the array holds then, and writes to it. Contiguous arrays of the port's type are
        used in place; others (strided, of another type) are converted in each call, as `Port.accept` does.
        """
        with self._exclusive:
            outputs = self._compiled.outputs
            if names_one(key, outputs) and not names_one(key, self._compiled.inputs):
                self._set_output(position_of(key, outputs, "output"), array)
            else:
                self._set_input(key, array, in_place=True)

    @by_name(("name",), ("port",), ("key",))
    def get_tensor(self, key: Key) -> Tensor:
        """
        The array that the request uses for an output, by position or name, or for an input, by name. The
        next call writes to an output's array; `infer` gives copies. An input's array is read by the next call,
        so whoever has it can fill it.
        """
        with self._exclusive:
            binding, inputs = self._known_binding(), self._compiled.inputs
            binding.is_shared = True
            if not names_one(key, inputs):
                outputs = self._compiled.outputs
                if not isinstance(key, int) and not names_one(key, outputs):
                    position_of(key, [*inputs, *outputs], "tensor")  # raises: neither has the name
                place = position_of(key, outputs, "output")
                return binding.output(place).view(Tensor)
            index = position_of(key, inputs, "input")
            self._is_given(index)
            found = self._waiting.get(index, binding.input(index))
            if isinstance(found, Batch):
                raise DiagnosticError(
                    f"{inputs[index]} was set as a batch of {len(found.parts)} arrays; they are where you have them"
                )
            return found.view(Tensor)

    def set_batch(self, key: Key, arrays: Sequence[Any]) -> None:
        """Makes the request use arrays of shape `[1, …]`, one after the other, for an input of shape `[number, …]`."""
        with self._exclusive:
            port = self._compiled.inputs[position_of(key, self._compiled.inputs, "input")]
            self._set_input(key, Batch(port, arrays), in_place=True)

    # --- states -----------------------------------------------------------------------------

    def query_state(self) -> list[VariableState]:
        """The states, in the model's order."""
        with self._exclusive:
            count = len(self._known_state_buffers())
        return [
            VariableState(self._finder(index), self._exclusive, self._respecialize)
            for index in range(count)
        ]

    def reset_state(self) -> None:
        """Resets all states."""
        with self._exclusive:
            for buffer in self._state_buffers or ():
                buffer.reset()
                if buffer.state.is_dynamic:
                    self._respecialize()

    def _finder(self, index: int) -> Callable[[], StateBuffer]:
        return lambda: self._known_state_buffers()[index]

    # --- profiling --------------------------------------------------------------------------

    @property
    def profiling_info(self) -> Profile:
        """
        What each operation of the model took in the last call, in a list that prints as a table. Raises
        DiagnosticException unless the model was compiled with `profiling=True`.
        """
        from ..profiling.profiling import profile_of

        with self._exclusive:
            binding = self._known_binding()
            counters, stamps = list(binding.counters), list(binding.stamps)
            profile = profile_of(binding.program.executable, counters, stamps)
            profile.stages = dict(self.stage_times)
            return profile

    # --- stages -----------------------------------------------------------------------------

    @property
    def stages(self) -> Stages:
        """The stages of a call, to be run one by one, and what each took."""
        return Stages(self)

    def prepare(self, inputs: Inputs | None, share_inputs: bool) -> None:
        """The first stage: all up to the call."""
        with self._exclusive:
            self._forget_to_stop()
            if inputs is not None:
                self._take_inputs(inputs, share_inputs)
            self._renew_results()
            self._prepare()

    def _prepare(self) -> None:
        if self._run == self._specialize_and_run:
            self._specialize()
        self._known_binding().read_sources()

    def read_by_call(self) -> list[tuple[str, Array]]:
        """What a prepared call reads: inputs and states, with their names."""
        with self._exclusive:
            ports = self._compiled.inputs
            inputs = zip(ports, self._known_binding().inputs[: len(ports)], strict=True)
            return [
                *((port.any_name, array) for port, array in inputs),
                *(
                    (buffer.state.port.any_name, buffer.value)
                    for buffer in self._known_state_buffers()
                ),
            ]

    def call_prepared(self) -> None:
        """The call itself. Raises DiagnosticException where nothing was prepared since shapes changed."""
        with self._exclusive:
            if self._run == self._specialize_and_run:
                raise DiagnosticError("the call is not prepared: preprocess comes before start")
            while True:
                binding = self._known_binding()
                try:
                    binding.call()
                except NoRoomError:
                    self._make_room()
                    self._respecialize()
                    self._prepare()
                else:
                    break
            if binding.program.executable.changes_shapes:
                self._follow_states()

    def finish(self) -> Results:
        """The last stage: what comes behind the call."""
        with self._exclusive:
            self._known_binding().write_targets()
            return self._results

    @property
    def latency(self) -> float:
        """
        What the last call took, in milliseconds; without counters, the last one of `start_async`. Raises
        DiagnosticException where no call was timed: `infer` times none without counters.
        """
        if self._take_inputs != self._fill_and_count:
            if self._is_timed:
                return self._took / 1e6
            raise AbsentError(
                "calls of infer are not timed: compile_model(model, profiling=True) times them, and counts operations"
            )
        return sum(self.stage_times.values()) / 1e6
