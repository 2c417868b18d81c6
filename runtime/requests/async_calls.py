"""Calls of a request that return before they are done."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from functools import cache
from numbers import Real
from time import perf_counter_ns
from typing import TYPE_CHECKING, Any

from ...passes.errors import DiagnosticError, shown
from ..host import usable_cores
from .done import Done

if TYPE_CHECKING:
    from concurrent.futures import Future, ThreadPoolExecutor

    from ..profiling.stages import StageTimes
    from .exclusive import Exclusive
    from .request import Inputs
    from .results import Results

HANDOVER = 20_000
"""Nanoseconds that it takes to hand a call to another thread; a shorter one is made at once."""

MOST_MILLISECONDS = threading.TIMEOUT_MAX * 1000
"""The longest time that the system can wait for."""

TURN = 200_000
"""Nanoseconds of such calls after which a coroutine lets others run."""


class _OfThread(threading.local):
    calling_back: AsyncCalls | None = None
    """The request whose callback it runs."""


_of_thread = _OfThread()


def calling_back() -> AsyncCalls | None:
    """The request whose callback this thread runs."""
    return _of_thread.calling_back


class Call:
    """An asynchronous call, which whoever takes it first makes: once at most, whatever interrupts its start."""

    __slots__ = ("offers",)

    def __init__(self):
        self.offers: list[None] = [None]
        """Deleting the only one takes the call. No signal comes between that and the statement behind it."""


def _tell_nobody(call: Call) -> None:
    del call


def _tell_nobody_of_end(call: Call, error: BaseException | None) -> None:
    del call, error


class AsyncCalls:
    """The asynchronous calls of a request. They are built on `infer` and the memory that it runs on."""

    if TYPE_CHECKING:
        stage_times: StageTimes
        _exclusive: Exclusive
        _starting: threading.Lock
        _give_back: Callable[[None], None]
        _take_inputs: Callable[[Inputs, bool], None]
        _results: Results

        def cancel(self) -> None: ...
        def _forget_to_stop(self) -> None: ...
        def _renew_results(self) -> None: ...
        def _run_in_any_room(self) -> None: ...

    _pending: Future[Results] | Done | None = None
    _took, _turn = HANDOVER, 0
    _is_timed = False
    _callback: Callable[[Any], None] | None = None
    _begins: Callable[[Call], None] = staticmethod(_tell_nobody)
    _ends: Callable[[Call, BaseException | None], None] = staticmethod(_tell_nobody_of_end)
    userdata: Any = None
    """The argument of the callback of an asynchronous call."""

    def start_async(
        self, inputs: Inputs | None = None, userdata: Any = None, share_inputs: bool = False
    ) -> None:
        """
        As `infer`, but returns at once; `wait` waits for the results. `userdata` goes to the callback.

        Another thread makes the call. The caller's thread makes it before this returns where there is no callback and
        the last call took less time than handing one over (`HANDOVER`), and where the process is about to end.
        """
        self._start(inputs, userdata, share_inputs)

    def _start(
        self, inputs: Inputs | None, userdata: Any, share_inputs: bool
    ) -> Future[Results] | Done:
        call = Call()
        self._exclusive.hold()
        try:
            self._forget_to_stop()
            if inputs is not None:
                self._take_inputs(inputs, share_inputs)
            if userdata is not None:
                self.userdata = userdata
            with self._starting:
                self._pending = None  # which holds the last results
                self._renew_results()
                self._begins(call)
                is_for_others = self._took >= HANDOVER or self._callback is not None
                if is_for_others and (pending := self._hand_over(call)) is not None:
                    self._pending = pending
                    return pending
            try:
                done = Done(self._make(call))
            except Exception as error:  # noqa: BLE001
                done = Done(self._results, error)
        except BaseException:
            try:
                del call.offers[0]
            except IndexError:
                pass  # it is made, and ends by itself
            else:
                self._give_back(None)
                self._ends(call, None)
            raise
        self._pending = done
        return done

    def _hand_over(self, call: Call) -> Future[Results] | None:
        """Lets another thread make the call. None where there is no thread for it, as when the process ends."""
        if not threading.main_thread().is_alive():
            return None
        try:
            return _workers(os.getpid()).submit(self._make, call)
        except RuntimeError:  # also where the system has no more threads
            return None

    def _last_started(self) -> Future[Results] | Done | None:
        """The call that started last; while a callback is about to start one, this waits until it has."""
        with self._starting:
            return self._pending

    def _run_and_measure(self) -> None:
        begin = perf_counter_ns()
        self._run_in_any_room()
        self._took = perf_counter_ns() - begin
        self._turn += self._took
        self._is_timed = True

    def _make(self, call: Call) -> Results:
        try:
            del call.offers[0]
        except IndexError:
            return self._results
        failure = None
        try:
            try:
                self._run_and_measure()
                results = self._results
            finally:
                self._give_back(None)
            if self._callback is not None:
                _of_thread.calling_back = self
                try:
                    self._callback(self.userdata)
                finally:
                    _of_thread.calling_back = None
        except BaseException as error:
            failure = error
            raise
        finally:
            self._ends(call, failure)
        return results

    async def infer_async(
        self, inputs: Inputs | None = None, share_inputs: bool = False
    ) -> Results:
        """
        As `infer`, in a coroutine, whose loop goes on meanwhile. Where the task is cancelled, so is the call: states
        stay as they were, and the request is free for the next.

            results = await request.infer_async({"X": x})
        """
        pending = self._start(inputs, None, share_inputs)
        if isinstance(pending, Done):
            if self._turn > TURN:
                from asyncio import sleep

                self._turn = 0
                await sleep(0)
            return pending.result()
        from asyncio import CancelledError, wait, wrap_future

        done = wrap_future(pending)
        try:
            await wait([done])  # which leaves the call alone when it is cancelled itself
        except CancelledError:
            self.cancel()
            done.add_done_callback(lambda call: call.exception())  # nobody else asks what it raised
            await wait([done])
            raise
        return done.result()

    def set_callback(self, callback: Callable[[Any], None] | None, userdata: Any = None) -> None:
        """
        Sets the function that is called with `userdata` after each asynchronous call that succeeds. It runs in the
        thread that made the call, and may start the next one. None is for no function. Raises DiagnosticException for
        what cannot be called.
        """
        check_callback(callback)
        with self._exclusive:
            self._callback, self.userdata = callback, userdata

    def follow(
        self, begins: Callable[[Call], None], ends: Callable[[Call, BaseException | None], None]
    ) -> None:
        """
        From now on calls `begins` with each asynchronous call, those that callbacks start included, and `ends` with it
        and what it raised, when it and its callback are done, or nobody will make it.
        """
        self._begins, self._ends = begins, ends

    @property
    def is_calling_back(self) -> bool:
        """Whether this thread runs the callback."""
        return calling_back() is self

    def wait(self) -> None:
        """
        Waits for the call that `start_async` began, and for its callback; raises what these raised. Raises
        DiagnosticException in that callback, which would wait for itself.
        """
        pending = self._last_started()
        if isinstance(pending, Done):
            pending.result()
        elif pending is not None:
            self._refuse_in_callback("wait")
            with self.stage_times.count("wait"):
                waited = None  # the callback may start another
                while pending is not None and pending is not waited:
                    pending.result()
                    waited, pending = pending, self._last_started()

    def wait_for(self, timeout: float) -> bool:
        """
        As `wait`, but for at most so many milliseconds. Returns whether a call was started and is done. Raises
        DiagnosticException for what is no number, or below 0.
        """
        if not isinstance(timeout, Real) or not timeout >= 0:  # pyright: ignore[reportUnnecessaryIsInstance]
            raise DiagnosticError(
                f"wait_for was given {shown(timeout)}; give milliseconds, from 0 on; wait waits for any time"
            )
        if (pending := self._last_started()) is None:
            return False
        if not isinstance(pending, Done):
            self._refuse_in_callback("wait_for")
        try:
            pending.result(float(min(timeout, MOST_MILLISECONDS)) / 1000)
        except TimeoutError:
            if not pending.done():
                return False
            pending.result()  # raises what the callback raised, or the call was done just after the time
        return True

    def _refuse_in_callback(self, name: str) -> None:
        if self.is_calling_back:
            raise DiagnosticError(
                f"{name} in the request's own callback would wait for this callback; results are there without it, and "
                "those of a call that the callback starts are for the next callback"
            )


def check_callback(callback: object) -> None:
    """Raises DiagnosticException for what cannot be called, but for None."""
    if callback is not None and not callable(callback):
        raise DiagnosticError(
            f"the callback is {shown(callback)}; give a function, or None for none"
        )


@cache
def _workers(process: int) -> ThreadPoolExecutor:
    """The threads that run asynchronous calls: a set for each process, since threads do not survive a fork."""
    from concurrent.futures import ThreadPoolExecutor

    del process
    return ThreadPoolExecutor(usable_cores(), "lowstream")
