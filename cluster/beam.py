"""Models in pipelines of Apache Beam: a ModelHandler for RunInference, and a DoFn with streams in its keyed state."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ..passes.errors import DiagnosticError
from ..passes.needs import needs
from .free_memory import keep_free_memory
from .worker import stacked

try:
    import apache_beam as beam
    from apache_beam.coders import PickleCoder
    from apache_beam.ml.inference.base import ModelHandler, PredictionResult
    from apache_beam.transforms.userstate import BagStateSpec, ReadModifyWriteStateSpec
except ImportError:
    raise DiagnosticError(needs("lowstream.cluster.beam", "apache-beam")) from None

if TYPE_CHECKING:
    from ..runtime.aligned_buffers import Array
    from .worker import ModelSpec, Worker


class LowstreamModelHandler(ModelHandler):
    """
    Rows of a model without states: elements are mappings from inputs to arrays without the dimension of the rows.

        rows | RunInference(LowstreamModelHandler(spec))       # PredictionResult: example, inference by output

    Batches have `spec.batch_size` rows where there are so many.
    """

    def __init__(self, spec: ModelSpec):
        super().__init__(min_batch_size=spec.batch_size, max_batch_size=spec.batch_size)
        self._spec = spec

    def load_model(self) -> Worker:
        return self._spec.load()

    def run_inference(
        self,
        batch: Sequence[Mapping[str, Array]],
        model: Worker,
        inference_args: dict[str, Any] | None = None,
    ) -> Iterator[PredictionResult]:
        """Raises what `stacked` and `Worker.run` raise."""
        results = model.run(stacked(batch))
        for number, row in enumerate(batch):
            inference = {name: array[number] for name, array in results.items()}
            yield PredictionResult(row, inference, self._spec.path)

    def validate_inference_args(self, inference_args: dict[str, Any] | None) -> None:
        if inference_args:
            raise DiagnosticError(
                f"inference_args {list(inference_args)} mean nothing here; give none"
            )

    def update_model_path(self, model_path: str | None = None) -> None:
        if model_path:
            self._spec = replace(self._spec, path=model_path)

    def get_num_bytes(self, batch: Sequence[Mapping[str, Array]]) -> int:
        return sum(array.nbytes for row in batch for array in row.values())

    def get_metrics_namespace(self) -> str:
        return "BeamML_lowstream"


class StreamStep(beam.DoFn):
    """
    Takes streams on. An element is `(group, (number, keys, frames))`: a chunk of frames of all streams of a group, as
    `ModelSpec.step` takes it, the chunks of a group numbered from 0. Gives `(group, (number, outputs))`, in this order.

    The snapshots after the last chunk are the state of the group's key, which the runner writes together with what
    comes out, so that what a worker lost runs again from them. A chunk that comes early waits for those before it; one
    that comes again is left out. Processes that run this keep memory that is free (`keep_free_memory`).
    """

    STATE = beam.DoFn.StateParam(ReadModifyWriteStateSpec("lowstream", PickleCoder()))
    EARLY = beam.DoFn.StateParam(BagStateSpec("lowstream-early", PickleCoder()))

    def __init__(self, spec: ModelSpec):
        self._spec = spec

    def setup(self) -> None:
        keep_free_memory()  # a chunk is copied into the worker and out of it
        self._spec.load()

    def process(
        self,
        element: tuple[Hashable, tuple[int, Sequence[Hashable], Mapping[str, Array]]],
        state: Any = STATE,
        early: Any = EARLY,
    ) -> Iterator[tuple[Hashable, tuple[int, dict[str, Array]]]]:
        """Raises what `Worker.step` raises."""
        group, (number, *chunk) = element
        position: tuple[int, dict[Hashable, bytes]] = state.read() or (0, {})
        following, snapshots = position
        if number > following:
            early.add((number, chunk))
        if number != following:
            return
        waiting: dict[int, Any] = {number: chunk, **dict(early.read())}
        early.clear()
        while following in waiting:
            keys, frames = waiting.pop(following)
            outputs, after = self._spec.step(keys, frames, snapshots)
            yield group, (following, outputs)
            following, snapshots = following + 1, snapshots | after
        for item in waiting.items():
            early.add(item)
        state.write((following, snapshots))
