"""The inputs and the results of a whole signal: arrays with a leading dimension for its frames."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from ..passes.errors import DiagnosticError
from .results import Results, position_of
from .reused import Reused

if TYPE_CHECKING:
    from .aligned_buffers import Array
    from .ports import Port


def frames_of(inputs: Mapping[Any, Any], ports: Sequence[Port]) -> tuple[dict[int, Array], int]:
    """
    The frames of each input that is given, by its number, as arrays that native code reads; and how many there are.
    Raises DiagnosticException where they do not fit the inputs or each other.
    """
    frames: dict[int, Array] = {}
    count = -1
    differ = False
    for key, given in inputs.items():
        port = ports[index := position_of(key, ports, "input")]
        if not _is_plain(given, port):
            given = np.ascontiguousarray(_of_frames(port).accept(given))
        frames[index] = given
        differ |= count not in (-1, count := len(given))
    if differ:
        listed = ", ".join(
            f"{ports[index].any_name!r} has {len(array)}" for index, array in frames.items()
        )
        raise DiagnosticError(f"inputs differ in their number of frames: {listed}")
    if not frames:
        raise DiagnosticError("a sequence has frames of at least one input; name it in a dict")
    return frames, count


def _is_plain(given: Any, port: Port) -> bool:
    """Whether these are frames of an input as native code reads them: the usual and fast case."""
    return (
        given.__class__ is np.ndarray
        and given.dtype == port.dtype
        and given.shape[1:] == tuple(port.shape)  # not by Shape, whose comparison is Python's
        and given.flags.c_contiguous
        and given.ndim > 0
    )


@cache
def _of_frames(port: Port) -> Port:
    """The port that takes the frames of an input."""
    return replace(port, shape=(-1, *port.shape))


class OutputsInARow:
    """The outputs of several calls, as arrays with a leading dimension for these."""

    def __init__(self, ports: Sequence[Port]):
        self.ports = [port for port in ports if port.role != "size"]
        self._memory = [Reused() for _ in self.ports]
        self._shapes: list[tuple[int, ...]] | None = None
        self._shaped: list[Port] = []

    def room(self, count: int, shapes: Iterable[tuple[int, ...]]) -> list[Array]:
        """Arrays that hold anything, for outputs of these shapes."""
        return [
            memory.array((count, *shape), port.dtype)
            for memory, port, shape in zip(self._memory, self.ports, shapes, strict=True)
        ]

    def results(self, arrays: Sequence[Array]) -> Results:
        """What callers get; the arrays are theirs."""
        if (shapes := [array.shape for array in arrays]) != self._shapes:
            self._shapes = shapes
            self._shaped = [
                replace(port, shape=shape, sizes=())
                for port, shape in zip(self.ports, shapes, strict=True)
            ]
        return Results(self._shaped, arrays, dict(enumerate(arrays)))


class Collected:
    """The outputs of so many frames, as they come."""

    def __init__(self, outputs: OutputsInARow, count: int):
        self.arrays: list[Array] = []
        self._outputs, self._count = outputs, count

    def open(self, frame: int, arrays: Iterable[Array]) -> None:
        """Makes room, once a frame has outputs like these. Raises DiagnosticException where earlier ones had not."""
        if not self.arrays:
            self.arrays = self._outputs.room(self._count, [one.shape for one in arrays])
            return
        for port, array, one in zip(self._outputs.ports, self.arrays, arrays, strict=True):
            if one.shape != array.shape[1:]:
                raise DiagnosticError(
                    f"{port} has shape {list(one.shape)} in frame {frame} and {list(array.shape[1:])} before; "
                    "run frames whose results differ in size one by one, with infer"
                )

    def take(self, frame: int, results: Results) -> None:
        """Takes the outputs of a frame. Raises DiagnosticException where their shapes are not those of the first."""
        self.open(frame, results)
        for array, one in zip(self.arrays, results, strict=True):
            array[frame] = one

    @property
    def results(self) -> Results:
        """All of them."""
        if not self.arrays:
            shapes = (tuple(max(size, 0) for size in port.shape) for port in self._outputs.ports)
            self.arrays = self._outputs.room(0, shapes)
        return self._outputs.results(self.arrays)
