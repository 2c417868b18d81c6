"""Queues and callbacks: what a callback may start, what it must not wait for, and any order of calls and failures."""

from __future__ import annotations

import itertools
import sys
import threading
from collections import Counter
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from functools import cache, partial
from types import FrameType
from typing import Any

import numpy as np
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule
from numpy.testing import assert_array_equal
from xdsl.utils.exceptions import DiagnosticException

import lowstream
from lowstream.runtime.requests import async_queue
from lowstream.runtime.requests.async_calls import HANDOVER, Call
from lowstream.runtime.requests.request import InferRequest
from lowstream.test.unit.runtime.conftest import compiled
from lowstream.test.unit.runtime.runtime_models import TYPES

ONES = np.ones(3, np.int32)
CANCELLED = "the inference was cancelled; its states stay as they were"
LONG = 200
"""Seconds after which what never ends fails."""


def ends(call: Callable[[], object]) -> None:
    """Raises what the call raises, and fails where it does not end."""
    outcome: Future[object] = Future()

    def run() -> None:
        try:
            outcome.set_result(call())
        except (RuntimeError, ValueError) as error:
            outcome.set_exception(error)

    threading.Thread(target=run, daemon=True).start()
    outcome.result(LONG)


@pytest.mark.parametrize("wait", [lambda r: r.wait(), lambda r: r.wait_for(1e6)], ids=["", "for"])
def test_a_callback_does_not_wait_for_itself(types: lowstream.CompiledModel, wait: Any):
    request = types.create_infer_request()
    request.set_callback(wait, request)
    request.start_async({"a": ONES, "b": ONES})
    with pytest.raises(RuntimeError, match=r"own callback would wait for this callback; results"):
        ends(request.wait)
    assert_array_equal(request.results[0], 2 * ONES)


def test_a_callback_may_wait_for_another_request(types: lowstream.CompiledModel):
    request, other = types.create_infer_request(), types.create_infer_request()
    other._took = 0  # made at once: the machine may have no second thread
    found: list[Any] = []

    def go_on(_: object) -> None:
        other.start_async({"a": ONES, "b": ONES})
        other.wait()
        found.append(other.results[0])

    request.set_callback(go_on)
    request.start_async({"a": ONES, "b": ONES})
    ends(request.wait)
    assert_array_equal(found, [2 * ONES])


def test_a_call_that_a_callback_is_about_to_start_is_waited_for(
    types: lowstream.CompiledModel, monkeypatch: pytest.MonkeyPatch
):
    request, seen = types.create_infer_request(), list[int]()
    renew, starts, is_waited_for = request._renew_results, threading.Event(), threading.Event()

    class Starting:
        """The lock, which tells when the test's own thread wants it."""

        lock = threading.Lock()

        def __enter__(self) -> None:
            if starts.is_set():
                is_waited_for.set()
            self.lock.acquire()

        def __exit__(self, *_: object) -> None:
            self.lock.release()

    def renew_slowly() -> None:
        renew()
        if seen == [0]:
            starts.set()
            assert is_waited_for.wait(LONG)

    def go_on(_: object) -> None:
        seen.append(len(seen))
        if len(seen) == 1:
            request.start_async()

    monkeypatch.setattr(request, "_starting", Starting())
    monkeypatch.setattr(request, "_renew_results", renew_slowly)
    request.set_callback(go_on)
    request.start_async({"a": ONES, "b": ONES})
    assert starts.wait(LONG)
    ends(request.wait)
    is_waited_for.set()
    assert seen == [0, 1]


def test_calls_that_callbacks_start_are_waited_for(
    types: lowstream.CompiledModel, monkeypatch: pytest.MonkeyPatch
):
    """The second call ends when `wait`, which knew the first one alone, has found it."""
    request, seen = types.create_infer_request(), list[int]()
    last_started, run, looks = request._last_started, request._run_in_any_room, list[object]()
    waits, let = threading.Event(), threading.Event()

    def look() -> object:
        looks.append(last_started())
        (waits if len(looks) == 1 else let).set()
        return looks[-1]

    def run_second() -> None:
        assert let.wait(LONG)
        run()

    def go_on(_: object) -> None:
        seen.append(len(seen))
        if len(seen) == 1:
            assert waits.wait(LONG)
            monkeypatch.setattr(request, "_run_in_any_room", run_second)
            request.start_async()

    monkeypatch.setattr(request, "_last_started", look)
    request.set_callback(go_on)
    request.start_async({"a": ONES, "b": ONES})
    ends(request.wait)
    found = [*seen]
    let.set()
    assert found == [0, 1]


