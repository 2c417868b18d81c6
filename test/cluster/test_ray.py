"""Models on a local cluster of Ray."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import psutil
import pytest
import ray  # pyright: ignore[reportMissingImports]
from numpy.testing import assert_array_equal

from lowstream.cluster.ray import Predict, keyed_streams
from lowstream.cluster.worker import ModelSpec
from lowstream.test.cluster.streams import CHUNKS, run_alone, run_with_a_kill


@pytest.fixture(scope="module", autouse=True)
def cluster() -> Iterator[None]:
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    yield
    ray.shutdown()


def test_batches_of_a_dataset(folder: Path):
    spec = ModelSpec(str(folder / "product.mlir"), batch_size=4)
    x = np.random.default_rng(0).normal(size=(21, 3)).astype(np.float32)
    z = np.ones((21, 2), np.float32)
    rows = ray.data.from_items([{"id": i, "X": x[i], "Z": z[i]} for i in range(21)])
    done = rows.map_batches(Predict, fn_constructor_args=[spec], batch_size=6, concurrency=2)
    taken = {row["id"]: row for row in done.take_all()}
    assert taken[0].keys() == {"id", "Y"}
    found = np.stack([taken[i]["Y"] for i in range(21)])
    assert_array_equal(found, spec.run({"X": x, "Z": z})["Y"])


@pytest.mark.parametrize("at", range(1, CHUNKS - 1))
def test_a_worker_that_dies_changes_nothing(folder: Path, at: int):
    spec = ModelSpec(str(folder / "sums.mlir"), capacity=8)
    streams = keyed_streams(spec, 2, num_cpus=0)

    def kill() -> None:
        actors = [
            process
            for process in psutil.Process().children(recursive=True)
            if "_StreamActor" in "".join(process.cmdline())
        ]
        max(actors, key=psutil.Process.create_time).kill()  # one of this test's

    results = run_with_a_kill(streams, at, kill)
    for found, wanted in zip(results, run_alone(spec), strict=True):
        assert_array_equal(found, wanted)
