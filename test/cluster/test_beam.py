"""Models in pipelines of Apache Beam, on its local runner."""

from pathlib import Path
from typing import Any

import apache_beam as beam
import numpy as np
import pytest
from apache_beam.ml.inference.base import RunInference
from apache_beam.testing.util import assert_that
from numpy.testing import assert_array_equal
from xdsl.utils.exceptions import DiagnosticException

from lowstream.cluster.beam import LowstreamModelHandler, StreamStep
from lowstream.cluster.worker import ModelSpec
from lowstream.test.cluster.streams import CHUNKS, chunks, run_alone


def test_rows_of_a_collection(folder: Path):
    spec = ModelSpec(str(folder / "product.mlir"), batch_size=4)
    x = np.random.default_rng(0).normal(size=(21, 3)).astype(np.float32)
    z = np.ones((21, 2), np.float32)
    wanted = spec.run({"X": x, "Z": z})["Y"]

    def check(results: list[Any]) -> None:
        assert len(results) == 21
        for result in results:
            (place,) = np.flatnonzero((x == result.example["X"]).all(axis=1))
            assert_array_equal(result.inference["Y"], wanted[place])

    with beam.Pipeline() as pipeline:
        rows = pipeline | beam.Create([{"X": x[i], "Z": z[i]} for i in range(21)])
        assert_that(rows | RunInference(LowstreamModelHandler(spec)), check)


def test_arguments_that_mean_nothing_are_refused(folder: Path):
    handler = LowstreamModelHandler(ModelSpec(str(folder / "product.mlir")))
    rows = beam.Pipeline() | beam.Create([{"X": np.zeros(3)}])
    with pytest.raises(DiagnosticException, match="inference_args"):
        _ = rows | RunInference(handler, inference_args={"a": 1})


@pytest.mark.parametrize("order", [range(CHUNKS), (3, 0, 2, 1, 4), (4, 3, 3, 2, 1, 0, 0)])
def test_streams_go_on_whatever_the_order(folder: Path, order: Any):
    spec = ModelSpec(str(folder / "sums.mlir"), capacity=8)
    wanted = run_alone(spec)
    given = chunks()

    def check(results: list[Any]) -> None:
        assert sorted((group, number) for group, (number, _) in results) == [
            (group, number) for group in "ab" for number in range(CHUNKS)
        ]
        for _, (number, outputs) in results:
            assert_array_equal(outputs["Y"], wanted[number])

    elements = [(group, (number, *given[number])) for group in "ab" for number in order]
    with beam.Pipeline() as pipeline:
        assert_that(pipeline | beam.Create(elements) | beam.ParDo(StreamStep(spec)), check)
