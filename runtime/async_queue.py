"""`AsyncInferQueue`: several requests; each call runs in the next idle one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from queue import Empty, SimpleQueue
from threading import Condition, Lock
from typing import TYPE_CHECKING, Any

from ..passes.errors import DiagnosticError, shown
from .async_calls import calling_back
from .host import usable_cores

if TYPE_CHECKING:
    from concurrent.futures import Future

    from .compiled import CompiledModel
    from .done import Done
    from .request import InferRequest, Inputs
    from .results import Results


_waiting_in_callbacks: list[AsyncInferQueue] = []
"""
The queue of each callback that waits for an idle request. It keeps its own request and its thread meanwhile: if all
of a queue's requests were kept so, or all threads, nothing would become idle.
"""

_guard = Lock()


class AsyncInferQueue:
    """
    As many requests as there are jobs, by default as many as keep all cores busy: one for each, if the model is
    compiled for one thread. `start_async` takes the next idle one, and waits for it where all are busy.

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
        self._requests = [
            model.create_infer_request()
            for _ in range(jobs or model.get_property("OPTIMAL_NUMBER_OF_INFER_REQUESTS"))
        ]
        self._members: frozenset[object] = frozenset(self._requests)
        self._userdata: list[Any] = [None] * len(self._requests)
        self._callback: Callable[[InferRequest, Any], None] | None = None
        self._idle: SimpleQueue[int] = SimpleQueue()
        self._errors: list[BaseException] = []
        self._changed = Condition()
        self._calls = [0] * len(self._requests)
        """What keeps each request from being idle: calls, of which its callbacks may start more, and `start_async`."""
        for number, request in enumerate(self._requests):
            self._idle.put(number)
            request.set_callback(self._call_back, number)
            request.follow(partial(self._started, number))

    def start_async(
        self, inputs: Inputs | None = None, userdata: Any = None, share_inputs: bool = False
    ) -> None:
        """
        Starts a call in an idle request, whose callback gets `userdata`; inputs as `InferRequest.infer`.

        Raises DiagnosticException where an array does not fit, and in a callback where no request might ever become
        idle; what fails later, `wait_all` raises.
        """
        number = self._next_idle()
        self._userdata[number] = userdata
        with self._changed:
            self._calls[number] += 1
        try:
            self._requests[number].start_async(inputs, share_inputs=share_inputs)
        finally:
            self._ended(number)

    def _next_idle(self) -> int:
        if not self._is_in_callback:
            return self._idle.get()
        with _guard:
            all_requests = _waiting_in_callbacks.count(self) + 1 >= len(self)
            if all_requests or len(_waiting_in_callbacks) + 1 >= usable_cores():
                return self._idle_now()
            _waiting_in_callbacks.append(self)
        try:
            return self._idle.get()
        finally:
            with _guard:
                _waiting_in_callbacks.remove(self)

    def _idle_now(self) -> int:
        try:
            return self._idle.get_nowait()
        except Empty:
            raise DiagnosticError(
                "start_async in a callback found no idle request, and to wait for one might never end, since callbacks "
                "keep requests and threads; start the next call in the request that the callback is given"
            ) from None

    @property
    def _is_in_callback(self) -> bool:
        return calling_back() in self._members

    def _call_back(self, number: int) -> None:
        if self._callback is not None:
            self._callback(self._requests[number], self._userdata[number])

    def _started(self, number: int, call: Future[Results] | Done) -> None:
        with self._changed:
            if not self._calls[number]:
                return  # whoever started it took the request out of the queue's hands
            self._calls[number] += 1
        call.add_done_callback(lambda done: self._finish(number, done.exception()))

    def _finish(self, number: int, error: BaseException | None) -> None:
        if error is not None:
            self._errors.append(error)
        self._ended(number)

    def _ended(self, number: int) -> None:
        with self._changed:
            self._calls[number] -= 1
            if not self._calls[number]:
                self._idle.put(number)
                self._changed.notify_all()

    def wait_all(self) -> None:
        """
        Waits until all calls and their callbacks are done, and raises the first error of one. Raises
        DiagnosticException in a callback of the queue, which would wait for itself.
        """
        if self._is_in_callback:
            raise DiagnosticError(
                "wait_all in a callback of the queue would wait for this callback; call it where calls are started"
            )
        with self._changed:
            self._changed.wait_for(lambda: not any(self._calls))
        if self._errors:
            errors, self._errors = self._errors, []
            raise errors[0]

    def set_callback(self, callback: Callable[[InferRequest, Any], None]) -> None:
        """
        Sets the function that is called after each call, in the thread that made it, with the request and its userdata.
        """
        self._callback = callback

    def is_ready(self) -> bool:
        """Whether a request is idle, so that `start_async` would not wait."""
        return not self._idle.empty()

    def get_idle_request_id(self) -> int:
        """The number of an idle request; waits for one where all are busy."""
        number = self._idle.get()
        self._idle.put(number)
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