def test_a_queue_is_not_waited_for_in_its_callback(types: lowstream.CompiledModel):
    queue = lowstream.AsyncInferQueue(types, 1)
    queue.set_callback(lambda *_: queue.wait_all())
    queue.start_async({"a": ONES, "b": ONES})
    with pytest.raises(RuntimeError, match=r"wait_all in a callback of the queue would wait"):
        ends(queue.wait_all)


@pytest.mark.parametrize(("jobs", "cores", "others"), [(1, 4, 0), (3, 1, 0), (3, 2, 1)])
def test_callbacks_do_not_wait_for_each_other(
    types: lowstream.CompiledModel,
    monkeypatch: pytest.MonkeyPatch,
    jobs: int,
    cores: int,
    others: int,
):
    """Where no request is idle, and the threads that could make one so are all theirs, or of another queue's."""
    queue, other = (lowstream.AsyncInferQueue(types, jobs) for _ in range(2))
    monkeypatch.setattr(async_queue, "usable_cores", lambda: cores)
    monkeypatch.setattr(async_queue, "_waiting_in_callbacks", [other] * others)

    def go_on(request: InferRequest, number: int) -> None:
        try:
            queue.start_async({"a": ONES, "b": ONES}, number + 1)
        finally:
            for calls in queue._calls[1:]:
                calls.clear()

    for calls in queue._calls[1:]:
        calls.add(Call())
    queue.set_callback(go_on)
    queue.start_async({"a": ONES, "b": ONES}, 0)
    with pytest.raises(RuntimeError, match=r"start the next call in the request that the callback"):
        ends(queue.wait_all)


def test_a_callback_waits_for_a_request_that_becomes_idle(
    types: lowstream.CompiledModel, monkeypatch: pytest.MonkeyPatch
):
    """Though a callback of another queue waits, too."""
    queue, other = (lowstream.AsyncInferQueue(types, 2) for _ in range(2))
    waits, seen = threading.Event(), list[int]()

    class Waiting(list[lowstream.AsyncInferQueue]):
        def append(self, each: lowstream.AsyncInferQueue) -> None:
            super().append(each)
            waits.set()

    waiting = Waiting([other])
    monkeypatch.setattr(async_queue, "usable_cores", lambda: 4)
    monkeypatch.setattr(async_queue, "_waiting_in_callbacks", waiting)

    def go_on(request: InferRequest, number: int) -> None:
        seen.append(number)
        if number == 0:
            queue.start_async({"a": ONES, "b": ONES}, 1)

    busy, call = queue._calls[1], Call()
    busy.add(call)
    queue.set_callback(go_on)
    queue.start_async({"a": ONES, "b": ONES}, 0)
    assert waits.wait(LONG)
    queue._ended(busy, call, None)
    ends(queue.wait_all)
    assert seen == [0, 1]
    assert waiting == [other]


def test_the_first_error_is_raised_once(types: lowstream.CompiledModel):
    queue = lowstream.AsyncInferQueue(types, 1)

    def fail(_: object, number: int) -> None:
        raise ValueError(f"error {number}")

    queue.set_callback(fail)
    for number in range(3):
        queue.start_async({"a": ONES, "b": ONES}, number)
    with pytest.raises(ValueError, match="error 0"):
        ends(queue.wait_all)
    ends(queue.wait_all)


def test_a_start_asks_no_request_whether_it_calls_back(
    types: lowstream.CompiledModel, monkeypatch: pytest.MonkeyPatch
):
    """A queue of a thousand requests starts a call as quickly as one of two."""
    asked: list[InferRequest] = []
    monkeypatch.setattr(InferRequest, "is_calling_back", property(asked.append))
    queue = lowstream.AsyncInferQueue(types, 1000)
    for _ in range(3):
        queue.start_async({"a": ONES, "b": ONES})
    ends(queue.wait_all)
    assert not asked


