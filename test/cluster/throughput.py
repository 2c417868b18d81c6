"""
Rows and frames per second of Dask, Ray and Beam on this machine, beside plain processes that do the same: one for each
worker, which has loaded the model and holds all data. Each run is measured from its first result to its last, so that
what engines take to start is left out; plain processes and engines take turns, and medians count.

The first ratio is of seconds on the clock, which says what there is where each worker and the engine have a core of
their own. The second one is of seconds of the workers' CPUs: what an engine adds to the work of its workers. Others on
the machine change that less, but not by nothing: what an engine does by the clock adds up where all takes longer.

    make distributed  # one round of each
    .venv/distributed/bin/python -P test/cluster/throughput.py --workers 2 --only dask
"""

from __future__ import annotations

import argparse
import json
import logging
import multiprocessing
import os
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from queue import Empty
from statistics import mean, median
from typing import Any

import numpy as np
import psutil

from lowstream.cluster.worker import ModelSpec

WIDTH = 512
ROW_LAYERS = 128  # of the network for rows: half a millisecond each
FRAME_LAYERS = 16  # of that for streams: a fourteenth of a millisecond for a frame
BLOCK = 512  # rows that travel together
BLOCKS = 24  # for each worker
STREAMS = 128  # for each worker
FRAMES = 64  # of a stream in a chunk
CHUNKS = 12

Array = np.ndarray[Any, Any]


def network(folder: Path, layers: int, *, has_state: bool) -> ModelSpec:
    """So many layers of one matrix; the state is the last result, half of which is added to the next input."""
    random = np.random.default_rng(0)
    weights = random.normal(0, (1 / WIDTH) ** 0.5, (WIDTH, WIDTH)).astype(np.float32)
    row, matrix = f"tensor<1x{WIDTH}xf32>", f"tensor<{WIDTH}x{WIDTH}xf32>"
    head = f'func.func @main(%x: {row} {{nn.names = ["X"]}}) -> ({row} {{nn.names = ["Y"]}}) {{'
    lines = [head, f'%w = nn.constant dense<"0x{weights.tobytes().hex().upper()}"> : {matrix}']
    last = "%x"
    if has_state:
        lines = [
            f"infra.variable @last : {row}",
            *lines,
            f"%zero = nn.constant dense<0.0> : {row}",
            "%half = nn.constant dense<0.5> : tensor<f32>",
            f"%t = infra.read_value @last, %zero : {row} -> {row}",
            f"%less = nn.multiply %t, %half : ({row}, tensor<f32>) -> {row}",
            f"%sum = nn.add %x, %less : ({row}, {row}) -> {row}",
        ]
        last = "%sum"
    for n in range(layers):
        lines.append(f"%p{n} = nn.mat_mul {last}, %w : ({row}, {matrix}) -> {row}")
        lines.append(f"%r{n} = nn.relu %p{n} : {row}")
        last = f"%r{n}"
    if has_state:
        lines.append(f"infra.assign @last, {last} : {row}")
    path = folder / f"network{layers}{has_state}.mlir"
    path.write_text("\n".join([*lines, f"func.return {last} : {row}", "}"]))
    return ModelSpec(str(path), batch_size=64, capacity=2 * STREAMS)


def block() -> Array:
    return np.random.default_rng(0).random((BLOCK, WIDTH), np.float32)


def frames(streams: int) -> tuple[list[int], dict[str, Array]]:
    """A chunk: frame after frame of all streams."""
    keys = [*range(streams)] * FRAMES
    return keys, {"X": np.random.default_rng(0).random((len(keys), 1, WIDTH), np.float32)}


@dataclass(order=True)
class Done:
    """So many rows, when they were done; and what CPU time processes had taken then, by their numbers."""

    at: float
    rows: int
    cpu: dict[int, float] = field(compare=False)

    @classmethod
    def here(cls, rows: int) -> Done:
        """In a worker."""
        return cls(time.time(), rows, {os.getpid(): time.process_time()})

    @classmethod
    def there(cls, rows: int) -> Done:
        """In the process that began all others."""
        at, cpu = time.time(), dict[int, float]()
        for process in psutil.Process().children(recursive=True):
            with suppress(psutil.Error):
                times = process.cpu_times()
                cpu[process.pid] = times.user + times.system
        return cls(at, rows, cpu)


Rates = tuple[float, float]
"""Rows in a second on the clock, and in a second of a worker's CPU."""


def rates(done: Iterable[Done], workers: int) -> Rates:
    """Of the processes the busiest are the workers."""
    first, *others = sorted(done)
    rows, last = sum(each.rows for each in others), others[-1]
    spent: dict[int, list[float]] = {}
    for each in (first, *others):
        for process, seconds in each.cpu.items():
            spent.setdefault(process, []).append(seconds)
    busiest = sorted((max(times) - min(times) for times in spent.values()), reverse=True)[:workers]
    return rows / (last.at - first.at), workers * rows / sum(busiest)


