"""States of a request: the memory that carries a value from one call to the next."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from .memory import Table, address_of, buffer_for

if TYPE_CHECKING:
    import ctypes

    import numpy.typing as npt

    from .exclusive import Exclusive
    from .executable import State

    Array = npt.NDArray[Any]

FLAGS = 2
"""Where the flags begin in the context that native code gets: one for each state, whether it is set."""


class Cell:
    """
    One state's memory. Native code finds its current and its next value at `table[2 * index]` and the
    entry after it, exchanges both when a call succeeds, and then sets `context[FLAGS + index]`.
    """

    def __init__(
        self, state: State, index: int, table: Table, context: ctypes.Array[ctypes.c_int64]
    ):
        self.state, self._index, self._table, self._context = state, index, table, context
        pair = [buffer_for(state.port) for _ in range(2 if state.assigned else 1)]
        self._arrays = {address_of(array): array for array in pair}
        addresses = list(self._arrays)
        table[2 * index], table[2 * index + 1] = addresses[0], addresses[-1]
        self.reset()

    @property
    def current(self) -> Array:
        """The value that the next call reads, in place."""
        return self._arrays[self._table[2 * self._index]]

    @property
    def is_set(self) -> bool:
        """Whether the next call reads the value; if not, the program may compute the initial one."""
        return bool(self._context[FLAGS + self._index])

    def set(self, value: Array) -> None:
        """Makes `value` what the next call reads."""
        self.current[...] = value
        self._context[FLAGS + self._index] = 1

    def reset(self) -> None:
        """Back to the initial value; zeros stand for one that the program computes."""
        import numpy as np

        init, current = self.state.init, self.current
        current[...] = (
            0 if init is None else np.frombuffer(init, current.dtype).reshape(current.shape)
        )
        self._context[FLAGS + self._index] = 0


class VariableState:
    """A state of a request, by the id that its variable has in the model."""

    def __init__(self, find: Callable[[], Cell], exclusive: Exclusive):
        self._find, self._exclusive = find, exclusive

    @property
    def name(self) -> str:
        """The id of the variable."""
        return self._find().state.port.any_name

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the value."""
        return self._find().state.port.shape

    @property
    def state(self) -> Array:
        """
        A copy of the value that the next call reads. Before the first call and after a reset this is
        the initial value, or zeros where the model computes that from its inputs.
        """
        with self._exclusive:
            return self._find().current.copy()

    @state.setter
    def state(self, value: Any) -> None:
        with self._exclusive:
            cell = self._find()
            cell.set(cell.state.port.accept(value))

    def reset(self) -> None:
        """Back to the initial value."""
        with self._exclusive:
            self._find().reset()

    def __repr__(self) -> str:
        return f"<VariableState {self.name} {list(self.shape)}>"
