"""Models on actors of Ray: batches of Ray Data, and streams of many keys."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any

from ..passes.errors import DiagnosticError
from ..passes.needs import needs
from .free_memory import keep_free_memory
from .keyed_streams import KeyedStreams, Snapshots, Stepped

if TYPE_CHECKING:
    from ..runtime.aligned_buffers import Array
    from .worker import ModelSpec


class Predict:
    """
    What `map_batches` makes an actor of. The columns that are inputs of the model give way to its outputs; others stay.

        ds.map_batches(Predict, fn_constructor_args=[spec], batch_size=256, concurrency=4)
    """

    def __init__(self, spec: ModelSpec):
        self._worker = spec.load()

    def __call__(self, batch: dict[str, Array]) -> dict[str, Array]:
        """Raises what `Worker.run` raises."""
        inputs = self._worker.inputs
        given = {name: array for name, array in batch.items() if name in inputs}
        others = {name: array for name, array in batch.items() if name not in inputs}
        return others | self._worker.run(given)


def keyed_streams(
    spec: ModelSpec, workers: int, snapshots: Snapshots | None = None, **options: Any
) -> KeyedStreams:
    """
    Streams of a model on so many actors. Ray starts one that died again, and its call, too; `options` are those of
    `ray.remote`, such as `num_cpus`. Raises DiagnosticException where Ray is not installed.
    """
    try:
        ray: Any = import_module("ray")
    except ImportError:
        raise DiagnosticError(needs("lowstream.cluster.ray", "ray")) from None
    always = {"max_restarts": -1, "max_task_retries": -1}
    actor: Any = ray.remote(**always | {"num_cpus": 1} | options)(_StreamActor)
    actors = [actor.remote(spec) for _ in range(workers)]

    def submit(worker: int, *chunk: Any) -> Callable[[], Stepped | None]:
        return partial(ray.get, actors[worker].step_on.remote(*chunk))

    return KeyedStreams(submit, workers, dict(snapshots or {}))


class _StreamActor:
    """The streams that are pinned to one process."""

    def __init__(self, spec: ModelSpec):
        keep_free_memory()
        self._worker = spec.load()

    def step_on(self, *chunk: Any) -> Stepped | None:
        return self._worker.step_on(*chunk)
