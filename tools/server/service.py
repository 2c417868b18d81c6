"""A model that many callers share: idle requests for a model without states, streams of a pool for one with states."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Mapping
from queue import SimpleQueue
from threading import Lock
from typing import TYPE_CHECKING, Any

import numpy as np
from xdsl.utils.exceptions import DiagnosticException

from ...runtime.compiler import compile_model
from ...runtime.host import usable_cores
from ...runtime.streams.pool import Stream, StreamPool
from .protocol import flag
from .refused import RefusedError

if TYPE_CHECKING:
    import numpy.typing as npt

    from ...interop.model import Model
    from ...runtime.compiled import CompiledModel
    from ...runtime.ports import Port

    Array = npt.NDArray[Any]

    Outputs = list[tuple[Port, Array]]


QUICK = 2e-4
"""Seconds of a call that is answered where it arrives: a hop to another thread and back takes as long."""


MOST_LETTERS = 128
"""Of a sequence's name, as Triton has it; the server keeps it for as long as the sequence."""


class Service:
    """
    The model, and the sequences that callers began, by the number or name that they gave them. A sequence that was not
    used for `idle` seconds makes room where there is none.
    """

    def __init__(self, model: Model, capacity: int, idle: float, threads: int | None = None):
        compiled = compile_model(model, num_threads=threads or 1)
        self.inputs, self.outputs = compiled.inputs, compiled.outputs
        self._names = {name for port in self.inputs for name in port.names}
        self._requests: SimpleQueue[Any] = SimpleQueue()
        self.has_states = bool(compiled.create_infer_request().query_state())
        if self.has_states:
            self._pool = StreamPool(model, capacity, num_threads=threads or 1)
        else:
            for _ in range(usable_cores()):
                self._requests.put(compiled.create_infer_request())
        self.is_quick = _is_quick(compiled)
        """Whether a call takes less than handing it to another thread would."""
        self.idle = idle
        self._sequences: OrderedDict[int | str, tuple[Stream, float]] = OrderedDict()
        self._lock = Lock()

    @property
    def sequences(self) -> int:
        """How many there are."""
        return len(self._sequences)

    @property
    def batches(self) -> int | None:
        """How many have run, of a model with states; one without runs each request alone."""
        return self._pool.batches if self.has_states else None

    def infer(self, inputs: Mapping[str, Array], parameters: Mapping[str, Any]) -> Outputs:
        """
        The outputs of one call. Of a model with states, `sequence_id` says whose they are; `sequence_start` begins a
        sequence, and `sequence_end` ends it with this call.
        """
        self._check(inputs)
        name = _sequence_name(parameters.get("sequence_id", 0))
        if not self.has_states:
            return self._without_states(inputs)
        if not name:
            raise DiagnosticException(
                "the model has states: say whose, by the parameter sequence_id, and sequence_start in the first request"
            )
        is_first, is_last = (flag(parameters, f"sequence_{which}") for which in ("start", "end"))
        stream = self._stream(name, is_first)
        try:
            results = stream.infer(inputs)
        except DiagnosticException:
            if is_first:
                self._end(name)  # it has not begun
            raise
        if is_last:
            self._end(name)
        return list(results.items())

    def _check(self, inputs: Mapping[str, Array]) -> None:
        """
        Raises DiagnosticException where an input is missing. What another caller gave is still in a request, and would
        be read.
        """
        if not inputs.keys() <= self._names:
            return  # a request says which name is wrong
        for port in self.inputs:
            if inputs.keys().isdisjoint(port.names):
                listed = ", ".join(f"'{each.any_name}'" for each in self.inputs)
                raise DiagnosticException(
                    f"input '{port.any_name}' is missing; a request gives all inputs of the model: {listed}"
                )

    def _without_states(self, inputs: Mapping[str, Array]) -> Outputs:
        request = self._requests.get()
        try:
            results = request.infer(inputs)
            return list(results.items())
        finally:
            self._requests.put(request)

    def _stream(self, name: int | str, is_first: bool) -> Stream:
        with self._lock:
            if is_first:
                self._close(name)
                stream = self._open()
            elif name in self._sequences:
                stream, _ = self._sequences[name]
            else:
                raise DiagnosticException(
                    f"there is no sequence {name!r}; begin it with the parameter sequence_start"
                )
            self._sequences[name] = stream, time.monotonic()
            self._sequences.move_to_end(name)
            return stream

    def _open(self) -> Stream:
        if len(self._pool) >= self._pool.capacity:
            oldest, (_, used) = next(iter(self._sequences.items()))
            if time.monotonic() - used < self.idle:
                raise RefusedError(
                    503,
                    f"there are {self._pool.capacity} sequences, all of them in use; end one, or come later",
                )
            self._close(oldest)
        return self._pool.open()

    def _end(self, name: int | str) -> None:
        with self._lock:
            self._close(name)

    def _close(self, name: int | str) -> None:
        if (found := self._sequences.pop(name, None)) is not None:
            found[0].close()


def _sequence_name(given: Any) -> int | str:
    """What a caller calls a sequence; 0 and "" are none. Raises DiagnosticException for what is no name."""
    if (isinstance(given, str) and len(given) <= MOST_LETTERS) or (
        type(given) is int and 0 <= given < 1 << 64
    ):
        return given
    raise DiagnosticException(
        f"sequence_id is {given!r:.60}; give a number below 2^64, or a name of at most {MOST_LETTERS} letters"
    )


def _is_quick(compiled: CompiledModel) -> bool:
    """Measures the second call, on zeros; what has unknown dimensions may take any time."""
    if compiled.static_shapes is None:
        return False
    request = compiled.create_infer_request()
    inputs = {
        number: np.zeros(port.shape, port.dtype) for number, port in enumerate(compiled.inputs)
    }
    request.infer(inputs)
    begin = time.perf_counter()
    request.infer()
    return time.perf_counter() - begin < QUICK
