"""
What a pool does for streams and inputs like those of a call before: a model's call may take less time than it takes to
look at all that callers may give, and to plan.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from ...lowering.calling_convention import Streams
from ..aligned_buffers import address_of
from ..requests.results import Results
from ..requests.sequence import FramesLike
from .plan import Singles, SlotWindow

if TYPE_CHECKING:
    from ..aligned_buffers import Array
    from ..ports import Port
    from .batches import Batches
    from .plan import Step
    from .stored import Stored


class Outputs:
    """Memory for outputs of these shapes, and their results."""

    def __init__(self, batches: Batches, ports: Sequence[Port], shapes: Sequence[tuple[int, ...]]):
        rooms = zip(batches.in_a_row.memory, shapes, batches.in_a_row.ports, strict=True)
        self._ports = ports
        self._rooms = [(memory, shape, port.dtype) for memory, shape, port in rooms]

    def room(self, addresses: list[int]) -> list[Array]:
        """Arrays that hold anything; where they are comes behind other addresses."""
        arrays: list[Array] = []
        for memory, shape, dtype in self._rooms:
            array, address = memory.placed(shape, dtype)
            arrays.append(array)
            addresses.append(address)
        return arrays

    def results(self, arrays: list[Array]) -> Results:
        """What callers get; the arrays are theirs."""
        return Results(self._ports, arrays, dict(enumerate(arrays)))


class Quick:
    """
    A call for the streams of the last one. `step` is all that is planned for it, and it takes frames where callers have
    them. Valid until streams are set or reset: the plan of the store is another one then.
    """

    def __init__(
        self,
        batches: Batches,
        store: Stored,
        step: Singles | SlotWindow,
        like: FramesLike,
        results: Results,
    ):
        self._batches, self._store, self._step, self._like = batches, store, step, like
        self._planned = store.planned
        self._outputs = Outputs(batches, results.ports, [array.shape for array in results.buffers])

    @classmethod
    def of(
        cls,
        batches: Batches,
        store: Stored,
        keys: tuple[Any, ...],
        frames: Mapping[int, Array],
        results: Results,
    ) -> Self | None:
        """For what has just been run; None where that takes more than one step, or frames have to move."""
        if store.planned is None or (*frames,) != (*batches.read,):
            return None
        steps: list[Step] = store.planned[1]
        match steps:
            case [Singles() as step]:
                pass
            case [SlotWindow(is_full=True, places=slice(start=0)) as step]:
                pass
            case _:
                return None
        return cls(batches, store, step, FramesLike(keys, len(batches.inputs), frames), results)

    def run(self, inputs: Any) -> Results | None:
        """The results; None for inputs that are not alike, or where the plan is another one by now."""
        if self._store.planned is not self._planned:
            return None
        if (addresses := self._like.addresses(inputs)) is None:
            return None
        arrays = self._outputs.room(addresses)
        if isinstance(self._step, Singles):
            self._batches.call_singles(self._step, self._store, addresses)
        else:
            half = self._store.gather_window(self._step)
            self._batches.call_window(self._step, self._store, half, addresses)
        return self._outputs.results(arrays)


class QuickStream:
    """A call for one stream that is set, on its states and its frame where they lie."""

    def __init__(self, batches: Batches, store: Stored, keys: tuple[Any, ...]):
        """The model's inputs are given by these keys, in the order of the inputs."""
        self.keys, self._store = keys, store
        self._programs, self._calls = batches.scattered(store)
        empty = {
            n: np.empty(batches.inputs[n].shape, batches.inputs[n].dtype) for n in batches.read
        }
        self._like = FramesLike(keys, len(batches.inputs), empty)
        ports = batches.in_a_row.ports
        self._outputs = Outputs(batches, ports, [port.shape for port in ports])
        self._slot, self._place = np.zeros(1, np.intp), np.zeros(1, np.intp)
        addresses = address_of(self._slot), address_of(self._place)
        self._streams: Streams[int] = store.streams_at(*addresses)

    @classmethod
    def of(
        cls, batches: Batches, store: Stored, keys: tuple[Any, ...], numbers: tuple[int, ...]
    ) -> Self | None:
        """For inputs with these keys and numbers; None where calls of one stream are not in place, or frames move."""
        is_plain = 1 in batches.in_place and numbers == (*batches.read,)
        return cls(batches, store, keys) if is_plain else None

    def run(self, slot: int, inputs: Any) -> Results | None:
        """The results of the stream in a slot; None for inputs that are not alike, or a stream that is not set."""
        if not self._store.is_set[slot] or (addresses := self._like.addresses(inputs)) is None:
            return None
        arrays = self._outputs.room(addresses)
        self._slot[0] = slot
        self._programs.run_scattered(self._calls, 1, self._streams, addresses)
        return self._outputs.results(arrays)
