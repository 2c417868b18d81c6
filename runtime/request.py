"""A request: the inputs, outputs and states of one caller, and the call itself."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from sys import getrefcount
from typing import TYPE_CHECKING, Any

from xdsl.utils.exceptions import DiagnosticException

from .binding import Binding
from .exclusive import Exclusive, busy
from .executable import usable_cores
from .ports import is_array
from .results import Key, Results, names_one, position_of
from .state import Cell, VariableState

if TYPE_CHECKING:
    from concurrent.futures import Future, ThreadPoolExecutor

    from .compiled import CompiledModel, StateShapes
    from .memory import Array
    from .native import NativeProgram
    from .profiling import ProfilingInfo

Inputs = Mapping[Any, Any] | Sequence[Any]
"""What `infer` takes: arrays by name or position, or one for each input."""

UNSHARED = 2
"""What `getrefcount(self._results)` gives while only the request holds them: the argument counts."""


class InferRequest:
    """
    Runs a compiled model for one caller. A request serves one thread at a time and says so when two use
    it; many requests of one model run in as many threads.

        results = request.infer({"X": x})
        request.set_tensor("X", x); request.infer(); y = request.get_tensor("Y")
    """

    def __init__(self, compiled: CompiledModel):
        self._compiled = compiled
        self._exclusive = Exclusive()
        self._take, self._give_back = self._exclusive.take, self._exclusive.give_back
        self._pending: Future[None] | None = None
        self._binding: Binding | None = None
        self._waiting: dict[int, Array] = {}
        self._results = Results((), ())
        self._was_asked_to_stop = False
        self._run = self._specialize_and_run
        if (shapes := compiled.static_shapes) is not None:
            self._bind(compiled.program(shapes))

    # --- running ----------------------------------------------------------------------------

    def infer(self, inputs: Inputs | None = None) -> Results:
        """
        Runs the model on `inputs`, whose values are copied (`set_tensor` avoids that); an input that is
        not given stays as it was.

        Raises DiagnosticException where an array does not fit its input, and if another thread is using
        this request.
        """
        try:
            self._take()
        except IndexError:
            raise busy() from None
        try:
            if self._was_asked_to_stop:
                self._forget_to_stop()
            if inputs is not None:
                self._fill(inputs)
            if self._results.copies or getrefcount(self._results) > UNSHARED:
                self._renew_results()
            self._run()
            return self._results
        finally:
            self._give_back(None)

    def start_async(self, inputs: Inputs | None = None) -> None:
        """As `infer`, but returns at once; `wait` ends it."""
        self._exclusive.hold()
        try:
            self._forget_to_stop()
            if inputs is not None:
                self._fill(inputs)
            self._renew_results()
            self._pending = _workers(os.getpid()).submit(self._run_and_give_back)
        except BaseException:
            self._give_back(None)
            raise

    def _run_and_give_back(self) -> None:
        try:
            self._run()
        finally:
            self._give_back(None)

    def wait(self) -> None:
        """Waits for what `start_async` began, and raises what that raised."""
        if self._pending is not None:
            self._pending.result()

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

    def set_tensor(self, key: Key, array: Any) -> None:
        """
        Makes the request use an array for an input, by position or name, or for an output, by name.

        An array of the port's type that is contiguous is used in place: the next call sees later writes to
        it. What has to be converted (`Port.accept`) is converted now; an output takes no conversion.
        """
        with self._exclusive:
            outputs = self._compiled.outputs
            if names_one(key, outputs) and not names_one(key, self._compiled.inputs):
                self._set_output(position_of(key, outputs, "output"), array)
            else:
                self._set_input(key, array, in_place=True)

    def get_tensor(self, key: Key) -> Array:
        """
        The array that the request uses for an output, by position or name, or for an input, by name. The
        next call writes to an output's array; `infer` gives copies.
        """
        with self._exclusive:
            binding = self._known_binding()
            inputs = self._compiled.inputs
            if names_one(key, inputs):
                return binding.inputs[position_of(key, inputs, "input")]
            return binding.outputs[position_of(key, self._compiled.outputs, "output")]

    def _fill(self, inputs: Inputs) -> None:
        """Copies what `infer` was given to where the program reads it."""
        if isinstance(inputs, (list, tuple)):
            self._check_count(len(inputs))
            for index, array in enumerate(inputs):
                self._set_input(index, array)
        elif isinstance(inputs, Mapping):
            for key, array in inputs.items():
                self._set_input(key, array)
        else:
            self._check_count(1)
            self._set_input(0, inputs)

    def _check_count(self, given: int) -> None:
        if given != (wanted := len(self._compiled.inputs)):
            raise DiagnosticException(
                f"the model takes {wanted} inputs, was given {given}; name them in a dict to set some"
            )

    def _set_input(self, key: Key, given: Any, in_place: bool = False) -> None:
        ports, binding = self._compiled.inputs, self._binding
        index = position_of(key, ports, "input")
        array = ports[index].accept(given)
        if binding is None or array.shape != binding.inputs[index].shape:
            self._waiting[index] = _contiguous(array) if in_place else array.copy()
            self._run = self._specialize_and_run
            return
        self._waiting.pop(index, None)
        if in_place:
            binding.set_input(index, _contiguous(array))
        else:
            binding.fill_input(index, array)

    def _set_output(self, index: int, array: Any) -> None:
        binding = self._known_binding()
        port, old = self._compiled.outputs[index], binding.outputs[index]
        if (
            not is_array(array)
            or (array.dtype, array.shape) != (old.dtype, old.shape)
            or not (array.flags.carray and array.flags.writeable)
        ):
            raise DiagnosticException(
                f"{port} takes a contiguous, writable array of {old.dtype}{list(old.shape)}"
            )
        self._renew_results()
        binding.set_output(index, array)

    # --- states -----------------------------------------------------------------------------

    def query_state(self) -> list[VariableState]:
        """The states, in the model's order."""
        with self._exclusive:
            count = len(self._known_binding().cells)
        return [
            VariableState(self._finder(index), self._exclusive, self._respecialize)
            for index in range(count)
        ]

    def reset_state(self) -> None:
        """Resets all states."""
        with self._exclusive:
            if self._binding is not None:
                for cell in self._binding.cells:
                    cell.reset()
                    if cell.state.is_dynamic:
                        self._respecialize()

    def _finder(self, index: int) -> Callable[[], Cell]:
        return lambda: self._known_binding().cells[index]

    # --- profiling --------------------------------------------------------------------------

    @property
    def profiling_info(self) -> list[ProfilingInfo]:
        """
        What each operation of the model took in the last call. Raises DiagnosticException unless the model was
        compiled with `profiling=True`.
        """
        from .profiling import profile_of

        with self._exclusive:
            binding = self._known_binding()
            return profile_of(binding.program.executable, list(binding.counters))

    # --- memory -----------------------------------------------------------------------------

    def _bind(self, program: NativeProgram) -> None:
        """Makes this program the one that runs; states that it can read keep their values."""
        old, binding = self._binding, Binding(program)
        if old is not None:
            for before, cell in zip(old.cells, binding.cells, strict=True):
                cell.take_over(before)
            binding.keep_outputs(old)
        once = program.executable.changes_shapes
        self._binding, self._run = binding, self._run_once if once else binding.run
        self._results = Results(program.executable.outputs, binding.outputs)

    def _respecialize(self) -> None:
        """Lets the next call look for the program that fits the shapes it finds then."""
        self._run = self._specialize_and_run

    def _run_once(self) -> None:
        """A call that changes the shape of a state."""
        self._known_binding().run()
        self._respecialize()

    def _specialize_and_run(self) -> None:
        """The call after an input or a state got another shape: it needs another program."""
        old, ports = self._binding, self._compiled.inputs
        arrays = dict(enumerate(old.inputs)) if old is not None else {}
        arrays |= self._waiting
        for index, port in enumerate(ports):
            if index not in arrays:
                raise DiagnosticException(
                    f"{port} has no value yet, and its shape is not fixed: set it"
                )
        shapes = tuple(tuple(arrays[index].shape) for index in range(len(ports)))
        self._bind(self._compiled.program(shapes, _state_shapes(old.cells if old else ())))
        binding, run, self._run = self._known_binding(), self._run, self._specialize_and_run
        self._waiting = arrays  # all of them, until the last is accepted
        for index, array in arrays.items():
            binding.set_input(index, array)
        self._waiting, self._run = {}, run
        if self._was_asked_to_stop:
            binding.cancel()
        run()

    def _known_binding(self) -> Binding:
        if self._binding is None:
            raise DiagnosticException(
                "the shapes of this model's inputs are not known before its first call: infer first"
            )
        return self._binding

    def _renew_results(self) -> None:
        """Lets whoever holds the last results keep them, before their buffers are written."""
        if getrefcount(self._results) > UNSHARED:
            self._results.keep()
        self._results = Results(self._results.ports, self._results.buffers)


def _state_shapes(cells: Sequence[Cell]) -> StateShapes:
    return tuple(
        (cell.state.port.any_name, cell.current.shape)
        for cell in cells
        if cell.state.is_dynamic and cell.is_set
    )


def _contiguous(array: Array) -> Array:
    """The array as native code reads it: itself, or a copy."""
    flags = array.flags
    return array if flags.c_contiguous and flags.aligned else array.copy("C")


@cache
def _workers(process: int) -> ThreadPoolExecutor:
    """The threads that run asynchronous calls: a set for each process, since threads do not survive a fork."""
    from concurrent.futures import ThreadPoolExecutor

    del process
    return ThreadPoolExecutor(usable_cores(), "lowstream")
