"""Models on the workers of Dask: blocks of arrays, and streams of many keys."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Any

from ..passes.errors import DiagnosticError
from .keyed_streams import KeyedStreams, Snapshots, Stepped

if TYPE_CHECKING:
    from ..runtime.aligned_buffers import Array
    from .worker import ModelSpec

ANY_SIZE = 2**62
"""In bytes, as a threshold."""

LOOK_EVERY = 2.0
"""Seconds for which a result is waited for before Dask is asked whether somebody computes it."""


def predict(*blocks: Array, spec: ModelSpec, output_name: str) -> Array:
    """
    One output of a model for blocks of its inputs, `[rows, …]`, in the order in which it has them. The first call in
    a process loads the model.

        y = x.map_blocks(predict, spec=spec, output_name="Y", dtype="float32", drop_axis=…)

    Raises what `Worker.run` raises.
    """
    names = spec.load().inputs
    if len(names) != len(blocks):
        raise DiagnosticError(f"the model has inputs {names}; give a block of each, in this order")
    results = spec.run(dict(zip(names, blocks, strict=True)))
    if output_name not in results:
        raise DiagnosticError(f"the model has no output {output_name!r}; it has {list(results)}")
    return results[output_name]


def keyed_streams(client: Any, spec: ModelSpec, snapshots: Snapshots | None = None) -> KeyedStreams:
    """
    Streams of a model on the workers that this `distributed.Client` has now. The scheduler keeps the frames of a task
    until it is done, and gives it to another worker where one dies; so frames are meant to travel with their task, of
    which Dask would warn from 10 MB on. Where all die at once, the others that come go on.
    """
    dask: Any = import_module("dask")  # a plain import, to type checkers, is of this file

    def begin(chunk: tuple[Any, ...], workers: list[str] | None) -> Any:
        with dask.config.set({"distributed.admin.large-graph-warning-threshold": ANY_SIZE}):
            return client.submit(
                spec.step_on,
                *chunk,
                workers=workers,
                allow_other_workers=workers is not None,  # where the one is lost
                pure=False,
            )

    def submit(worker: int, *chunk: Any) -> Callable[[], Stepped | None]:
        addresses = _addresses(client)
        future = begin(chunk, [addresses[worker % len(addresses)]] if addresses else None)

        def result() -> Stepped | None:
            nonlocal future
            while True:
                try:
                    return future.result(timeout=LOOK_EVERY)
                except TimeoutError:
                    if _is_left_over(client, future):
                        future = begin(chunk, None)

        return result

    return KeyedStreams(submit, max(1, len(_addresses(client))), dict(snapshots or {}))


def _is_left_over(client: Any, future: Any) -> bool:
    """
    Whether no worker has a task, though some could run it. Dask gives one that was meant for a certain worker to no
    worker that comes after all have died, whatever `allow_other_workers` says.
    """
    processing = client.processing()
    return (
        bool(processing)
        and not future.done()
        and all(future.key not in keys for keys in processing.values())
    )


def _addresses(client: Any) -> list[str]:
    return sorted(client.nthreads())
