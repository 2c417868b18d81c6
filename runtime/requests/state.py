"""States of a request: the memory that carries a value from one call to the next."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ...lowering.calling_convention import FLAGS, current_value, next_value
from ...passes.errors import DiagnosticError
from ..aligned_buffers import Table, address_of, buffer_of, table_of
from ..openvino.tensor import Tensor
from .calls_in_a_row import Pointer

if TYPE_CHECKING:
    import numpy.typing as npt

    from ..executable import State, StateQuantization
    from ..ports import Port
    from .exclusive import Exclusive

    Array = npt.NDArray[Any]


class StateBuffer:
    """
    The memory of one state. Native code finds its current and its next value in `table`, exchanges both when a call
    succeeds, and then sets the flag in `context`. Where there is a
    `flag`, the value of that buffer says whether this one is set.
    """

    def __init__(
        self,
        state: State,
        index: int,
        table: Table,
        context: ctypes.Array[ctypes.c_int64],
        flag: StateBuffer | None = None,
    ):
        self._flag = flag
        self.state, self._index, self._table, self._context = state, index, table, context
        has_two = state.assigned and not state.in_place
        shapes = (state.current, state.following) if has_two else (state.current,)
        pair = [buffer_of(shape, state.stored) for shape in shapes]
        self._arrays = {address_of(array): array for array in pair}
        addresses = [address_of(array) for array in pair]
        table[current_value(index)], table[next_value(index)] = addresses[0], addresses[-1]
        self._counted: tuple[int, ...] | None = None
        """The shape of what counts; None where all does."""
        if state.init is not None:
            pair[0].reshape(-1)[...] = np.frombuffer(state.init, state.stored)
        elif state.quantization is not None:
            pair[0][...] = np.rint(state.quantization.zero_point)
        self._initial = pair[0][:0] if state.in_place else pair[0].copy()

    @property
    def _whole(self) -> Array:
        """The memory that the next call reads."""
        return self._arrays[self._table[current_value(self._index)]]

    @property
    def current(self) -> Array:
        """What holds the value that the next call reads."""
        whole = self._whole
        return whole if self._counted is None else whole[tuple(map(slice, self._counted))]

    @property
    def value(self) -> Array:
        """A copy of the value that the next call reads, as users see it."""
        if (quantization := self.state.quantization) is not None:
            scale, zero_point = (
                np.asarray(one, self.state.port.dtype) for one in _numbers(quantization)
            )
            return np.asarray((self.current - zero_point) * scale)
        return self.current.copy()

    @property
    def is_set(self) -> bool:
        """Whether the next call reads the value; if not, the program may compute the initial one."""
        if self._flag is not None:
            return bool(self._flag.current)
        return bool(self._context[FLAGS + self._index])

    def set(self, value: Array) -> None:
        """
        Makes `value` what the next call reads. Where its shape is not that of the value before, the program
        no longer fits it.
        """
        if self.state.quantization is not None:
            value = _codes_of(value, self.state.port, self.state.quantization)
        self._write(value)
        self.mark(True)

    def reset(self) -> None:
        """Back to the initial value; zeros stand for one that the program computes."""
        self._write(self._initial)
        self.mark(False)

    def take_over(self, before: StateBuffer) -> None:
        """
        Goes on from what another program left, if that is set and has the shape that this one reads. A state
        of unknown size then is reset to what it was before, since this program knows no initial value.
        """
        if not before.is_set:
            return
        value, state = before.value, self.state
        fits = (
            _fits(value.shape, state.current) if state.is_dynamic else value.shape == state.current
        )
        if fits or (state.is_dynamic and not state.assigned):
            self.set(value)
            if state.is_dynamic:
                self._initial = before._initial

    def follow(self, outputs: Sequence[Array]) -> None:
        """After a call: what it left is as large as the outputs with its sizes say."""
        if not self.state.assigned:
            return
        shape = list(self.state.following)
        for dimension, place in self.state.sizes:
            shape[dimension] = int(outputs[place].item())
        self._counted = tuple(shape) if self.state.sizes else None

    def clear_rest(self) -> None:
        """Zeros behind what counts, where a call that failed has written in place."""
        if self.state.in_place:
            self._write(self.current.copy())

    def mark(self, is_set: bool) -> None:
        """Says whether the value is set."""
        self._context[FLAGS + self._index] = is_set
        if self._flag is not None:
            self._flag.current[...] = is_set

    def pointers(self, apart: int, step: int) -> tuple[Pointer, Pointer]:
        """
        Those of calls that each read a value `step` bytes further on than the one before, and write one `apart` from
        it. A call exchanges the two, so that they move on by that beside.
        """
        return (
            Pointer(self._table, current_value(self._index), step - apart),
            Pointer(self._table, next_value(self._index), step + apart),
        )

    def _write(self, value: Array) -> None:
        whole, wanted = self._whole, self.state.current
        if not _fits(value.shape, wanted):
            wanted = value.shape
        if whole.shape != wanted:
            del self._arrays[address_of(whole)]
            whole = buffer_of(wanted, whole.dtype)
            self._table[current_value(self._index)] = address = address_of(whole)
            if self.state.in_place:
                self._table[next_value(self._index)] = address
            self._arrays[address] = whole
        elif value.shape != whole.shape:
            whole[...] = 0
        self._counted = None if value.shape == whole.shape else value.shape
        self.current[...] = value


def _fits(shape: Sequence[int], room: Sequence[int]) -> bool:
    """Whether a value of this shape is the beginning of one of another shape."""
    return all(size <= most for size, most in zip(shape, room, strict=True))


def _numbers(quantization: StateQuantization) -> tuple[Any, Any]:
    return quantization.scale, quantization.zero_point


def _codes_of(values: Array, port: Port, quantization: StateQuantization) -> Array:
    """
    The nearest codes of values. Raises DiagnosticException where a value is out of the codes' range: reading the state
    would not give what was set.
    """
    limits = np.iinfo(quantization.type)
    scale, zero_point = (np.asarray(one, np.float64) for one in _numbers(quantization))
    with np.errstate(divide="ignore", invalid="ignore"):
        codes = np.rint(
            np.where(scale == 0, np.where(values == 0, 0, np.nan), values / scale) + zero_point
        )
    fits = (limits.min <= codes) & (codes <= limits.max)
    if not fits.all():
        low, high = (
            np.broadcast_to((end - zero_point) * scale, values.shape)[~fits][0]
            + 0.0  # no minus zero
            for end in (limits.min, limits.max)
        )
        raise DiagnosticError(
            f"{port} is quantized, and {values[~fits][0]} is outside {low:.6g} … {high:.6g}; clip it yourself"
        )
    return codes.astype(quantization.type)


def state_buffers_of(
    states: Sequence[State], table: Table, context: ctypes.Array[ctypes.c_int64]
) -> list[StateBuffer]:
    """The memory of a program's states, in order; flags belong to what they are of, and are not listed."""
    flags = {
        state.flag: StateBuffer(states[state.flag], state.flag, table, context)
        for state in states
        if state.flag is not None
    }
    return [
        StateBuffer(
            state, index, table, context, flags.get(state.flag) if state.flag is not None else None
        )
        for index, state in enumerate(states)
        if index not in flags
    ]


