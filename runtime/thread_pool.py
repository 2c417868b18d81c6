"""
The thread pool: the workers of this process, for calls of programs that are compiled for several threads.

Workers run a loop in native code (`codegen.entry.team`), outside of the interpreter's lock, and join the team of the
call that claims them. All models share one pool. It starts with the first call that wants workers and ends with the
last model that may want some. A forked process has the pool's memory, but no workers: its first call starts new ones.
"""

from __future__ import annotations

import ctypes
import os
import sys
import threading
import weakref
from typing import TYPE_CHECKING

from ..lowering.calling_convention import (
    CLAIMED,
    FUTEX,
    MAILBOX,
    MOST_WORKERS,
    POOL_BYTES,
    QUIT,
    WAKE,
    mailbox,
)
from .aligned_buffers import address_of, aligned

if TYPE_CHECKING:
    from ..lowering.codegen.load import LoadedProgram


PATIENCE = 1.0
"""Seconds to wait for a worker that a call claimed just before the worker was told to quit; then it is left alone."""


class ThreadPool:
    """The workers of a process. `address` is where native code finds them."""

    def __init__(self):
        memory = aligned(POOL_BYTES + MAILBOX)
        skipped = -address_of(memory) % MAILBOX
        self._memory = memory[skipped:]
        self.address = address_of(self._memory)
        self.count = ctypes.c_int64.from_address(self.address)
        """How many workers there are; native code reads it in every call."""
        self.forget()

    def forget(self) -> None:
        """Empties the pool, as a forked process finds it: without workers. Users stay."""
        self._lock = threading.RLock()
        self._memory[:] = 0
        self._workers: list[threading.Thread] = []
        self._code: list[LoadedProgram] = []
        self._room = MOST_WORKERS

    _users = 0

    def serve(self, user: object) -> None:
        """Keeps the pool alive until `user` is collected; at the exit it stays, as daemon threads may be amid calls."""
        with self._lock:
            self._users += 1
        weakref.finalize(user, self._leave).atexit = False

    def _leave(self) -> None:
        with self._lock:
            self._users -= 1
            if not self._users:
                self._stop()

    def start(self, workers: int, code: LoadedProgram) -> int:
        """
        Starts workers until there are so many, or as many as the system allows, and gives their number. Those that it
        starts run the loop of this code. An interpreter that ends starts none: who starts a thread waits until it runs.
        """
        if sys.is_finalizing():
            return self.count.value
        with self._lock:
            wanted = min(workers, self._room)
            while len(self._workers) < wanted and self._start_one(code):
                pass
            return self.count.value

    def _start_one(self, code: LoadedProgram) -> bool:
        number = len(self._workers)
        worker = threading.Thread(
            target=code.worker,
            args=(self.address + mailbox(number),),
            name=f"lowstream-{number + 1}",
            daemon=True,
        )
        try:
            worker.start()
        except RuntimeError:  # the system has no more of them
            self._room = number
            return False
        self._workers.append(worker)
        self._code.append(code)
        self.count.value = number + 1
        return True

    def _stop(self) -> None:
        """
        Ends the workers. There is no user left who could claim one; but where the interpreter exits in the middle of a
        call, the workers of its team are left alone.
        """
        self.count.value = 0
        for number, worker in enumerate(self._workers):
            place = self.address + mailbox(number)
            word = ctypes.c_int64.from_address(place)
            if not word.value & CLAIMED:
                word.value = QUIT
                _wake(place)
                worker.join(PATIENCE)
        self.forget()


def _wake(address: int) -> None:
    assert FUTEX is not None, "where there is none, no program asks for workers"
    ctypes.CDLL(None).syscall(
        ctypes.c_long(FUTEX), ctypes.c_void_p(address), ctypes.c_long(WAKE), ctypes.c_long(1)
    )


pool = ThreadPool()

os.register_at_fork(after_in_child=pool.forget)
