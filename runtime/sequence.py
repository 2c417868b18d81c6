"""What a whole signal is run on and gives: arrays with a leading dimension for its frames."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from ..passes.errors import DiagnosticError
from .aligned_buffers import buffer_of, unwritten
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
        port = ports[index := position_of(key, ports, "input")]
        frames[index] = (
            given
            if _is_plain(given, port)
            else np.ascontiguousarray(_of_frames(port).accept(given))
        )
    if not frames:
        raise DiagnosticError("a sequence has frames of at least one input; name it in a dict")
    count, *others = {len(array) for array in frames.values()}
    if others:
        listed = ", ".join(
            f"{ports[index].any_name!r} has {len(array)}" for index, array in frames.items()
        )
        raise DiagnosticError(f"inputs differ in their number of frames: {listed}")
    return frames, count


def _is_plain(given: Any, port: Port) -> bool:
    """Whether these are frames of an input as native code reads them: the usual case, and the quick one."""
    return (
        type(given) is np.ndarray
        and given.ndim > 0
        and given.shape[1:] == port.shape
        and given.dtype == port.dtype
        and given.flags.c_contiguous
    )


@cache
def _of_frames(port: Port) -> Port:
    """What takes the frames of an input."""
    return replace(port, shape=(-1, *port.shape))


class Collected:
    """The outputs of so many frames, as they come."""

    def __init__(self, ports: Sequence[Port], count: int):
        self.arrays: list[Array] = []
        self._ports, self._count = [port for port in ports if port.role != "size"], count

    def open(self, frame: int, arrays: Iterable[Array]) -> None:
        """Makes room, once a frame has outputs like these. Raises DiagnosticException where earlier ones had not."""
        if not self.arrays:
            self.arrays = [unwritten((self._count, *one.shape), one.dtype) for one in arrays]
            return
        for port, array, one in zip(self._ports, self.arrays, arrays, strict=True):
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
            self.arrays = [
                buffer_of((0, *(max(size, 0) for size in port.shape)), port.dtype)
                for port in self._ports
            ]
        return in_a_row(self._ports, self.arrays)


def in_a_row(ports: Sequence[Port], arrays: Sequence[Array]) -> Results:
    """The outputs of several calls: arrays with a leading dimension for these, which are the results' own."""
    results = Results(
        [_shaped(port, array.shape) for port, array in zip(ports, arrays, strict=True)], arrays
    )
    results.copies = dict(enumerate(arrays))
    return results


@lru_cache(maxsize=256)
def _shaped(port: Port, shape: tuple[int, ...]) -> Port:
    """A port of results in a row."""
    return replace(port, shape=shape, sizes=())
