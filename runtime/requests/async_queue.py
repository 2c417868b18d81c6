"""`AsyncInferQueue`: several requests; each call runs in the next idle one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from threading import Lock, RLock
from typing import TYPE_CHECKING, Any

from ...passes.errors import DiagnosticError, shown
from ..host import usable_cores
from .async_calls import calling_back, check_callback

if TYPE_CHECKING:
    from ..compiled import CompiledModel
    from .async_calls import Call
    from .request import InferRequest, Inputs


_waiting_in_callbacks: list[AsyncInferQueue] = []
"""
The queue of each callback that waits for an idle request. It keeps its own request and its thread meanwhile: if all
of a queue's requests were kept so, or all threads, nothing would become idle.
"""

_guard = Lock()


class AsyncInferQueue:
    """
    Several requests of one model. `start_async` starts a call in the next idle one; if all are busy, it waits. There
    are `jobs` requests, by default as many as keep all cores busy: one for each core, if the model is compiled for one
    thread.

        queue = AsyncInferQueue(compiled)
        queue.set_callback(lambda request, number: results.append((number, request.results["Y"])))
        for number, frame in enumerate(frames):
            queue.start_async({"X": frame}, userdata=number)
        queue.wait_all()

    Compile for throughput: `compile_model(model, "CPU", {"PERFORMANCE_HINT": "THROUGHPUT"})`, one thread for each call.
    """

    def __init__(self, model: CompiledModel, jobs: int = 0):
        if not isinstance(jobs, int) or jobs < 0:  # pyright: ignore[reportUnnecessaryIsInstance]
            raise DiagnosticError(
                f"jobs is {shown(jobs)}; give a number of requests, or 0 to keep all cores busy"
            )
        if not hasattr(model, "create_infer_request"):
            raise DiagnosticError(
                f"a queue is of a compiled model, not of {shown(model)}; give what compile_model gave"
            )
        self._requests = [
            model.create_infer_request()
            for _ in range(jobs or model.get_property("OPTIMAL_NUMBER_OF_INFER_REQUESTS"))
        ]
        self._members: frozenset[object] = frozenset(self._requests)
        self._userdata: list[Any] = [None] * len(self._requests)
        self._callback: Callable[[InferRequest, Any], None] | None = None
        self._errors: list[BaseException] = []
        self._calls: list[set[Call]] = [set() for _ in self._requests]
        """The calls of each request that have not ended. One without any is idle: there is no other note of it."""
        self._next = 0
        """The request that is taken next if it is idle."""
        self._choosing = RLock()
        self._bells: list[Lock] = []
        """A lock for each thread that waits for the end of a call."""
        for number, request in enumerate(self._requests):
            request.set_callback(self._call_back, number)
            request.follow(self._calls[number].add, partial(self._ended, self._calls[number]))

    def start_async(
        self, inputs: Inputs | None = None, userdata: Any = None, share_inputs: bool = False
    ) -> None:
        """
        Starts a call in an idle request, whose callback gets `userdata`; inputs as `InferRequest.infer`.

        Raises DiagnosticException where an array does not fit, and in a callback where no request might ever become
        idle; what fails later, `wait_all` raises.
        """
        while not self._start(inputs, userdata, share_inputs):
            self._wait_for_idle()

    def _start(self, inputs: Inputs | None, userdata: Any, share_inputs: bool) -> bool:
        """Whether there was an idle request, in which the call has started."""
        with self._choosing:
            if (number := self._idle) is None:
                return False
            self._next = (number + 1) % len(self)
            self._userdata[number] = userdata
            self._requests[number].start_async(inputs, share_inputs=share_inputs)
            return True

    @property
    def _idle(self) -> int | None:
        """The idle request that is taken next."""
        if not self._calls[number := self._next]:
            return number
        try:
            return self._calls.index(set())
        except ValueError:
            return None

    def _wait_for_idle(self) -> None:
        if not self._is_in_callback:
            return self._wait_until(self.is_ready)
        with _guard:
            all_requests = _waiting_in_callbacks.count(self) + 1 >= len(self)
            if all_requests or len(_waiting_in_callbacks) + 1 >= usable_cores():
                raise DiagnosticError(
                    "start_async in a callback found no idle request, and to wait for one might never end, since "
                    "callbacks keep requests and threads; start the next call in the request that the callback is given"
                )
            _waiting_in_callbacks.append(self)
        try:
            self._wait_until(self.is_ready)
        finally:
            with _guard:
                _waiting_in_callbacks.remove(self)

    def _wait_until(self, is_so: Callable[[], bool]) -> None:
        while not is_so():
            bell = Lock()
            bell.acquire()
            self._bells.append(bell)
            if not is_so():  # or the last call ended before the bell was there
                bell.acquire()

    @property
    def _is_in_callback(self) -> bool:
        return calling_back() in self._members

    def _call_back(self, number: int) -> None:
        if self._callback is not None:
            self._callback(self._requests[number], self._userdata[number])

    def _ended(self, calls: set[Call], call: Call, error: BaseException | None) -> None:
        if error is not None:
            self._errors.append(error)
        calls.discard(call)
        while self._bells:
            try:
                bell = self._bells.pop()
            except IndexError:
                return  # another thread rings it
            bell.release()

    def wait_all(self) -> None:
        """
        Waits until all calls and their callbacks are done, and raises the first error of one. Raises
        DiagnosticException in a callback of the queue, which would wait for itself.
        """
        if self._is_in_callback:
            raise DiagnosticError(
                "wait_all in a callback of the queue would wait for this callback; call it where calls are started"
            )
        self._wait_until(lambda: not any(self._calls))
        if self._errors:
            errors, self._errors = self._errors, []
            raise errors[0]

    def set_callback(self, callback: Callable[[InferRequest, Any], None] | None) -> None:
        """
        Sets the function that is called after each call, in the thread that made it, with the request and its userdata.
        None is for no function. Raises DiagnosticException for what cannot be called.
        """
        check_callback(callback)
        self._callback = callback

    def is_ready(self) -> bool:
        """Whether a request is idle, so that `start_async` would not wait."""
        return self._idle is not None

    def get_idle_request_id(self) -> int:
        """The number of the idle request that is taken next; if all are busy, waits for one."""
        while (number := self._idle) is None:
            self._wait_until(self.is_ready)
        self._next = number
        return number

    @property
    def userdata(self) -> list[Any]:
        """The userdata of each request's last call."""
        return list(self._userdata)

    def __len__(self) -> int:
        return len(self._requests)

    def __getitem__(self, number: int) -> InferRequest:
        return self._requests[number]

    def __iter__(self) -> Iterator[InferRequest]:
        return iter(self._requests)

    def __repr__(self) -> str:
        return f"<AsyncInferQueue of {len(self)} requests>"
