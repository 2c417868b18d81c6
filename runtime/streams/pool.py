"""`StreamPool` and its streams."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from functools import cached_property
from threading import Lock
from typing import TYPE_CHECKING, Any, NoReturn, Self

import numpy as np
from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.exceptions import DiagnosticException

from ...interop.foreign import called
from ...passes.errors import DiagnosticError
from ..cache.keys import digest_of_module
from ..requests.results import Results, by_key, distinct_places
from ..requests.sequence import frames_of
from .batches import Batches
from .plan import BATCH_SIZES
from .quick import Quick, QuickStream
from .snapshot import packed, unpacked

if TYPE_CHECKING:
    from ...interop.model import Model
    from ..aligned_buffers import Array
    from ..requests.request import Inputs

MOST_AT_ONCE = BATCH_SIZES[-1]
"""Frames of waiting callers that run before the next of them are looked at."""


class StreamPool:
    """
    Many independent streams of one stateful model. Frames that are ready run as one batch, which takes less time than a
    call for each. A stream gets the results that it would get alone, bit for bit.

        pool = StreamPool(model, capacity=1000)
        stream = pool.open()
        results = stream.infer({"X": frame})            # from a thread of its own: runs with others that wait
        results = pool.infer(streams, {"X": frames})    # one frame for each of these streams: results["Y"][i]
        stream.close()

    `model` has its states already (`low-latency2`). Each of its inputs has a dimension of size 1, that of the streams,
    but for the inputs in `shared`, whose values are the same for all streams. There are at most `capacity` streams at a
    time. Calls may come from any thread, and take turns in the order in which they come.

    Raises DiagnosticException where the model cannot be batched, as where an output has no dimension for the streams,
    or rows of a batch depend on each other.
    """

    def __init__(
        self,
        model: Model,
        capacity: int,
        *,
        shared: Mapping[Any, Any] | None = None,
        num_threads: int | None = None,
    ):
        _check_model(model)
        _check_capacity(capacity)
        _check_shared(shared)
        self.capacity = capacity
        """The most streams that are open at a time."""
        self.batches = 0
        """The number of batches that have run."""
        self._batches = Batches(deepcopy(model), shared or {}, num_threads)
        try:
            self._store = self._batches.store(capacity)
            self._free = list(range(capacity))[::-1]
        except (MemoryError, ValueError):  # NumPy's, where the size is no size
            raise DiagnosticError(
                f"the states of {capacity} streams do not fit into memory; give a smaller capacity"
            ) from None
        self._last: list[Stream] | None = None
        self._last_slots: Array = np.empty(0, np.intp)
        self._quick: Quick | None = None
        self._quick_stream: QuickStream | None = None
        self._lock = Lock()
        self._waiting: deque[_Call] = deque()

    # --- members ----------------------------------------------------------------------------

    def open(self) -> Stream:
        """A stream that begins with the initial states. Raises DiagnosticException where the pool is full."""
        with self._lock:
            slot = self._take_slot()
        return Stream(self, slot)

    def restore(self, snapshot: bytes) -> Stream:
        """
        A stream that goes on where a `snapshot` of one was made, in another process or on another machine, too. Raises
        DiagnosticException where the pool is full, and for what is no snapshot of this model.
        """
        with self._lock:
            rows = [array[0] for array in self._store.arrays]
            states, is_set = unpacked(snapshot, rows, self._names, self._fingerprint)
            slot = self._take_slot()
            place = self._store.place(slot)
            for array, state in zip(self._store.arrays, states, strict=True):
                array[place] = state
            self._store.mark(slot, is_set)
        return Stream(self, slot)

    def _take_slot(self) -> int:
        if not self._free:
            raise DiagnosticError(
                f"the pool is full: its capacity is {self.capacity} streams; close one, or make a larger pool"
            )
        return self._free.pop()

    def __len__(self) -> int:
        """How many streams there are."""
        return self.capacity - len(self._free)

    def __reduce__(self) -> NoReturn:
        raise TypeError(
            "a pool is neither copied nor pickled: make another of the model, and restore snapshots of streams there"
        )

    def __repr__(self) -> str:
        return f"<StreamPool {len(self)} of {self.capacity} streams>"

    # --- running ----------------------------------------------------------------------------

    def infer(self, streams: Sequence[Stream], inputs: Inputs) -> Results:
        """
        One frame for each of these streams. Arrays have one more leading dimension than the inputs of the model, and so
        have results.

        Raises DiagnosticException where arrays do not fit, and for a stream that is closed, of another pool or given
        twice; then no state has changed.
        """
        with self._lock:
            if (found := self._infer_again(streams, inputs)) is not None:
                return found
        if not isinstance(streams, Sequence):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise _no_streams(streams)
        by_keys = by_key(inputs, len(self._batches.inputs))
        frames = self._frames(by_keys, len(streams))
        with self._lock:
            results = self._batches.in_a_row.results(self._run(frames, streams))
            self._quick = Quick.of(self._batches, self._store, (*by_keys,), frames, results)
        return results

    def _infer_again(self, streams: Sequence[Stream], inputs: Inputs) -> Results | None:
        """With the lock: the results where all is as in the last call; None where it is not."""
        if self._quick is None or streams.__class__ is not list or streams != self._last:
            return None
        if (found := self._quick.run(inputs)) is not None:
            self.batches += 1
        return found

    def _run(self, frames: dict[int, Array], streams: Sequence[Stream]) -> list[Array]:
        """With the lock."""
        outputs = self._batches.run(frames, self._store, self._slots(streams))
        self.batches += 1
        return outputs

    def _frames(self, inputs: Mapping[Any, Any], count: int) -> dict[int, Array]:
        """Frames by the number of their input. Raises DiagnosticException unless each input has so many."""
        batches = self._batches
        frames, found = frames_of(inputs, batches.inputs)
        if found != count:
            raise DiagnosticError(f"there are {count} streams, and frames for {found}")
        if frames.keys() == batches.read:
            return frames
        for number in frames.keys() - batches.input_rows.keys():
            raise DiagnosticError(
                f"{batches.inputs[number]} is shared by all streams; its value is given to the pool"
            )
        for number in batches.input_rows.keys() - frames.keys():
            if batches.inputs[number].is_used:
                raise DiagnosticError(
                    f"{batches.inputs[number]} has no frames; give one for each stream"
                )
        # Without what nothing uses, callers who wait together have given the same inputs.
        return {n: frames[n] for n in batches.read}

    def _slots(self, streams: Sequence[Stream]) -> Array:
        if streams == self._last:  # nobody left meanwhile
            return self._last_slots
        for each in streams:
            if each.__class__ is not Stream:
                raise _no_streams(each)
        slots = [stream.slot_in(self) for stream in streams]
        if len({*slots}) < len(slots):
            raise DiagnosticError("a stream is given twice; it takes one frame at a time")
        self._last, self._last_slots = list(streams), np.array(slots, np.intp)
        return self._last_slots

    def infer_one(self, stream: Stream, inputs: Inputs) -> Results:
        """One frame of one stream, together with what waits in other threads."""
        quick = self._quick_stream
        is_ours = stream.pool is self
        if quick is not None and is_ours and not self._waiting and self._lock.acquire(False):
            # Nobody waits or runs; the inputs may be like those before.
            try:
                if (found := quick.run(stream.slot, inputs)) is not None:
                    self.batches += 1
                    return found
            finally:
                self._lock.release()
        ports = self._batches.inputs
        by_keys = by_key(inputs, len(ports))
        places = distinct_places(by_keys, ports)
        given = {n: ports[n].accept(by_keys[key])[None] for key, n in places.items()}
        call = _Call(stream, self._frames(given, 1))
        self._waiting.append(call)
        # Whoever has the lock runs what waits, the first first, until its own call is done.
        with self._lock:
            while not call.is_done:
                self._run_waiting()
        if call.error is not None:
            raise call.error
        if self._quick_stream is None or self._quick_stream.keys != (*by_keys,):
            keys, numbers = (*by_keys,), (*given,)
            self._quick_stream = QuickStream.of(self._batches, self._store, keys, numbers)
        return Results(self._batches.outputs, call.outputs)

    def _run_waiting(self) -> None:
        calls: list[_Call] = []
        streams: set[Stream] = set()
        while self._waiting and len(calls) < MOST_AT_ONCE:
            if self._waiting[0].stream in streams:
                break  # its next frame
            call = self._waiting.popleft()
            try:
                call.stream.slot_in(self)
            except DiagnosticException as error:
                call.error, call.is_done = error, True
                continue
            calls.append(call)
            streams.add(call.stream)
        try:
            frames = _together([call.frames for call in calls])
            outputs = self._run(frames, [call.stream for call in calls])
        except BaseException as error:
            for call in calls:
                call.error, call.is_done = error, True
            raise
        for place, call in enumerate(calls):
            call.outputs = [output[place] for output in outputs]
            call.is_done = True

    # --- what streams do --------------------------------------------------------------------

    def reset(self, stream: Stream) -> None:
        """Puts a stream back to the initial states."""
        with self._lock:
            self._store.mark(stream.slot_in(self), False)

    def snapshot(self, stream: Stream) -> bytes:
        """The states of a stream."""
        with self._lock:
            slot = stream.slot_in(self)
            rows = [array[self._store.place(slot)].copy() for array in self._store.arrays]
            is_set = bool(self._store.is_set[slot])
        return packed(rows, self._names, is_set, self._fingerprint)

    def close(self, stream: Stream) -> None:
        """Frees a stream's place."""
        with self._lock:
            if stream.is_open:
                slot = stream.leave()
                self._store.mark(slot, False)
                self._free.append(slot)
                self._last = None

    @cached_property
    def _names(self) -> list[str]:
        return [state.port.any_name for state in self._batches.states]

    @cached_property
    def _fingerprint(self) -> str:
        return digest_of_module(self._batches.module)


