"""A program in memory, shared by all requests: its code, its weights, and arenas that calls check out."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from ..lowering.calling_convention import ALIGNMENT
from .aligned_buffers import address_of, aligned
from .executable import Executable

if TYPE_CHECKING:
    from .aligned_buffers import Array


class Arena:
    """Memory for a program's intermediate values."""

    __slots__ = ("_memory", "address")

    def __init__(self, nbytes: int):
        self._memory = aligned(nbytes)
        self.address = address_of(self._memory)


class NativeProgram:
    """
    An executable that is loaded. `pool_address` is what frames hold, where several threads may share a call.

    A call takes an arena from `spare_arenas`, or makes one, and puts it there afterwards: there are as many
    as calls were ever under way at once, and the one used last, still in the CPU's cache, goes first.
    """

    def __init__(self, executable: Executable):
        from ..lowering.codegen.load import LoadedProgram

        executable.check_cpu()
        self.executable = executable
        self._code = LoadedProgram(map(bytes, executable.objects), executable.threads)
        self.bind: Callable[[int], Callable[[], int]] = self._code.bind
        self.call_sequence = self._code.call_sequence
        self.call_scattered = self._code.call_scattered
        if executable.threads > 1:
            self._use_pool()
        self._weights = _in_place(executable)
        self.weights_address = address_of(self._weights)
        self.spare_arenas: list[Arena] = []

    pool_address = 0

    def take_arena(self) -> Arena:
        """The arena that was used last, or a new one; goes to `spare_arenas` afterwards."""
        try:
            return self.spare_arenas.pop()
        except IndexError:
            return Arena(self.executable.arena_bytes)

    def _use_pool(self) -> None:
        """Lets calls find workers of the thread pool; the first call starts them."""
        from .thread_pool import pool

        pool.serve(self)
        self.pool_address = pool.address
        workers, code, count = self.executable.threads - 1, self._code, pool.count

        def bind(frame: int) -> Callable[[], int]:
            alone = code.bind(frame)

            def call() -> int:
                nonlocal workers
                if count.value < workers:
                    workers = pool.start(workers, code)
                return alone()

            return call

        self.bind = bind


def _in_place(executable: Executable) -> Array:
    """The weights, aligned. They stay where they are if they are aligned already, as in a mapped file."""
    if not memoryview(executable.weights).nbytes:
        return aligned(0)
    weights = np.frombuffer(executable.weights, np.uint8)
    if address_of(weights) % ALIGNMENT == 0:
        return weights
    copy = aligned(weights.size)
    copy[...] = weights
    return copy