def test_a_timeout_that_a_callback_raised_is_raised(types: lowstream.CompiledModel):
    """It does not say that the call takes longer."""

    def fail(_: object) -> None:
        raise TimeoutError("of the callback")

    request = types.create_infer_request()
    request.set_callback(fail)
    request.start_async({"a": ONES, "b": ONES})
    with pytest.raises(TimeoutError, match="of the callback"):
        request.wait_for(LONG * 1000)


def test_a_request_that_was_found_idle_stays_idle(types: lowstream.CompiledModel):
    queue = lowstream.AsyncInferQueue(types, 1)
    assert queue.get_idle_request_id() == 0
    assert queue.is_ready()


@pytest.mark.parametrize("took", [0, HANDOVER], ids=["made at once", "handed over"])
def test_each_call_is_followed(types: lowstream.CompiledModel, took: int):
    request, begun, ended = types.create_infer_request(), list[Call](), list[Any]()
    request.follow(begun.append, lambda *end: ended.append(end))
    for count in (1, 2):
        request._took = took
        request.start_async({"a": ONES, "b": ONES})
        request.wait()
        assert len(begun) == count
        assert ended == [(call, None) for call in begun]


def test_a_request_that_is_called_without_the_queue_is_idle_once(types: lowstream.CompiledModel):
    queue = lowstream.AsyncInferQueue(types, 1)
    queue[0].start_async({"a": ONES, "b": ONES})
    queue[0].wait()
    ends(queue.wait_all)
    assert queue._calls == [set()]


def test_a_callback_of_a_queue_may_take_an_idle_request(types: lowstream.CompiledModel):
    queue, seen = lowstream.AsyncInferQueue(types, 2), list[int]()

    def go_on(request: InferRequest, number: int) -> None:
        seen.append(number)
        if number < 9:
            queue.start_async({"a": ONES, "b": ONES}, number + 1)

    queue.set_callback(go_on)
    queue.start_async({"a": ONES, "b": ONES}, 0)
    ends(queue.wait_all)
    assert seen == [*range(10)]


def test_a_request_is_idle_after_the_last_call_that_its_callback_started(
    types: lowstream.CompiledModel, monkeypatch: pytest.MonkeyPatch
):
    queue, seen = lowstream.AsyncInferQueue(types, 1), list[int]()
    (request,) = queue
    run, let, first_is_done = request._run_in_any_room, threading.Event(), threading.Event()

    def second() -> None:
        assert first_is_done.wait(LONG)
        assert let.wait(LONG)
        run()

    def go_on(request: InferRequest, number: int) -> None:
        seen.append(int(request.results[0][0]))
        if len(seen) == 1:
            monkeypatch.setattr(request, "_run_in_any_room", second)
            first = request._last_started()
            assert first is not None
            request.start_async({"a": 2 * ONES})
            first.add_done_callback(lambda _: first_is_done.set())

    queue.set_callback(go_on)
    queue.start_async({"a": ONES, "b": ONES})
    assert first_is_done.wait(LONG)
    assert not queue.is_ready()
    let.set()
    ends(queue.wait_all)
    assert queue.is_ready()
    assert seen == [2, 3]


def test_the_request_that_was_said_to_be_idle_is_taken_next(types: lowstream.CompiledModel):
    """Though another one is idle by then: its inputs may be set meanwhile."""
    queue = lowstream.AsyncInferQueue(types, 3)
    queue._calls[0].add(busy := Call())
    number = queue.get_idle_request_id()
    queue._ended(queue._calls[0], busy, None)
    queue[number].set_tensor("a", ONES)
    queue[number].set_tensor("b", ONES)
    queue.start_async(userdata="taken")
    ends(queue.wait_all)
    assert queue.userdata[number] == "taken"


INTERRUPTED = ("async_queue.py", "async_calls.py", "exclusive.py", "thread.py", "request.py")
"""Files in whose functions Ctrl-C comes below: those of a start."""