# --- plain processes ------------------------------------------------------------------------


def _rows_alone(spec: ModelSpec, barrier: Any, queue: Any) -> None:
    x = block()
    spec.run({"X": x})
    barrier.wait()
    done = [Done.here(0)]
    for _ in range(BLOCKS):
        spec.run({"X": x})
        done.append(Done.here(BLOCK))
    queue.put(rates(done, 1))


def _frames_alone(spec: ModelSpec, barrier: Any, queue: Any) -> None:
    import lowstream

    model = lowstream.read_model(spec.path)
    lowstream.run_passes(model, spec.pipeline)
    pool = lowstream.StreamPool(model, STREAMS, num_threads=1)
    streams = [pool.open() for _ in range(STREAMS)]
    x = frames(STREAMS)[1]["X"].reshape(FRAMES, STREAMS, 1, WIDTH)
    pool.infer(streams, {"X": x[0]})
    barrier.wait()
    done = [Done.here(0)]
    for _ in range(CHUNKS):
        for each in x:
            pool.infer(streams, {"X": each})
        done.append(Done.here(FRAMES * STREAMS))
    queue.put(rates(done, 1))


def alone(target: Callable[..., None], spec: ModelSpec, workers: int) -> Rates:
    """What so many processes do at once."""
    context = multiprocessing.get_context("spawn")
    barrier, queue = context.Barrier(workers), context.Queue()
    processes = [
        context.Process(target=target, args=(spec, barrier, queue)) for _ in range(workers)
    ]
    for process in processes:
        process.start()
    found: list[Rates] = []
    while len(found) < workers:
        try:
            found.append(queue.get(timeout=1))
        except Empty:
            if any(process.exitcode for process in processes):
                sys.exit("a plain process ended with an error")
    for process in processes:
        process.join()
    on_the_clock, of_cpus = zip(*found, strict=True)
    return sum(on_the_clock), mean(of_cpus)


def stepped(streams: Any, workers: int) -> Rates:
    """All streams of an engine."""
    keys, given = frames(workers * STREAMS)
    results = streams.run((keys, given) for _ in range(CHUNKS + 2))
    done = [Done.there(len(each["Y"])) for each in results]
    return rates(done[1:], workers)  # in the first one workers load the model


# --- engines --------------------------------------------------------------------------------


def dask_rows(spec: ModelSpec, workers: int) -> Rates:
    import dask.array as da  # pyright: ignore[reportMissingImports]
    from distributed import as_completed

    from lowstream.cluster.dask import predict

    with _dask(workers) as client:
        client.run(lambda: spec.run({"X": block()}) and None)
        one = da.from_array(block(), chunks=(BLOCK, WIDTH))
        x = client.persist(da.concatenate([one + n for n in range(workers * BLOCKS)]))
        x.sum().compute()
        y = x.map_blocks(
            predict, spec=spec, output_name="Y", dtype=np.float32, meta=np.empty((0, 0), np.float32)
        )
        parts = client.compute([part.sum() for part in y.partitions])
        done = [Done.there(BLOCK) for _ in as_completed(parts)]
    return rates(done, workers)


def dask_frames(spec: ModelSpec, workers: int) -> Rates:
    from lowstream.cluster.dask import keyed_streams

    with _dask(workers) as client:
        return stepped(keyed_streams(client, spec), workers)


@contextmanager
def _dask(workers: int) -> Generator[Any]:
    """A client, whose cluster ends with it: workers of one that stays would take time from whatever is next."""
    from distributed import Client, LocalCluster

    from lowstream.cluster.dask_workers import QuietWorker

    with (
        LocalCluster(
            n_workers=workers,
            threads_per_worker=1,
            dashboard_address=None,
            silence_logs=logging.ERROR,
        ) as cluster,
        Client(cluster) as client,
    ):
        client.register_plugin(QuietWorker())
        yield client


def ray_rows(spec: ModelSpec, workers: int) -> Rates:
    import ray  # pyright: ignore[reportMissingImports]

    from lowstream.cluster.ray import Predict

    x = block()
    data = ray.data.from_numpy([x + n for n in range(workers * BLOCKS)]).rename_columns(
        {"data": "X"}
    )
    done = data.materialize().map_batches(
        Predict, fn_constructor_args=[spec], batch_size=BLOCK, concurrency=workers, num_cpus=1
    )
    batches = done.iter_batches(batch_size=None)
    return rates([Done.there(len(batch["Y"])) for batch in batches], workers)


