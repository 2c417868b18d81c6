"""Behaviours of states, asynchronous calls and queues."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np

from .side import ONES, A, B, Behaviour, Side, after, plain


def started(s: Side, *inputs: Any, **options: Any) -> Any:
    request = s.request("two")
    request.start_async(*inputs or ([A, B],), **options)
    request.wait()
    return request


def callback(s: Side) -> Any:
    request, seen = s.request("two"), []
    request.set_callback(
        lambda data: seen.append((data, threading.current_thread().name == "MainThread")), 7
    )
    request.start_async([A, B])
    request.wait()
    return seen


def callback_chain(s: Side) -> Any:
    """A callback that starts the next call."""
    request, seen, done = s.request("two", A, B), [], threading.Event()

    def again(data: Any) -> None:
        seen.append(data)
        if len(seen) < 3:
            request.start_async(userdata=len(seen))
        else:
            done.set()

    request.set_callback(again, 0)
    request.start_async()
    done.wait(200)
    request.wait()
    return seen


def callback_that_raises(s: Side) -> Any:
    request = s.request("two", A, B)

    def fail(data: Any) -> None:
        raise ValueError("of the callback")

    request.set_callback(fail, None)
    request.start_async()
    request.wait()


def queue(run: Any, jobs: int = 2) -> Behaviour:
    return lambda s: run(s.module.AsyncInferQueue(s.two, jobs), s)


def queued(q: Any, s: Side) -> Any:
    seen: dict[int, Any] = {}
    q.set_callback(lambda request, n: seen.update({n: plain(request.get_output_tensor(0))}))
    for number in range(5):
        q.start_async({"a": A * number, "b": B}, number)
    q.wait_all()
    return {number: seen[number] for number in sorted(seen)}


def failing(q: Any, s: Side) -> Any:
    def fail(request: Any, data: Any) -> None:
        raise ValueError("of the callback")

    q.set_callback(fail)
    q.start_async([A, B])
    q.wait_all()


def state(s: Side) -> Any:
    request = s.request("sums")
    return request, request.query_state()[0]


def set_state(value: Any) -> Behaviour:
    def run(s: Side) -> Any:
        request, one = state(s)
        one.state = s.module.Tensor(value) if s.is_openvino else value
        return request.infer([ONES])[0]

    return run


def after_two_steps(read: Any) -> Behaviour:
    def run(s: Side) -> Any:
        request, one = state(s)
        for _ in range(2):
            request.infer([ONES])
        return read(request, one)

    return run


def steps_of(request: Any, count: int = 2) -> Any:
    return [np.array(request.infer([ONES])[0]) for _ in range(count)]


def failed_step(s: Side) -> Any:
    """A call that is refused leaves states as they were."""
    request, _ = state(s)
    request.infer([ONES])
    try:
        request.infer([ONES[:, :2]])
    except RuntimeError:
        return request.infer([ONES])[0]


def copied_state(s: Side) -> Any:
    """A state from one request to another."""
    (first, one), (second, other) = state(s), state(s)
    steps_of(first)
    other.state = one.state
    return second.infer([ONES])[0]


STREAMING: dict[str, Behaviour] = {
    "start_async, wait": lambda s: started(s).get_tensor("sum"),
    "start_async: results": lambda s: started(s).results[1],
    "start_async: by name": lambda s: started(s, {"a": B, "b": B}).get_tensor("sum"),
    "start_async: userdata": lambda s: started(s, userdata=5).userdata,
    "start_async: share_inputs": lambda s: started(s, share_inputs=True).get_tensor("sum"),
    "start_async: another shape": lambda s: started(s, [A[:, :2], B]),
    "start_async twice": lambda s: after(
        r := started(s), r.start_async([B, B]), r.wait(), r.get_tensor("sum")
    ),
    "wait without a start": lambda s: after(s.request("two").wait(), True),
    "wait twice": lambda s: after(r := started(s), r.wait(), r.get_tensor("sum")),
    "wait_for": lambda s: after(r := started(s), r.wait_for(1000)),
    "wait_for less than nothing": lambda s: started(s).wait_for(-1),
    "wait_for without a start": lambda s: s.request("two").wait_for(10),
    "cancel of an idle request": lambda s: after(
        r := s.request("two", A, B), r.cancel(), r.infer()[0]
    ),
    "set_callback": callback,
    "set_callback: the next call": callback_chain,
    "set_callback that raises": callback_that_raises,
    "userdata at first": lambda s: s.request("two").userdata,
    "AsyncInferQueue": queue(queued),
    "AsyncInferQueue: len": queue(lambda q, s: len(q)),
    "AsyncInferQueue: iteration": queue(lambda q, s: len(list(q))),
    "AsyncInferQueue[number]": queue(
        lambda q, s: after(
            q.start_async([A, B]), q.wait_all(), q[q.get_idle_request_id()].model_inputs
        )
    ),
    "AsyncInferQueue[beyond]": queue(lambda q, s: q[9]),
    "AsyncInferQueue.is_ready": queue(lambda q, s: q.is_ready()),
    "AsyncInferQueue.get_idle_request_id": queue(lambda q, s: q.get_idle_request_id() in (0, 1)),
    "AsyncInferQueue.userdata": queue(
        lambda q, s: after(q.start_async([A, B], 3), q.wait_all(), 3 in list(q.userdata))
    ),
    "AsyncInferQueue: of its own size": queue(lambda q, s: len(q) >= 1, jobs=0),
    "AsyncInferQueue: wait_all at once": queue(lambda q, s: after(q.wait_all(), True)),
    "AsyncInferQueue: a callback that raises": queue(failing),
    "AsyncInferQueue: share_inputs": queue(
        lambda q, s: after(q.start_async([A, B], share_inputs=True), q.wait_all(), q[0].results[0]),
        1,
    ),
    "AsyncInferQueue: another shape": queue(lambda q, s: q.start_async([A[:, :2], B])),
    "states go on": lambda s: steps_of(s.request("sums"), 3),
    "states of two requests": lambda s: after(
        steps_of(s.request("sums")), steps_of(s.request("sums"))
    ),
    "query_state: names": lambda s: [one.name for one in s.request("sums").query_state()],
    "query_state of none": lambda s: s.request("two").query_state(),
    "state after steps": after_two_steps(lambda r, one: one.state),
    "state.reset": after_two_steps(lambda r, one: after(one.reset(), steps_of(r))),
    "reset_state": after_two_steps(lambda r, one: after(r.reset_state(), steps_of(r))),
    "state is set": set_state(np.full((1, 4), 10, np.float32)),
    "state is set: another shape": set_state(np.full((1, 3), 10, np.float32)),
    "state is set: another type": set_state(np.full((1, 4), 10, np.float64)),
    "state.shape": after_two_steps(lambda r, one: list(one.state.shape)),
    "state of another request": copied_state,
    "state: later steps leave a copy": after_two_steps(
        lambda r, one: after(
            held := np.array(getattr(one.state, "data", one.state)), steps_of(r), held
        )
    ),
    "states of a refused call": failed_step,
    "CompiledModel.query_state": lambda s: after(
        c := s.core.compile_model(s.path("sums"), "CPU"), c([ONES]), c.query_state()[0].name
    ),
    "CompiledModel.reset_state": lambda s: after(
        c := s.core.compile_model(s.path("sums"), "CPU"), c([ONES]), c.reset_state(), c([ONES])[0]
    ),
}
