"""
The pool: threads of this process that help calls of programs compiled for several threads.

Helpers run a loop in native code (`lowering.codegen.team`), outside of the interpreter's lock, and take part in a
call of whoever claims them; there is one pool, whatever the number of models. It starts with the first call that
wants help and ends with the last model that may. A process that was forked has the pool's memory, but no helpers:
its first call starts new ones.
"""

from __future__ import annotations

import ctypes
import os
import threading
import weakref
from typing import TYPE_CHECKING

from ..lowering.codegen.team import ASLEEP, BOX, BOXES, FUTEX, IDLE, MOST_HELPERS, QUIT, WAKE
from .memory import address_of, aligned

if TYPE_CHECKING:
    from ..lowering.codegen.load import LoadedProgram


class Pool:
    """The helpers of a process. `address` is where native code finds them."""

    def __init__(self):
        # Aligned to two lines: the processor fetches lines in pairs.
        memory = aligned(BOXES + MOST_HELPERS * BOX + BOX)
        skipped = -address_of(memory) % BOX
        self._memory = memory[skipped:]
        self.address = address_of(self._memory)
        self.count = ctypes.c_int64.from_address(self.address)
        """How many helpers there are; native code reads it in every call."""
        self.forget()

    def forget(self) -> None:
        """As if nothing had been started: what a forked process begins with. Users stay."""
        self._lock = threading.RLock()
        self._memory[:] = 0
        self._helpers: list[threading.Thread] = []
        self._code: list[LoadedProgram] = []
        self._room = MOST_HELPERS

    _users = 0

    def serve(self, user: object) -> None:
        """Keeps the pool until `user` is collected."""
        with self._lock:
            self._users += 1
        weakref.finalize(user, self._leave)

    def _leave(self) -> None:
        with self._lock:
            self._users -= 1
            if not self._users:
                self._stop()

    def start(self, helpers: int, code: LoadedProgram) -> int:
        """
        Makes sure that there are so many helpers, or as many as the system lets us have; says how many. Those
        that are started run the loop of this code.
        """
        with self._lock:
            wanted = min(helpers, self._room)
            while len(self._helpers) < wanted and self._start_one(code):
                pass
            return self.count.value

    def _start_one(self, code: LoadedProgram) -> bool:
        number = len(self._helpers)
        helper = threading.Thread(
            target=code.help,
            args=(self.address + BOXES + number * BOX,),
            name=f"lowstream-{number + 1}",
            daemon=True,
        )
        try:
            helper.start()
        except RuntimeError:  # the system has no more of them
            self._room = number
            return False
        self._helpers.append(helper)
        self._code.append(code)
        self.count.value = number + 1
        return True

    def _stop(self) -> None:
        """
        Ends the helpers. Nobody claims one any more, since nobody is left who could; but where the interpreter
        ends in the middle of a call, one that is at work is left to it.
        """
        self.count.value = 0
        for number, helper in enumerate(self._helpers):
            place = self.address + BOXES + number * BOX
            state = ctypes.c_int32.from_address(place)
            if state.value in (IDLE, ASLEEP):
                state.value = QUIT
                _wake(place)
                helper.join()
        self.forget()


def _wake(address: int) -> None:
    assert FUTEX is not None, "where there is none, no program asks for helpers"
    ctypes.CDLL(None).syscall(
        ctypes.c_long(FUTEX), ctypes.c_void_p(address), ctypes.c_long(WAKE), ctypes.c_long(1)
    )


pool = Pool()

os.register_at_fork(after_in_child=pool.forget)