class Interruption:
    """
    Raises KeyboardInterrupt at the n-th place where Python looks for signals: where a function begins, or where a call
    has just returned, whose result is then lost.
    """

    def __init__(self, number: int):
        self.number, self.left = number, number

    def __call__(self, frame: FrameType, event: str, of: object) -> None:
        if event not in ("call", "c_return"):
            return
        if not frame.f_code.co_filename.endswith(INTERRUPTED):
            return
        self.left -= 1
        if self.left < 0:
            sys.setprofile(None)
            raise KeyboardInterrupt


def test_no_interrupted_start_loses_a_request(types: lowstream.CompiledModel):
    """Ctrl-C at each place of a start: later starts find all requests, and wait_all ends."""
    for place in itertools.count():
        queue, seen = lowstream.AsyncInferQueue(types, 2), list[Any]()
        queue.set_callback(lambda _, number, seen=seen: seen.append(number))
        was_interrupted = False
        sys.setprofile(Interruption(place))
        try:
            queue.start_async({"a": ONES, "b": ONES}, "interrupted")
        except KeyboardInterrupt:
            was_interrupted = True
        finally:
            sys.setprofile(None)
        for number in range(4):
            ends(partial(queue.start_async, {"a": ONES, "b": ONES}, number))
        ends(queue.wait_all)
        assert sorted(each for each in seen if each != "interrupted") == [0, 1, 2, 3], place
        assert not any(queue._calls), place
        assert all(request._exclusive.is_free for request in queue), place
        if not was_interrupted:
            assert "interrupted" in seen
            assert place > 20
            break


@cache
def added() -> lowstream.CompiledModel:
    """For the machine below, which no fixture reaches."""
    return compiled(TYPES)


@dataclass
class Work:
    """A call, and what its callback does: calls of the same request that follow, and an error in the end."""

    value: int
    further: int = 0
    fails: bool = False


class CallsOfAQueue(RuleBasedStateMachine):
    """
    Any calls, cancelled or not, whose callbacks start others and raise: each call ends in one result or one error, and
    all requests are idle in the end.
    """

    @initialize(jobs=st.integers(1, 3))
    def begin(self, jobs: int) -> None:
        self.queue = lowstream.AsyncInferQueue(added(), jobs)
        self.queue.set_callback(self.call_back)
        self.due = Counter[int]()
        self.done = Counter[int]()
        self.lock = threading.Lock()
        self.fails = self.was_cancelled = False

    def call_back(self, request: InferRequest, work: Work) -> None:
        with self.lock:
            self.done[int(request.results["sum"][0])] += 1
        if work.further:
            work.further -= 1
            work.value += 1
            request.start_async({"a": work.value * ONES})
        elif work.fails:
            raise ValueError("of the callback")

    @rule(value=st.integers(0, 99), further=st.integers(0, 3), fails=st.booleans())
    def start(self, value: int, further: int, fails: bool) -> None:
        self.due.update(range(value + 1, value + further + 2))
        self.fails |= fails
        ends(
            lambda: self.queue.start_async(
                {"a": value * ONES, "b": ONES}, Work(value, further, fails)
            )
        )

    @rule()
    def start_what_does_not_fit(self) -> None:
        with pytest.raises(DiagnosticException, match="reshape"):
            ends(lambda: self.queue.start_async({"a": ONES[:2]}, Work(0)))

    @rule(number=st.integers(0, 2))
    def cancel(self, number: int) -> None:
        self.was_cancelled = True
        self.queue[number % len(self.queue)].cancel()

    @rule()
    def wait(self) -> None:
        errors = list[str]()
        try:
            ends(self.queue.wait_all)
        except (ValueError, DiagnosticException) as error:
            errors.append(str(error))
        expected = {"of the callback": self.fails, CANCELLED: self.was_cancelled}
        assert all(expected[error] for error in errors)
        assert errors or not self.fails
        if self.was_cancelled:
            assert self.done <= self.due
        else:
            assert self.done == self.due
        self.due.clear()
        self.done.clear()
        self.fails = self.was_cancelled = False
        assert self.queue.is_ready()
        assert not any(self.queue._calls)
        assert all(request._exclusive.is_free for request in self.queue)

    def teardown(self) -> None:
        if hasattr(self, "queue"):
            self.wait()


TestCallsOfAQueue = CallsOfAQueue.TestCase
TestCallsOfAQueue.settings = settings(max_examples=50, stateful_step_count=20)
