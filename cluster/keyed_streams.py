"""Streams of many keys over the workers of an engine: a key is pinned to a worker, and what is lost runs again."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import numpy as np

if TYPE_CHECKING:
    from ..runtime.aligned_buffers import Array
    from .worker import Mark

Snapshots = dict[Hashable, bytes]
Stepped = tuple[dict[str, "Array"], Snapshots]
"""What `ModelSpec.step` gives."""


@dataclass
class KeyedStreams:
    """
    Runs chunks of frames on workers. A chunk is what `ModelSpec.step` takes: the key of each frame, and the frames.
    Each key is pinned to one of `workers`, which keeps its stream; new keys go to the workers in turn. The snapshots
    after each chunk come to `snapshots`, here: where a worker is lost, its part of the chunk runs again from them, on
    another.

    `submit(worker, keys, frames, states, mark)` begins `ModelSpec.step_on` on a worker; what it returns gives the
    result when it is called, and is to survive the worker, as tasks of engines do.
    """

    submit: Callable[..., Callable[[], Stepped | None]]
    workers: int
    snapshots: Snapshots = field(default_factory=Snapshots)
    """Where each stream is after the chunk whose results were given last; give them to go on in another process."""

    def __post_init__(self):
        self._worker_of: dict[Hashable, int] = {}

    def run(
        self, chunks: Iterable[tuple[Sequence[Hashable], Mapping[str, Any]]]
    ) -> Iterator[dict[str, Array]]:
        """
        The outputs of each chunk, by name, `[frames, *shape]`, in the order of the chunks. A chunk travels while the
        one before it runs, so that results come one chunk behind.
        """
        run, last = uuid4().hex, dict[int, _Part]()
        for number, (keys, frames) in enumerate(chunks):
            parts: dict[int, _Part] = {}
            for worker, places in self._places(keys).items():
                taken = [keys[place] for place in places]
                given = {name: np.asarray(array)[places] for name, array in frames.items()}
                states: dict[Hashable, bytes | Mark] = self._known(taken)
                if worker in last:  # what it leaves is known only there
                    states |= dict.fromkeys(
                        {*taken}.intersection(last[worker].keys), last[worker].mark
                    )
                parts[worker] = _Part(self.submit, worker, places, taken, given, (run, number))
                parts[worker].begin(states)
            if last:
                yield self._joined(last)
            last = parts
        if last:
            yield self._joined(last)

    def _places(self, keys: Sequence[Hashable]) -> dict[int, list[int]]:
        """Which frames each worker has."""
        places: dict[int, list[int]] = {}
        for place, key in enumerate(keys):
            worker = self._worker_of.setdefault(key, len(self._worker_of) % self.workers)
            places.setdefault(worker, []).append(place)
        return places

    def _known(self, keys: Sequence[Hashable]) -> dict[Hashable, Any]:
        return {key: self.snapshots[key] for key in {*keys} & self.snapshots.keys()}

    def _end(self, part: _Part) -> dict[str, Array]:
        """The outputs of a part, where all chunks before have ended."""
        if (stepped := part.result()) is None:  # the worker has lost the streams
            part.begin(self._known(part.keys))
            stepped = part.result()
        assert stepped is not None  # snapshots are all that it needs
        outputs, snapshots = stepped
        self.snapshots |= snapshots
        return outputs

    def _joined(self, parts: Mapping[int, _Part]) -> dict[str, Array]:
        """The outputs of a chunk, of whose frames each worker has some."""
        joined: dict[str, Array] = {}
        frames = sum(len(part.places) for part in parts.values())
        for part in parts.values():
            for name, array in self._end(part).items():
                if name not in joined:
                    joined[name] = np.empty((frames, *array.shape[1:]), array.dtype)
                joined[name][part.places] = array
        return joined


@dataclass
class _Part:
    """What one worker has of a chunk."""

    submit: Callable[..., Callable[[], Stepped | None]]
    worker: int
    places: list[int]
    keys: list[Hashable]
    frames: dict[str, Array]
    mark: Mark

    def begin(self, states: Mapping[Hashable, bytes | Mark]) -> None:
        self.result = self.submit(self.worker, self.keys, self.frames, states, self.mark)
