"""
What a pool does for streams and inputs like those of a call before: a model's call may take less time than it takes to
look at all that callers may give, and to plan.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
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
    """
    A call for one stream that is set, on its states where they lie. Its frame and its results are copied, as a
    request's are: that takes less time than to find out where they are.
    """

    def __init__(self, batches: Batches, store: Stored, keys: tuple[Any, ...]):
        """The inputs that the model reads are given by these keys, in their order."""
        self.keys = keys
        self._slot, self._place = np.zeros(1, np.intp), np.zeros(1, np.intp)
        self.run = self._runner(batches, store)

    @classmethod
    def of(
        cls, batches: Batches, store: Stored, keys: tuple[Any, ...], numbers: tuple[int, ...]
    ) -> Self | None:
        """For inputs with these keys and numbers; None where calls of one stream are not in place, or frames move."""
        is_plain = 1 in batches.in_place and numbers == (*batches.read,)
        return cls(batches, store, keys) if is_plain else None

    def _runner(self, batches: Batches, store: Stored) -> Callable[[int, Any], Results | None]:
        """
        A function to the results of the stream in a slot; to None for inputs that are not alike, or a stream that is
        closed or not set. A closure, since attributes are slow, and each function that is entered takes longer after
        a call, when none of Python's code is in a cache.
        """
        programs, calls = batches.scattered(store, is_copied=True)
        binding = programs.binding(True)
        keys, is_list = self.keys, self.keys == tuple(range(len(batches.inputs)))
        fillable = [(array := binding.inputs[n], array.dtype, array.shape) for n in batches.read]
        ports, outputs, is_set = batches.in_a_row.ports, binding.outputs, store.is_set.data
        addresses = address_of(self._slot), address_of(self._place)
        streams: Streams[int] = store.streams_at(*addresses)
        slots, run_scattered = self._slot, programs.run_scattered

        def run(slot: int, inputs: Any) -> Results | None:
            if slot < 0 or not is_set[slot]:
                return None
            if inputs.__class__ is list and is_list and len(inputs) == len(fillable):
                given = inputs
            elif inputs.__class__ is dict and tuple(inputs) == keys:
                given = inputs.values()
            else:
                return None
            for array, (target, dtype, shape) in zip(given, fillable, strict=True):
                if (
                    array.__class__ is not np.ndarray
                    or array.dtype is not dtype
                    or array.shape != shape
                ):
                    return None
                target[...] = array
            slots[0] = slot
            run_scattered(calls, 1, streams, ())
            arrays = [array.copy() for array in outputs]
            return Results(ports, arrays, dict(enumerate(arrays)))

        return run
