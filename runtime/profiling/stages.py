"""The stages of a call, one by one, and what each took: those of OpenVINO's synchronous inference request."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter_ns
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import os

    from ..requests.request import InferRequest, Inputs
    from ..requests.results import Results

STAGES = ("preprocess", "dump", "start", "wait", "postprocess")
"""In the order of a call."""


class StageTimes(dict[str, int]):
    """What each stage took in the last call, in nanoseconds; 0 for one that the call had not."""

    def __init__(self) -> None:
        super().__init__(dict.fromkeys(STAGES, 0))
        self.filling = 0
        """What the next call has spent on its inputs already."""

    @contextmanager
    def count(self, stage: str) -> Generator[None]:
        """Adds what is done meanwhile."""
        begin = perf_counter_ns()
        try:
            yield
        finally:
            self[stage] += perf_counter_ns() - begin


class Stages:
    """
    The stages of a request's call, for pipelines that run them in threads of their own choice. In this order they do
    what `infer` does:

        stages.preprocess({"X": x})
        stages.start()
        stages.wait()
        results = stages.postprocess()

    Each raises DiagnosticException while another thread uses the request.
    """

    def __init__(self, request: InferRequest):
        self._request = request

    @property
    def times(self) -> StageTimes:
        """What each took, in nanoseconds, since the last `preprocess`."""
        return self._request.stage_times

    def preprocess(self, inputs: Inputs | None = None, share_inputs: bool = False) -> None:
        """
        Takes inputs as `infer` does, finds the program for their shapes, and converts, gathers and copies what native
        code cannot read where it lies.
        """
        self.times.update(StageTimes())
        with self.times.count("preprocess"):
            self._request.prepare(inputs, share_inputs)

    def dump(self, folder: str | os.PathLike[str]) -> list[Path]:
        """Writes what the call reads, inputs and states, to a folder, as `.npy`. Returns the files."""
        written: list[Path] = []
        with self.times.count("dump"):
            path = Path(folder)
            path.mkdir(parents=True, exist_ok=True)
            for name, array in self._request.read_by_call():
                written.append(path / f"{''.join(c if c.isalnum() else '_' for c in name)}.npy")
                np.save(written[-1], array)
        return written

    def start(self) -> None:
        """The call of native code, on what `preprocess` left. States go on."""
        with self.times.count("start"):
            self._request.call_prepared()

    def wait(self) -> None:
        """Nothing, as native code is done when `start` returns; of `start_async` it waits for the end."""
        begin, before = perf_counter_ns(), self.times["wait"]
        self._request.wait()
        self.times["wait"] = before + perf_counter_ns() - begin

    def postprocess(self) -> Results:
        """Writes outputs to arrays of the caller's that native code cannot write, and gives the results."""
        with self.times.count("postprocess"):
            return self._request.finish()


def counted(
    times: StageTimes, read: Callable[[], None], call: Callable[[], None], write: Callable[[], None]
) -> Callable[[], None]:
    """A call of three parts, each of which is counted."""

    def run() -> None:
        begin = perf_counter_ns()
        read()
        middle = perf_counter_ns()
        call()
        end = perf_counter_ns()
        write()
        times.update(
            preprocess=times.filling + middle - begin,
            dump=0,
            start=end - middle,
            wait=0,
            postprocess=perf_counter_ns() - end,
        )
        times.filling = 0

    return run
