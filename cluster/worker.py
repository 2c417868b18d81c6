"""What each worker of an engine does with a model: load it once, run rows in batches, take streams on. No engine."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING, Any

import numpy as np

from ..interop.model import read_model, run_passes
from ..passes.errors import DiagnosticError
from ..runtime.compiler import compile_model
from ..runtime.streams.batches import trial_frames
from ..runtime.streams.pool import StreamPool

if TYPE_CHECKING:
    from ..interop.model import Model
    from ..runtime.aligned_buffers import Array
    from ..runtime.compiled import CompiledModel
    from ..runtime.streams.pool import Stream

Mark = tuple[str, int]
"""What a caller names the states after a call, for the next one; a name is given once."""

_LOADED: dict[ModelSpec, Worker] = {}
_LOADING = RLock()


@dataclass(frozen=True)
class ModelSpec:
    """
    Which model workers load, and how; small, so that it travels with each task.

        spec = ModelSpec("/models/pitch.mlir", pipeline="low-latency2,lpt")
        spec.run({"X": rows})       # in any process; the first call there loads the model
    """

    path: str
    """A file that every worker can read."""
    pipeline: str = ""
    """Passes that run first, as `lowstream.run_passes` takes them."""
    batch_size: int = 64
    """Rows that one call of a model without states takes."""
    capacity: int = 1024
    """Streams that a worker keeps at hand; others it restores from their snapshots."""
    num_threads: int = 1
    """Threads of one call; engines have a process for each core."""

    def __post_init__(self):
        for name in ("batch_size", "capacity", "num_threads"):
            value: object = getattr(self, name)
            if not isinstance(value, int) or isinstance(value, bool) or value < 1:
                raise DiagnosticError(f"{name} is {value!r}; give a number from 1")
        # A worker has a working directory of its own.
        object.__setattr__(self, "path", str(Path(self.path).expanduser().absolute()))

    def load(self) -> Worker:
        """The worker of this process, the same for equal specs."""
        with _LOADING:
            if self not in _LOADED:
                _LOADED[self] = Worker(self)
            return _LOADED[self]

    def run(self, batch: Mapping[str, Any]) -> dict[str, Array]:
        """`Worker.run` in this process."""
        return self.load().run(batch)

    def step(
        self,
        keys: Sequence[Hashable],
        frames: Mapping[str, Any],
        snapshots: Mapping[Hashable, bytes],
    ) -> tuple[dict[str, Array], dict[Hashable, bytes]]:
        """`Worker.step` in this process."""
        return self.load().step(keys, frames, snapshots)

    def step_on(
        self,
        keys: Sequence[Hashable],
        frames: Mapping[str, Any],
        states: Mapping[Hashable, bytes | Mark],
        mark: Mark,
    ) -> tuple[dict[str, Array], dict[Hashable, bytes]] | None:
        """`Worker.step_on` in this process."""
        return self.load().step_on(keys, frames, states, mark)


class Worker:
    """
    A model in one process. `run` and `step` are functions of their arguments alone, so that what another worker lost is
    run again with the same results, bit for bit on CPUs of one kind. Calls from several threads take turns.

    Raises what `read_model` and `run_passes` raise.
    """

    def __init__(self, spec: ModelSpec):
        self.spec = spec
        self._model: Model = read_model(spec.path)
        run_passes(self._model, spec.pipeline)
        self._lock = RLock()
        self._kept: dict[Hashable, _Kept] = {}

    @property
    def inputs(self) -> list[str]:
        """The names of the inputs."""
        return [port.any_name for port in self._model.inputs]

    # --- rows -------------------------------------------------------------------------------

    def run(self, batch: Mapping[str, Any]) -> dict[str, Array]:
        """
        The outputs by name, `[rows, …]`, for inputs by name, `[rows, …]`: any number of rows, of which `batch_size` run
        at a time.

        Raises DiagnosticException where arrays do not fit, and for a model that has states, or whose rows depend on
        each other.
        """
        with self._lock:
            arrays = {name: np.asarray(array) for name, array in batch.items()}
            size, rows = self.spec.batch_size, _rows_of(arrays)
            outputs = self._batched.outputs
            if not rows:
                return {
                    port.any_name: np.empty((0, *port.shape[1:]), port.dtype) for port in outputs
                }
            results = self._batched.create_infer_request().infer_sequence(
                {name: _in_batches(array, size) for name, array in arrays.items()}
            )
            return {
                port.any_name: array.reshape(-1, *array.shape[2:])[:rows]
                for port, array in zip(outputs, results, strict=True)
            }

    @cached_property
    def _batched(self) -> CompiledModel:
        """The model for `batch_size` rows."""
        size = self.spec.batch_size
        model = self._model.clone()
        model.reshape({number: [size, *port.shape[1:]] for number, port in enumerate(model.inputs)})
        compiled = compile_model(model, num_threads=self.spec.num_threads)
        if compiled.create_infer_request().query_state():
            raise DiagnosticError(
                f"{self.spec.path} has states, and rows of a batch have none; give each row its stream, with `step`"
            )
        for port in compiled.outputs:
            if port.shape[:1] != (size,) or -1 in port.shape:
                raise DiagnosticError(
                    f"{port} has shape {list(port.shape)} for {size} rows; the first dimension of an output is to be "
                    "that of the rows, and the others are to be known"
                )
        _check_rows(compiled, size)
        return compiled

    # --- streams ----------------------------------------------------------------------------

    def step(
        self,
        keys: Sequence[Hashable],
        frames: Mapping[str, Any],
        snapshots: Mapping[Hashable, bytes],
    ) -> tuple[dict[str, Array], dict[Hashable, bytes]]:
        """
        Runs frame i, of arrays `[frames, *shape]` by the name of the input, in the stream `keys[i]`; frames of one
        stream follow each other. A stream goes on from its snapshot, or begins where it has none. Gives the outputs by
        name, `[frames, *shape]`, and the snapshots of these streams afterwards.

        Raises DiagnosticException as `StreamPool` does, and for more streams than `capacity`; a call that failed can be
        made again.
        """
        with self._lock:
            arrays = {name: np.asarray(array) for name, array in frames.items()}
            _check_chunk(keys, arrays, self.spec.capacity)
            streams: dict[Hashable, Stream] = {}
            try:
                for key in dict.fromkeys(keys):
                    streams[key] = self._stream(key, snapshots.get(key))
                results = self._rounds(keys, arrays, streams)
                taken = {key: stream.snapshot() for key, stream in streams.items()}
            except BaseException:
                for stream in streams.values():
                    stream.close()
                raise
            self._kept |= {key: _Kept(taken[key], stream) for key, stream in streams.items()}
            return results, taken

    def step_on(
        self,
        keys: Sequence[Hashable],
        frames: Mapping[str, Any],
        states: Mapping[Hashable, bytes | Mark],
        mark: Mark,
    ) -> tuple[dict[str, Array], dict[Hashable, bytes]] | None:
        """
        As `step`, for a caller who does not wait for the snapshots: in place of one of them stands the mark of the call
        that left the stream here, and the streams of this call get `mark`. None where a stream is not here as its mark
        says, as in a process that began since; nothing has run then, and snapshots help.
        """
        with self._lock:
            snapshots: dict[Hashable, bytes] = {}
            for key, state in states.items():
                if isinstance(state, bytes):
                    snapshots[key] = state
                elif key in self._kept and self._kept[key].mark == state:
                    snapshots[key] = self._kept[key].snapshot
                else:
                    return None
            results, taken = self.step(keys, frames, snapshots)
            for key in taken:
                self._kept[key].mark = mark
            return results, taken

    @cached_property
    def _pool(self) -> StreamPool:
        return StreamPool(self._model, self.spec.capacity, num_threads=self.spec.num_threads)

    def _stream(self, key: Hashable, snapshot: bytes | None) -> Stream:
        """The stream that goes on from a snapshot: the one at hand, if it is there."""
        if key in self._kept:
            kept = self._kept.pop(key)
            if kept.snapshot == snapshot:
                return kept.stream
            kept.stream.close()
        if len(self._pool) == self._pool.capacity and self._kept:
            self._kept.pop(next(iter(self._kept))).stream.close()  # unused the longest
        return self._pool.open() if snapshot is None else self._pool.restore(snapshot)

    def _rounds(
        self,
        keys: Sequence[Hashable],
        frames: Mapping[str, Array],
        streams: Mapping[Hashable, Stream],
    ) -> dict[str, Array]:
        """Runs the first frames of all streams as one batch, then the second ones, and so on."""
        results: dict[str, Array] = {}
        for places in rounds_of(keys):
            first, end = int(places[0]), int(places[-1]) + 1
            chosen = slice(first, end) if end - first == len(places) else places
            taken = self._pool.infer(
                [streams[keys[place]] for place in places.tolist()],
                {name: array[chosen] for name, array in frames.items()},
            )
            for port, array in taken.items():
                name = port.any_name
                if name not in results:
                    results[name] = np.empty((len(keys), *array.shape[1:]), array.dtype)
                results[name][chosen] = array
        return results


@dataclass
class _Kept:
    """A stream at hand, and where it is."""

    snapshot: bytes
    stream: Stream
    mark: Mark | None = None


def rounds_of(keys: Sequence[Hashable]) -> list[Array]:
    """The places of the first frame of each key, those of the second, …"""
    number = {key: n for n, key in enumerate(dict.fromkeys(keys))}
    key_of = np.fromiter((number[key] for key in keys), np.intp, len(keys))
    by_key = np.argsort(key_of, kind="stable")
    first = np.searchsorted(key_of[by_key], np.arange(len(number)))
    round_of = np.empty(len(keys), np.intp)
    round_of[by_key] = np.arange(len(keys)) - first[key_of[by_key]]
    by_round = np.argsort(round_of, kind="stable")
    return np.split(by_round, np.cumsum(np.bincount(round_of))[:-1])


def _check_chunk(keys: Sequence[Hashable], frames: Mapping[str, Array], capacity: int) -> None:
    """Raises DiagnosticException unless there is a frame for each key, and a place for each stream."""
    if (count := _rows_of(frames)) != len(keys):
        raise DiagnosticError(f"there are {len(keys)} keys, and frames for {count}")
    if (streams := len({*keys})) > capacity:
        raise DiagnosticError(
            f"the chunk has frames of {streams} streams, and the capacity of a worker is {capacity}; make smaller "
            "chunks, or give ModelSpec a larger capacity"
        )


def _rows_of(arrays: Mapping[str, Array]) -> int:
    """How many rows each of these arrays has. Raises DiagnosticException where they differ."""
    counts = {name: len(array) if array.ndim else None for name, array in arrays.items()}
    if None in counts.values() or len(set(counts.values())) != 1:
        raise DiagnosticError(
            f"arrays have {counts} rows; give at least one array, and equally many rows of all"
        )
    return next(count for count in counts.values() if count is not None)


def stacked(rows: Sequence[Mapping[str, Any]]) -> dict[str, Array]:
    """
    Rows, each of which has an array for each input, as arrays `[rows, …]` by the name of the input. Raises
    DiagnosticException where rows have other inputs than the first one has, or arrays of another shape.
    """
    names = rows[0].keys()
    for place, row in enumerate(rows):
        if row.keys() != names:
            raise DiagnosticError(
                f"row {place} of a batch has the inputs {sorted(row)}, and the first row has {sorted(names)}; give "
                "each row all inputs of the model"
            )
    arrays = {name: [np.asarray(row[name]) for row in rows] for name in names}
    for name, each in arrays.items():
        for place, array in enumerate(each):
            if array.shape != each[0].shape:
                raise DiagnosticError(
                    f"input {name!r} has shape {list(array.shape)} in row {place} of a batch and "
                    f"{list(each[0].shape)} in the first; give rows of one shape"
                )
    return {name: np.stack(each) for name, each in arrays.items()}


def _in_batches(array: Array, size: int) -> Array:
    """`[rows, …]` as `[batches, size, …]`; the last row fills up the last batch."""
    if missing := -len(array) % size:
        array = np.concatenate([array, np.repeat(array[-1:], missing, axis=0)])
    return array.reshape(-1, size, *array.shape[1:])


def _check_rows(compiled: CompiledModel, size: int) -> None:
    """Raises DiagnosticException where the first row's outputs change with the other rows."""
    random = np.random.default_rng(0)
    rows = {port.any_name: trial_frames(random, port.shape, port.dtype) for port in compiled.inputs}
    others = {
        name: np.concatenate([array[:1], (array[1:] == 0).astype(array.dtype)])
        for name, array in rows.items()
    }
    request = compiled.create_infer_request()
    one, other = request.infer(rows), request.infer(others)
    for port, found, again in zip(compiled.outputs, one, other, strict=True):
        if found[0].tobytes() != again[0].tobytes():
            raise DiagnosticError(
                f"{port} of a row depends on the other rows of its batch; give batch_size=1"
            )
