"""Streams of many keys over the workers of an engine: a key is pinned to a worker, and what is lost runs again."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from zlib import crc32

import numpy as np

if TYPE_CHECKING:
    from ..runtime.aligned_buffers import Array

PARTS_PER_WORKER = 2
"""So many groups of keys a worker has: while a chunk of one runs, that of the other travels."""

Snapshots = dict[Hashable, bytes]
Stepped = tuple[dict[str, "Array"], Snapshots]
"""What `ModelSpec.step` gives."""


@dataclass
class KeyedStreams:
    """
    Runs chunks of frames on workers. A chunk is what `ModelSpec.step` takes: the key of each frame, and the frames.
    Each key is pinned to one of `workers`, which keeps its stream. The snapshots after each chunk come to
    `snapshots`, here: where a worker is lost, its part of the chunk runs again from them, on another.

    `submit(worker, keys, frames, snapshots)` begins `ModelSpec.step` on a worker; what it returns gives the result when
    it is called, and is to survive the worker, as tasks of engines do.
    """

    submit: Callable[..., Callable[[], Stepped]]
    workers: int
    snapshots: Snapshots = field(default_factory=Snapshots)
    """Where each stream is after the chunk whose results were given last; give them to go on in another process."""

    def run(
        self, chunks: Iterable[tuple[Sequence[Hashable], Mapping[str, Any]]]
    ) -> Iterator[dict[str, Array]]:
        """
        The outputs of each chunk, by name, `[frames, *shape]`, in the order of the chunks. A part of a chunk begins
        as soon as that of the chunk before is done, so that results come one chunk behind.
        """
        last: dict[int, _Part] = {}
        for keys, frames in chunks:
            parts: dict[int, _Part] = {}
            for group, places in self._places(keys).items():
                if group in last:
                    self._end(last[group])
                taken = [keys[place] for place in places]
                given = {name: np.asarray(array)[places] for name, array in frames.items()}
                known = {key: self.snapshots[key] for key in {*taken} & self.snapshots.keys()}
                parts[group] = _Part(places, self.submit(group % self.workers, taken, given, known))
            if last:
                yield self._joined(last)
            last = parts
        if last:
            yield self._joined(last)

    def _places(self, keys: Sequence[Hashable]) -> dict[int, list[int]]:
        """Which frames each group of keys has."""
        groups = self.workers * PARTS_PER_WORKER
        group_of = {key: crc32(repr(key).encode()) % groups for key in dict.fromkeys(keys)}
        places: dict[int, list[int]] = {}
        for place, key in enumerate(keys):
            places.setdefault(group_of[key], []).append(place)
        return places

    def _end(self, part: _Part) -> None:
        if part.outputs is None:
            part.outputs, snapshots = part.result()
            self.snapshots |= snapshots

    def _joined(self, parts: Mapping[int, _Part]) -> dict[str, Array]:
        """The outputs of a chunk, of whose frames each group has some."""
        joined: dict[str, Array] = {}
        count = sum(len(part.places) for part in parts.values())
        for part in parts.values():
            self._end(part)
            for name, array in (part.outputs or {}).items():
                if name not in joined:
                    joined[name] = np.empty((count, *array.shape[1:]), array.dtype)
                joined[name][part.places] = array
        return joined


@dataclass
class _Part:
    """What one group of keys has of a chunk."""

    places: list[int]
    result: Callable[[], Stepped]
    outputs: dict[str, Array] | None = None
