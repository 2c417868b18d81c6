"""Models on a local cluster of Dask."""

import os
import signal
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import dask  # pyright: ignore[reportMissingImports]
import dask.array as da  # pyright: ignore[reportMissingImports]
import numpy as np
import pytest
from distributed import Client, LocalCluster
from numpy.testing import assert_array_equal

from lowstream.cluster.dask import keyed_streams, predict
from lowstream.cluster.dask_workers import NOT_DONE, RARELY, QuietWorker
from lowstream.cluster.worker import ModelSpec
from lowstream.test.cluster.streams import CHUNKS, chunks, run_alone, run_with_a_kill


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    with (
        LocalCluster(n_workers=CHUNKS, threads_per_worker=1, dashboard_address=None) as cluster,
        Client(cluster) as client,
    ):
        yield client


@pytest.fixture(scope="module")
def pids(client: Any) -> list[int]:
    """Of workers: one for each test that ends one, and one that stays; none waits for Dask to start another."""
    return [*client.run(os.getpid).values()]


def test_blocks_of_an_array(client: Any, folder: Path):
    spec = ModelSpec(str(folder / "product.mlir"), batch_size=4)
    x = np.random.default_rng(0).normal(size=(21, 3)).astype(np.float32)
    z = np.ones((21, 2), np.float32)
    y = da.map_blocks(
        predict,
        da.from_array(x, chunks=(6, 3)),
        da.from_array(z, chunks=(6, 2)),
        spec=spec,
        output_name="Y",
        dtype=np.float32,
        chunks=((6, 6, 6, 3), (2,)),
        meta=np.empty((0, 0), np.float32),
    )
    assert_array_equal(y.compute(), spec.run({"X": x, "Z": z})["Y"])


@pytest.mark.parametrize("at", range(CHUNKS - 1))
def test_a_worker_that_dies_changes_nothing(client: Any, pids: list[int], folder: Path, at: int):
    spec = ModelSpec(str(folder / "sums.mlir"), capacity=8)

    def kill() -> None:
        os.kill(pids.pop(), signal.SIGKILL)

    results = run_with_a_kill(keyed_streams(client, spec), at, kill)
    for found, wanted in zip(results, run_alone(spec), strict=True):
        assert_array_equal(found, wanted)


def test_streams_go_on_where_all_workers_die_at_once(client: Any, folder: Path):
    spec = ModelSpec(str(folder / "sums.mlir"), capacity=8)

    def kill() -> None:
        for pid in client.run(os.getpid).values():
            os.kill(pid, signal.SIGKILL)

    results = run_with_a_kill(keyed_streams(client, spec), 1, kill)
    for found, wanted in zip(results, run_alone(spec), strict=True):
        assert_array_equal(found, wanted)


def test_nobody_is_warned_of_frames_that_travel_with_their_task(client: Any, folder: Path):
    spec = ModelSpec(str(folder / "sums.mlir"), capacity=8)
    threshold = {"distributed.admin.large-graph-warning-threshold": 1}
    with dask.config.set(threshold), warnings.catch_warnings():
        warnings.simplefilter("error")
        assert len([*keyed_streams(client, spec).run(chunks())]) == CHUNKS


def test_quiet_workers(client: Any):
    """Those that are there do what they do by the clock rarely, and not at all what only profiles are for."""

    def intervals(dask_worker: Any) -> dict[str, float]:
        return {
            name: callback.callback_time
            for name, callback in dask_worker.periodic_callbacks.items()
            if name in (*NOT_DONE, *RARELY)
        }

    assert all({*NOT_DONE} <= before.keys() for before in client.run(intervals).values())
    client.register_plugin(QuietWorker())
    assert all(after == RARELY for after in client.run(intervals).values())
    assert client.submit(sum, [1, 2]).result() == 3
