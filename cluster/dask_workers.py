"""Workers of Dask that leave their cores to the model."""

from __future__ import annotations

from typing import Any

from ..passes.errors import DiagnosticError
from ..passes.needs import needs
from .free_memory import keep_free_memory

try:
    from distributed import WorkerPlugin
except ImportError:
    raise DiagnosticError(needs("lowstream.cluster.dask_workers", "distributed")) from None

NOT_DONE = ("profile", "profile-cycle")
"""What a worker does by the clock, by Dask's names: here, to note where its tasks are."""

RARELY = {"tick": 1000, "monitor": 2000, "memory_monitor": 1000}
"""In milliseconds: how often it looks whether it answers, what it has used, and whether its memory is full."""


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
        keep_free_memory()
