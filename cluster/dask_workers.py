"""Workers of Dask that leave their cores to the model."""

from __future__ import annotations

import ctypes
from typing import Any

from ..passes.errors import DiagnosticError
from ..passes.needs import needs

try:
    from distributed import WorkerPlugin
except ImportError:
    raise DiagnosticError(needs("lowstream.cluster.dask_workers", "distributed")) from None

NOT_DONE = ("profile", "profile-cycle")
"""What a worker does by the clock, by Dask's names: here, to note where its tasks are."""

RARELY = {"tick": 1000, "monitor": 2000, "memory_monitor": 1000}
"""In milliseconds: how often it looks whether it answers, what it has used, and whether its memory is full."""

TRIM_THRESHOLD, MMAP_THRESHOLD = -1, -3
"""mallopt's (https://man7.org/linux/man-pages/man3/mallopt.3.html)."""

KEPT_FREE, MOST_OF_HEAP = 1 << 28, 1 << 25
"""Bytes: so much free memory stays, and blocks up to the largest that glibc allows are taken from it."""


class QuietWorker(WorkerPlugin):
    """
    Turns a worker's profile off, lets it look at its clock and memory once in a second or two, and keep memory that is
    free. Workers that are there get it, and those that come.

        client.register_plugin(QuietWorker())
    """

    name = "lowstream-quiet"

    def setup(self, worker: Any) -> None:
        callbacks = worker.periodic_callbacks
        for name in NOT_DONE:
            if name in callbacks:
                callbacks.pop(name).stop()
        for name, milliseconds in RARELY.items():
            if name in callbacks:
                callbacks[name].callback_time = milliseconds
        # Without glibc there is no such function.
        if (mallopt := getattr(ctypes.CDLL(None), "mallopt", None)) is not None:
            mallopt(TRIM_THRESHOLD, KEPT_FREE)
            mallopt(MMAP_THRESHOLD, MOST_OF_HEAP)
