"""The inputs and the results of a whole signal: arrays with a leading dimension for its frames."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from ctypes import addressof, c_char
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from ...passes.errors import DiagnosticError
from .results import Results, distinct_places
from .reused import Reused

if TYPE_CHECKING:
    from ..aligned_buffers import Array
    from ..ports import Port
    from .binding import Binding


def frames_of(inputs: Mapping[Any, Any], ports: Sequence[Port]) -> tuple[dict[int, Array], int]:
    """
    The frames of each input that is given, by its number, as arrays that native code reads; and how many there are.
    Raises DiagnosticException where they do not fit the inputs or each other.
    """
    frames: dict[int, Array] = {}
    count = -1
    differ = False
    for key, index in distinct_places(inputs, ports).items():
        port, given = ports[index], inputs[key]
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
        self.memory = [Reused() for _ in self.ports]
        self._last: tuple[list[tuple[int, ...]], list[Port]] = [], []
        """The last shapes, and ports of them; in one tuple, since threads share a pool's."""

    def room(self, count: int, shapes: Iterable[tuple[int, ...]]) -> list[Array]:
        """Arrays that hold anything, for outputs of these shapes."""
        return [
            memory.array((count, *shape), port.dtype)
            for memory, port, shape in zip(self.memory, self.ports, shapes, strict=True)
        ]

    def results(self, arrays: Sequence[Array]) -> Results:
        """What callers get; the arrays are theirs."""
        shapes, ports = self._last
        if (found := [array.shape for array in arrays]) != shapes:
            pairs = zip(self.ports, found, strict=True)
            ports = [replace(port, shape=shape, sizes=()) for port, shape in pairs]
            self._last = found, ports
        return Results(ports, arrays, dict(enumerate(arrays)))


class Collected:
    """The outputs of so many frames, as they come."""

    def __init__(self, outputs: OutputsInARow, count: int, arrays: Sequence[Array] = ()):
        self.arrays = list(arrays)
        self.outputs, self.count = outputs, count

    def open(self, frame: int, arrays: Iterable[Array]) -> None:
        """Makes room, once a frame has outputs like these. Raises DiagnosticException where earlier ones had not."""
        if not self.arrays:
            self.arrays = self.outputs.room(self.count, [one.shape for one in arrays])
            return
        for port, array, one in zip(self.outputs.ports, self.arrays, arrays, strict=True):
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
            shapes = (tuple(max(size, 0) for size in port.shape) for port in self.outputs.ports)
            self.arrays = self.outputs.room(0, shapes)
        return self.outputs.results(self.arrays)


class FramesLike:
    """Recognizes inputs that are given by the same keys as some before, and have the same types and shapes."""

    def __init__(self, keys: tuple[Any, ...], count: int, frames: Mapping[int, Array]):
        """`frames` are those before, by the number of their input; the model has `count` inputs."""
        self.numbers = (*frames,)
        self._keys, self._is_list = keys, keys == tuple(range(count))
        self._wanted = [(array.dtype, array.shape) for array in frames.values()]

    def addresses(self, inputs: Any) -> list[int] | None:
        """Where the frames of each input are, as native code reads them; None for inputs that are not alike."""
        if len(given := self._given(inputs)) != len(self._wanted):
            return None
        found: list[int] = []
        for array, (dtype, shape) in zip(given, self._wanted, strict=True):
            if (
                array.__class__ is not np.ndarray
                or array.dtype is not dtype
                or array.shape != shape
            ):
                return None
            try:  # as `address_of`, whose call would take as long as this
                found.append(addressof(c_char.from_buffer(array)))
            except (TypeError, ValueError):
                if not array.flags.c_contiguous:
                    return None
                found.append(array.ctypes.data)
        return found

    def _given(self, inputs: Any) -> Collection[Any]:
        if inputs.__class__ is list and self._is_list:
            return inputs
        if inputs.__class__ is dict and tuple(inputs) == self._keys:
            return inputs.values()
        return ()

    def frames(self, inputs: Any) -> dict[int, Array]:
        """By the number of the input, of inputs that have addresses."""
        return dict(zip(self.numbers, self._given(inputs), strict=True))


class Repeated:
    """
    What `infer_sequence` does on a binding, that reads and writes its own arrays, for frames like some before: as many,
    of the same inputs, types and shapes. After a call of milliseconds none of Python's code is in a cache, and each
    function that is entered takes microseconds: here there are few.
    """

    def __init__(
        self,
        binding: Binding,
        keys: tuple[Any, ...],
        frames: Mapping[int, Array],
        collected: Collected,
    ):
        self._like = FramesLike(keys, len(binding.program.executable.inputs), frames)
        self._count = collected.count
        self._calls = binding.calls_for(tuple(frames))
        self._outputs, self._ports = collected.outputs, collected.results.ports
        arrays = zip(self._outputs.memory, collected.arrays, strict=True)
        self._rooms = [(memory, array.shape, array.dtype) for memory, array in arrays]

    def run(
        self,
        binding: Binding,
        inputs: Any,
        before: Callable[[], None],
        go_on: Callable[[dict[int, Array], Collected, int], Results],
    ) -> Results | None:
        """
        The results, None for other frames. `before` is called in front of the frames, and `go_on` after a call that
        did not succeed, with the frames, their outputs and how many are done.
        """
        if (addresses := self._like.addresses(inputs)) is None:
            return None
        for number in self._like.numbers:
            if binding.fillable[number] is None:
                return None
        before()
        outputs: list[Array] = []
        for memory, shape, dtype in self._rooms:
            array, address = memory.placed(shape, dtype)
            outputs.append(array)
            addresses.append(address)
        made, status = self._calls.run(self._count, addresses)
        if status:  # which the next call finds, too
            return go_on(
                self._like.frames(inputs), Collected(self._outputs, self._count, outputs), made
            )
        return Results(self._ports, outputs, dict(enumerate(outputs)))