def detached(states: Sequence[State]) -> list[StateBuffer]:
    """Memory for states that no program reads yet."""
    return state_buffers_of(states, *tables_of(states))


def tables_of(states: Sequence[State]) -> tuple[Table, ctypes.Array[ctypes.c_int64]]:
    """The table of states that native code gets, and the context with their flags, none of which is set."""
    return (
        table_of([0] * current_value(len(states))),
        (ctypes.c_int64 * (FLAGS + len(states)))(),
    )


class VariableState:
    """A state of a request, by the id that its variable has in the model."""

    def __init__(
        self,
        find: Callable[[], StateBuffer],
        exclusive: Exclusive,
        respecialize: Callable[[], None],
    ):
        self._find, self._exclusive, self._respecialize = find, exclusive, respecialize

    @property
    def name(self) -> str:
        """The id of the variable."""
        return self._find().state.port.any_name

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the value that the next call reads."""
        return self._find().current.shape

    @property
    def scale(self) -> Array | None:
        """The step between the values of a quantized state, in a form that broadcasts to it; None for others."""
        quantization = self._find().state.quantization
        return (
            None
            if quantization is None
            else np.asarray(quantization.scale, self._find().state.port.dtype)
        )

    @property
    def zero_point(self) -> Array | None:
        """The code that stands for 0 in a quantized state, as `scale`."""
        quantization = self._find().state.quantization
        return None if quantization is None else np.asarray(quantization.zero_point)

    @property
    def state(self) -> Tensor:
        """
        A copy of the value that the next call reads. Before the first call and after a reset this is
        the initial value, or zeros where the model computes that from its inputs.

        Where the variable has an unknown dimension, a value of another size may be set. A quantized state takes
        and gives values, not codes; what is set is rounded to the nearest value that a code stands for. Raises
        DiagnosticException for an array that does not fit.
        """
        with self._exclusive:
            return self._find().value.view(Tensor)

    @state.setter
    def state(self, value: Any) -> None:
        with self._exclusive:
            buffer = self._find()
            before = buffer.current.shape
            buffer.set(buffer.state.port.accept(value))
            if buffer.current.shape != before:
                self._respecialize()

    def reset(self) -> None:
        """Back to the initial value."""
        with self._exclusive:
            buffer = self._find()
            buffer.reset()
            if buffer.state.is_dynamic:
                self._respecialize()

    def __repr__(self) -> str:
        return f"<VariableState {self.name} {list(self.shape)}>"