def _together(each: Sequence[dict[int, Array]]) -> dict[int, Array]:
    """The frames of several calls."""
    if len(each) == 1:
        return each[0]
    return {n: np.concatenate([frames[n] for frames in each]) for n in (each[0] if each else ())}


def _check_model(given: object) -> None:
    if not isinstance(getattr(given, "module", None), ModuleOp):
        raise DiagnosticError(
            f"a StreamPool compiles its model itself; give what lowstream.read_model gave, not {called(given)}"
        )


def _no_streams(given: object) -> DiagnosticError:
    return DiagnosticError(
        f"infer takes a list of streams, which open gave; {called(given)} is none"
    )


def _check_capacity(given: object) -> None:
    if not isinstance(given, int) or isinstance(given, bool) or given < 1:
        raise DiagnosticError(f"capacity is {given!r}; give a number of streams from 1")


def _check_shared(given: object) -> None:
    if given is not None and not isinstance(given, Mapping):
        raise DiagnosticError(f"shared is {given!r}; give values by name: {{'rate': 16000}}")


@dataclass
class _Call:
    """A frame of a stream, and what became of it."""

    stream: Stream
    frames: dict[int, Array]
    outputs: list[Array] = field(default_factory=list["Array"])
    error: BaseException | None = None
    is_done: bool = False


