"""The outcome of an asynchronous call that was made at once: the part of `Future` that waiting needs."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .results import Results


class Done:
    """The results of a call, or what it raised."""

    __slots__ = ("failure", "results")

    def __init__(self, results: Results, failure: Exception | None = None):
        self.results, self.failure = results, failure

    def result(self, timeout: float | None = None) -> Results:
        """The results, now. Raises what the call raised."""
        del timeout
        if self.failure is not None:
            raise self.failure
        return self.results

    def done(self) -> bool:
        """Whether there are results, or a failure: always."""
        return True

    def exception(self) -> Exception | None:
        """What the call raised."""
        return self.failure

    def add_done_callback(self, tell: Callable[[Done], object]) -> None:
        """Calls `tell`."""
        tell(self)
