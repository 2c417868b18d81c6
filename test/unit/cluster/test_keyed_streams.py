"""`KeyedStreams`: chunks over workers, some of which are lost, give what one stream after the other gives."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from lowstream.cluster.keyed_streams import KeyedStreams
from lowstream.cluster.worker import ModelSpec, Worker
from lowstream.test.unit.cluster.models import write_models
from lowstream.test.unit.pairwise import each_pair

KEYS = [list("abcab"), list("bd"), list("aabbccdd"), list("e")]


def chunks() -> list[tuple[list[str], dict[str, Any]]]:
    random = np.random.default_rng(0)
    return [
        (keys, {"X": random.integers(0, 9, (len(keys), 1, 4)).astype(np.float32)}) for keys in KEYS
    ]


class Engine:
    """
    Workers in this process, which run a call as soon as it comes, or, `late`, when its result is asked for; those whose
    calls are in `lost` end before they have given a result.
    """

    def __init__(self, spec: ModelSpec, count: int, lost: Sequence[int], *, late: bool = False):
        self._spec, self._lost, self._late = spec, lost, late
        self._workers = [Worker(spec) for _ in range(count)]
        self.calls: list[tuple[int, list[str]]] = []

    def submit(self, worker: int, keys: list[str], *rest: Any) -> Callable[[], Any]:
        number = len(self.calls)
        self.calls.append((worker, keys))

        def result() -> Any:
            done = self._workers[worker].step_on(keys, *rest)
            if number in self._lost:  # with all that it knew
                self._workers[worker] = Worker(self._spec)
                done = self._workers[worker].step_on(keys, *rest)
            return done

        if self._late:
            return result
        done = result()
        return lambda: done


def seen(worker: Worker, snapshots: Any) -> Any:
    """The states in snapshots, as the model shows them."""
    keys = sorted(snapshots)
    return worker.step(keys, {"X": np.zeros((len(keys), 1, 4))}, snapshots)[0]["Y"]


@pytest.fixture
def spec(tmp_path: Path) -> ModelSpec:
    write_models(tmp_path)
    return ModelSpec(str(tmp_path / "sums.mlir"), capacity=8)


@each_pair(lost=[(), (0,), (1, 3), range(9)], count=[1, 3], late=[False, True])
def test_workers_that_are_lost_change_nothing(
    spec: ModelSpec, count: int, lost: Sequence[int], late: bool
):
    engine, worker = Engine(spec, count, lost, late=late), Worker(spec)
    streams = KeyedStreams(engine.submit, count)
    snapshots: Any = {}
    for (keys, frames), results in zip(chunks(), streams.run(chunks()), strict=True):
        wanted, after = worker.step(keys, frames, snapshots)
        snapshots |= after
        assert_array_equal(results["Y"], wanted["Y"])
        assert_array_equal(seen(worker, streams.snapshots), seen(worker, snapshots))
    places = {key: worker for worker, keys in engine.calls for key in keys}
    assert all(places[key] == worker for worker, keys in engine.calls for key in keys)
    assert len({*places.values()}) == count
    parts = sum(len({places[key] for key in keys}) for keys in KEYS)
    assert len(engine.calls) > parts if lost[1:] else len(engine.calls) == parts


def test_another_process_goes_on_from_the_snapshots(spec: ModelSpec):
    whole = KeyedStreams(Engine(spec, 2, ()).submit, 2)
    wanted = [results["Y"] for results in whole.run(chunks())]
    first = KeyedStreams(Engine(spec, 2, ()).submit, 2)
    *_, _ = first.run(chunks()[:2])
    second = KeyedStreams(Engine(spec, 3, ()).submit, 3, first.snapshots)
    for results, expected in zip(second.run(chunks()[2:]), wanted[2:], strict=True):
        assert_array_equal(results["Y"], expected)