class Stream:
    """
    One stream of a pool, until it is closed; as a context manager it closes itself. It serves one caller at a time:
    frames of several threads are taken in the order in which they come.
    """

    def __init__(self, pool: StreamPool, slot: int):
        self.pool, self.slot = pool, slot

    def __reduce__(self) -> NoReturn:
        raise TypeError(
            "a stream is neither copied nor pickled: pool.restore(stream.snapshot()) opens one that goes on from there"
        )

    def infer(self, inputs: Inputs) -> Results:
        """
        The results of the next frame. Waits for its turn; what other threads wait for runs in the same batch.

        Raises DiagnosticException where an array does not fit, an input is missing, or the stream is closed.
        """
        return self.pool.infer_one(self, inputs)

    def reset(self) -> None:
        """Back to the initial states."""
        self.pool.reset(self)

    def snapshot(self) -> bytes:
        """The states as they are now, for `StreamPool.restore`."""
        return self.pool.snapshot(self)

    def close(self) -> None:
        """Leaves the pool, whose place is free then; what comes later for this stream is refused."""
        self.pool.close(self)

    @property
    def is_open(self) -> bool:
        """Whether it has a place in its pool."""
        return self.slot >= 0

    def slot_in(self, pool: StreamPool) -> int:
        """Its place. Raises DiagnosticException if it is closed, or in another pool."""
        if self.pool is not pool:
            raise DiagnosticError("the stream is of another pool")
        if not self.is_open:
            raise DiagnosticError("the stream is closed; open another")
        return self.slot

    def leave(self) -> int:
        """Gives up its place, and says which it was."""
        slot, self.slot = self.slot, -1
        return slot

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<Stream {self.slot} of {self.pool}>" if self.is_open else "<Stream, closed>"