def ray_frames(spec: ModelSpec, workers: int) -> Rates:
    from lowstream.cluster.ray import keyed_streams

    return stepped(keyed_streams(spec, workers), workers)


def beam_rows(spec: ModelSpec, workers: int) -> Rates:
    import apache_beam as beam
    from apache_beam.ml.inference.base import RunInference

    from lowstream.cluster.beam import LowstreamModelHandler

    def pieces(number: int) -> Iterator[Any]:
        for row in block() + number:
            yield {"X": row}

    seen = [0]

    def counted(_: Any) -> Iterator[Done]:
        """One for each block of rows in a process."""
        seen[0] += 1
        if seen[0] % BLOCK == 0:
            yield Done.here(BLOCK)

    return _beam(
        workers,
        lambda numbers: (
            numbers
            | beam.FlatMap(pieces)
            | RunInference(LowstreamModelHandler(spec))
            | beam.FlatMap(counted)
        ),
        workers * BLOCKS,
    )


def beam_frames(spec: ModelSpec, workers: int) -> Rates:
    import apache_beam as beam

    from lowstream.cluster.beam import StreamStep

    def chunks(group: int) -> Iterator[tuple[int, Any]]:  # the key's type chooses its coder
        chunk = frames(STREAMS)  # here: what a function holds on to is packed with it
        for number in range(CHUNKS):
            yield group, (number, *chunk)

    return _beam(
        workers,
        lambda groups: (
            groups
            | beam.FlatMap(chunks)
            | beam.ParDo(StreamStep(spec))
            | beam.Map(lambda each: Done.here(len(each[1][1]["Y"])))
        ),
        workers,
    )


def _beam(workers: int, steps: Callable[[Any], Any], elements: int) -> Rates:
    import apache_beam as beam
    from apache_beam.options.pipeline_options import PipelineOptions

    mode = "in_memory" if workers == 1 else "multi_processing"
    options = PipelineOptions(
        [], runner="DirectRunner", direct_num_workers=workers, direct_running_mode=mode
    )
    with tempfile.TemporaryDirectory() as folder:
        with beam.Pipeline(options=options) as pipeline:
            starts = pipeline | beam.Create(range(elements)) | beam.Reshuffle()
            lines = steps(starts) | beam.Map(lambda done: json.dumps(asdict(done)))
            _ = lines | beam.io.WriteToText(f"{folder}/done")
        text = "\n".join(path.read_text() for path in Path(folder).glob("done*"))
    return rates([Done(**json.loads(line)) for line in text.splitlines()], workers)


ENGINES = {
    "dask": (dask_rows, dask_frames),
    "ray": (ray_rows, ray_frames),
    "beam": (beam_rows, beam_frames),
}


def main() -> None:
    parser = argparse.ArgumentParser(description="Throughput of engines beside plain processes.")
    parser.add_argument("--workers", type=int, default=max(1, (os.cpu_count() or 2) // 2))
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", choices=ENGINES)
    parser.add_argument("--kind", choices=("rows", "frames"))
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    names = [given.only] if given.only else [*ENGINES]
    if "ray" in names:
        import ray  # pyright: ignore[reportMissingImports]

        ray.init(num_cpus=given.workers + 1, include_dashboard=False, log_to_driver=False)
        ray.data.DataContext.get_current().enable_progress_bars = False
    print(f"{given.workers} workers, {given.rounds} rounds; per second on the clock, of CPU")
    print(
        f"{'':12}{'processes':>10}{'engine':>8}{'ratio':>7}{'processes':>13}{'engine':>8}{'ratio':>7}"
    )
    with tempfile.TemporaryDirectory() as folder:
        models = {
            "rows": (network(Path(folder), ROW_LAYERS, has_state=False), _rows_alone),
            "frames": (network(Path(folder), FRAME_LAYERS, has_state=True), _frames_alone),
        }
        for name in names:
            for (kind, (spec, target)), engine in zip(models.items(), ENGINES[name], strict=True):
                if given.kind in (kind, None):
                    rounds = [
                        (alone(target, spec, given.workers), engine(spec, given.workers))
                        for _ in range(given.rounds)
                    ]
                    print(
                        f"{name + ' ' + kind:12}{_compared(rounds, 0)}   {_compared(rounds, 1)}",
                        flush=True,
                    )


def _compared(rounds: Sequence[tuple[Rates, Rates]], which: int) -> str:
    """Processes, engine, and the ratio."""
    plain, found = ([both[side][which] for both in rounds] for side in range(2))
    ratio = median(b / a for a, b in zip(plain, found, strict=True))
    return f"{median(plain):10.0f}{median(found):8.0f}{ratio:7.2f}"


if __name__ == "__main__":
    main()
