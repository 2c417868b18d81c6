"""Asynchronous calls: in coroutines whose loop goes on, at once where that is quicker, cancelled with their task."""

from __future__ import annotations

import asyncio
import gc
import threading
from collections.abc import Callable, Coroutine
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from xdsl.utils.exceptions import DiagnosticException

import lowstream
from lowstream.runtime.requests.async_calls import HANDOVER, TURN
from lowstream.runtime.requests.request import InferRequest
from lowstream.test.unit.runtime.runtime_models import START

ONES = np.ones((1, 4), np.float32)
LONG = 200
"""Seconds after which what never ends fails."""


@pytest.fixture
def request_of_sums(sums: lowstream.CompiledModel) -> InferRequest:
    request = sums.create_infer_request()
    request.set_tensor(0, ONES)
    return request


def in_a_loop(coroutine: Callable[[], Coroutine[Any, Any, Any]]) -> Any:
    return asyncio.run(asyncio.wait_for(coroutine(), LONG))


@pytest.mark.parametrize("took", [0, HANDOVER], ids=["at once", "handed over"])
def test_results_are_those_of_infer(request_of_sums: InferRequest, took: int):
    """Those of a call stay as they are while others run."""

    async def calls() -> list[Any]:
        found: list[Any] = []
        for _ in range(4):
            request_of_sums._took = took
            found.append(await request_of_sums.infer_async([ONES]))
        return found

    for number, results in enumerate(in_a_loop(calls), 1):
        assert_array_equal(results[0], np.array(START) + number)


def test_the_loop_goes_on(request_of_sums: InferRequest, monkeypatch: pytest.MonkeyPatch):
    """The call ends when another coroutine lets it."""
    let = threading.Event()
    run = request_of_sums._run

    def wait() -> None:
        assert let.wait(LONG)
        run()

    async def both() -> Any:
        results, _ = await asyncio.gather(request_of_sums.infer_async(), tell())
        return results

    async def tell() -> None:
        let.set()

    monkeypatch.setattr(request_of_sums, "_run", wait)
    assert_array_equal(in_a_loop(both)[0], np.array(START) + 1)


def test_a_cancelled_task_cancels_its_call(
    request_of_sums: InferRequest, monkeypatch: pytest.MonkeyPatch
):
    """It ends when the call has ended, and the request is free."""
    started, stopped = threading.Event(), threading.Event()

    def wait() -> None:
        started.set()
        assert stopped.wait(LONG)
        raise DiagnosticException("the inference was cancelled")

    async def cancelled() -> None:
        task = asyncio.create_task(request_of_sums.infer_async())
        while not started.is_set():
            await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert stopped.is_set()
        assert request_of_sums._exclusive.is_free

    with monkeypatch.context() as patch:
        patch.setattr(request_of_sums, "_run", wait)
        patch.setattr(request_of_sums, "cancel", stopped.set)
        in_a_loop(cancelled)
    assert_array_equal(request_of_sums.infer([ONES])[0], np.array(START) + 1)


def test_results_nobody_keeps_are_used_again(request_of_sums: InferRequest):
    found = set[int]()
    for _ in range(3):
        request_of_sums._took = 0
        request_of_sums.start_async()
        request_of_sums.wait()
        found.add(id(request_of_sums.results))
    assert len(found) == 1


def test_what_was_cancelled_twice_is_not_reported(
    request_of_sums: InferRequest, monkeypatch: pytest.MonkeyPatch
):
    """asyncio reports failures that nobody asked for; a second cancellation ends the wait for this one."""
    begun, stopped, reported = threading.Event(), threading.Event(), list[Any]()

    def run() -> None:
        begun.set()
        assert stopped.wait(LONG)
        raise DiagnosticException("the inference was cancelled")

    async def cancelled() -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _, what: reported.append(what))
        task = asyncio.create_task(request_of_sums.infer_async())
        await asyncio.to_thread(begun.wait, LONG)
        for _ in range(2):
            task.cancel()
            await asyncio.sleep(0)
        with pytest.raises(asyncio.CancelledError):
            await task
        stopped.set()
        with pytest.raises(DiagnosticException):
            await asyncio.to_thread(request_of_sums.wait)
        with pytest.raises(DiagnosticException):
            await request_of_sums.infer_async()  # which lets go of the last call
        gc.collect()

    monkeypatch.setattr(request_of_sums, "_run", run)
    in_a_loop(cancelled)
    assert not reported


@pytest.mark.parametrize("took", [0, HANDOVER], ids=["at once", "handed over"])
def test_errors_are_the_waiters(
    request_of_sums: InferRequest, took: int, monkeypatch: pytest.MonkeyPatch
):
    def fail() -> None:
        raise DiagnosticException("no way")

    monkeypatch.setattr(request_of_sums, "_run", fail)
    request_of_sums._took = took
    with pytest.raises(DiagnosticException, match="no way"):
        in_a_loop(request_of_sums.infer_async)
    request_of_sums.start_async()
    with pytest.raises(DiagnosticException, match="no way"):
        request_of_sums.wait()
    with pytest.raises(DiagnosticException, match="no way"):
        request_of_sums.wait_for(1000)


def test_short_calls_are_made_at_once(
    request_of_sums: InferRequest, monkeypatch: pytest.MonkeyPatch
):
    """But callbacks are called in another thread: the caller may hold what they want."""
    run, threads = request_of_sums._run, list[int]()

    def note() -> None:
        threads.append(threading.get_ident())
        run()

    monkeypatch.setattr(request_of_sums, "_run", note)
    for callback in (None, lambda _: None):
        if callback is not None:
            request_of_sums.set_callback(callback)
        for took in (0, HANDOVER):
            request_of_sums._took = took
            request_of_sums.start_async()
            request_of_sums.wait()
    own = threading.get_ident()
    assert [thread == own for thread in threads] == [True, False, False, False]


def test_short_calls_take_turns(request_of_sums: InferRequest):
    """With other coroutines, after some."""
    seen: list[str] = []

    async def call() -> None:
        request_of_sums._took, request_of_sums._turn = 0, TURN
        await request_of_sums.infer_async([ONES])
        seen.append("call")

    async def other() -> None:
        seen.append("other")

    async def both() -> None:
        await asyncio.gather(call(), other())

    in_a_loop(both)
    assert seen == ["other", "call"]
