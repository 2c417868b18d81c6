"""A pool through any lives of its streams: opened, stepped together or alone, cut short, reset, moved and closed."""

from __future__ import annotations

import threading
from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, precondition, rule
from numpy.testing import assert_array_equal
from xdsl.utils.exceptions import DiagnosticException

import lowstream
from lowstream.interop.model import Model
from lowstream.runtime.streams.pool import Stream
from lowstream.test.unit.runtime.runtime_models import START, SUMS, module

CAPACITY = 70
"""A window of 64 and some."""

Array = np.ndarray[Any, Any]


@cache
def pools() -> list[lowstream.StreamPool]:
    """Two of one model: snapshots of the one go on in the other. They compile once, and every run leaves them empty."""
    return [lowstream.StreamPool(Model(module(SUMS)), CAPACITY, num_threads=1) for _ in range(2)]


class LivesOfStreams(RuleBasedStateMachine):
    """The running sum of each stream is what it would be alone."""

    def __init__(self) -> None:
        super().__init__()
        self.sums: dict[Stream, Array] = {}
        self.snapshots: list[tuple[bytes, Array]] = []
        self.pool = pools()[0]

    @property
    def streams(self) -> list[Stream]:
        return list(self.sums)

    def step(self, streams: list[Stream], frames: Array) -> Array:
        """What is due for one frame each."""
        for stream, frame in zip(streams, frames, strict=True):
            self.sums[stream] = self.sums[stream] + frame
        return np.array([self.sums[stream] for stream in streams])

    @rule(count=st.sampled_from([1, 3, 16, 64, CAPACITY]))
    def open(self, count: int) -> None:
        for _ in range(min(count, CAPACITY - len(self.sums))):
            self.sums[self.pool.open()] = np.array(START, np.float32)
        if len(self.sums) == CAPACITY:
            with pytest.raises(DiagnosticException, match="the pool is full"):
                self.pool.open()
        assert len(self.pool) == len(self.sums)

    @rule(data=st.data(), seed=st.integers(0, 99))
    def infer(self, data: st.DataObject, seed: int) -> None:
        """Streams in any order, all or some."""
        share = data.draw(st.sampled_from([0.05, 0.5, 0.9, 1.0]))
        random = np.random.default_rng(seed)
        streams = [stream for stream in self.streams if random.random() <= share]
        if data.draw(st.booleans()):
            random.shuffle(streams)
        frames = random.integers(-9, 9, (len(streams), 1, 4)).astype(np.float32)
        found = self.pool.infer(streams, {"X": frames})
        due = self.step(streams, frames)
        assert_array_equal(found["Y"], due.reshape(frames.shape))
        assert_array_equal(found["twice"], 2 * due.reshape(frames.shape))

    @precondition(lambda self: len(self.sums) > 1)
    @rule(count=st.integers(2, 6))
    def infer_in_threads(self, count: int) -> None:
        """Each caller has a frame for its stream; two may have the same."""
        chosen = [self.streams[i % min(len(self.sums), 4)] for i in range(count)]
        found: list[Array] = []

        def call(stream: Stream) -> None:
            found.append(stream.infer({"X": np.ones((1, 4), np.float32)})["Y"])

        threads = [threading.Thread(target=call, args=(stream,)) for stream in chosen]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        due = np.array([self.step([stream], np.ones((1, 1, 4))) for stream in chosen])
        assert sorted(array.tolist() for array in found) == sorted(due[:, 0].tolist())

    @precondition(lambda self: self.sums)
    @rule(place=st.integers(0, CAPACITY - 1))
    def reset(self, place: int) -> None:
        stream = self.streams[place % len(self.sums)]
        stream.reset()
        self.sums[stream] = np.array(START, np.float32)

    @precondition(lambda self: self.sums)
    @rule(place=st.integers(0, CAPACITY - 1))
    def snapshot(self, place: int) -> None:
        stream = self.streams[place % len(self.sums)]
        self.snapshots.append((stream.snapshot(), self.sums[stream]))

    @precondition(lambda self: self.snapshots and len(self.sums) < CAPACITY)
    @rule(place=st.integers(0, 99))
    def restore(self, place: int) -> None:
        snapshot, total = self.snapshots[place % len(self.snapshots)]
        self.sums[self.pool.restore(snapshot)] = total

    @rule()
    def move(self) -> None:
        """All streams to the other pool."""
        other = next(pool for pool in pools() if pool is not self.pool)
        moved = {other.restore(stream.snapshot()): total for stream, total in self.sums.items()}
        self.close(1)
        self.pool, self.sums = other, moved

    @rule(every=st.integers(1, 5))
    def close(self, every: int) -> None:
        """Streams that just ran together, which then no longer do."""
        streams, frames = self.streams, np.zeros((len(self.sums), 1, 4), np.float32)
        self.pool.infer(streams, {"X": frames})
        for stream in streams[::every]:
            stream.close()
            del self.sums[stream]
            with pytest.raises(DiagnosticException, match="the stream is closed"):
                stream.reset()
        if streams:
            with pytest.raises(DiagnosticException, match="the stream is closed"):
                self.pool.infer(streams, {"X": frames})

    @precondition(lambda self: self.sums)
    @rule(kind=st.sampled_from(["twice", "shape", "closed", "of the other pool"]))
    def infer_what_is_wrong(self, kind: str) -> None:
        """Nothing changes."""
        streams, frames = self.streams, np.ones((len(self.sums), 1, 4), np.float32)
        other = next(pool for pool in pools() if pool is not self.pool)
        match kind:
            case "twice":
                streams, frames = [*streams, streams[0]], np.concatenate([frames, frames[:1]])
            case "shape":
                frames = frames[..., :3]
            case "closed":
                streams[-1:] = [other.open()]
                streams[-1].close()
            case _:
                with other.open() as stranger, pytest.raises(DiagnosticException):
                    self.pool.infer([*streams[:-1], stranger], {"X": frames})
                return
        with pytest.raises(DiagnosticException):
            self.pool.infer(streams, {"X": frames})

    def teardown(self) -> None:
        self.close(1)
        assert [len(pool) for pool in pools()] == [0, 0]


TestLivesOfStreams = LivesOfStreams.TestCase
TestLivesOfStreams.settings = settings(max_examples=25, stateful_step_count=30)
