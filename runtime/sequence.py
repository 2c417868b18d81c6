"""What a whole signal is run on and gives: arrays with a leading dimension for its frames."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from ..passes.errors import DiagnosticError
from .aligned_buffers import buffer_of
from .results import Results, position_of

if TYPE_CHECKING:
    from .aligned_buffers import Array
    from .ports import Port


def frames_of(inputs: Mapping[Any, Any], ports: Sequence[Port]) -> tuple[dict[int, Array], int]:
    """
    The frames of each input that is given, by its number, as arrays that native code reads; and how many there are.
    Raises DiagnosticException where they do not fit the inputs or each other.
    """
    frames: dict[int, Array] = {}
    for key, given in inputs.items():
        index = position_of(key, ports, "input")
        frames[index] = np.ascontiguousarray(_of_frames(ports[index]).accept(given))
    if not frames:
        raise DiagnosticError("a sequence has frames of at least one input; name it in a dict")
    counts = {ports[index].any_name: len(array) for index, array in frames.items()}
    if len(set(counts.values())) > 1:
        listed = ", ".join(f"{name!r} has {count}" for name, count in counts.items())
        raise DiagnosticError(f"inputs differ in their number of frames: {listed}")
    return frames, next(iter(counts.values()))


@cache
def _of_frames(port: Port) -> Port:
    """What takes the frames of an input."""
    return replace(port, shape=(-1, *port.shape))


class Collected:
    """The outputs of so many frames, as they come."""

    def __init__(self, ports: Sequence[Port], count: int):
        self.arrays: list[Array] = []
        self._ports, self._count = [port for port in ports if port.role != "size"], count

    def take(self, frame: int, results: Results) -> None:
        """Takes the outputs of a frame. Raises DiagnosticException where their shapes are not those of the first."""
        if not self.arrays:
            self.arrays = [np.empty((self._count, *one.shape), one.dtype) for one in results]
        for port, array, one in zip(self._ports, self.arrays, results, strict=True):
            if one.shape != array.shape[1:]:
                raise DiagnosticError(
                    f"{port} has shape {list(one.shape)} in frame {frame} and {list(array.shape[1:])} before; "
                    "run frames whose results differ in size one by one, with infer"
                )
            array[frame] = one

    @property
    def results(self) -> Results:
        """All of them."""
        if not self.arrays:
            self.arrays = [
                buffer_of((0, *(max(size, 0) for size in port.shape)), port.dtype)
                for port in self._ports
            ]
        return in_a_row(self._ports, self.arrays)


def in_a_row(ports: Sequence[Port], arrays: Sequence[Array]) -> Results:
    """The outputs of several calls: arrays with a leading dimension for these, which are the results' own."""
    results = Results(
        [
            replace(port, shape=array.shape, sizes=())
            for port, array in zip(ports, arrays, strict=True)
        ],
        arrays,
    )
    results.copies = dict(enumerate(arrays))
    return results
