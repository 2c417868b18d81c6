"""
What LSTMs as LiteRT's fused operators have in common: states, the order of gates, one direction.

LiteRT keeps the states in variable tensors that its kernels change in place. A model here says what
the states begin with, so that every call writes these into the variables before the kernel runs; only
states of the model itself go on (see `states`). What the kernel leaves in a variable is read behind
its output: a value that depends on both cannot be computed before.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from xdsl.ir import SSAValue

from ...dialects import tfl
from .movement import concatenated, cropped
from .refusals import UnknownSizeError
from .sizes import is_sized
from .tensors import UNKNOWN, Elements, Tensor
from .writer import TflWriter

TANH = "TANH"

GATE_ORDER = (1, 0, 2, 3)
"""For each gate in LiteRT's order i, f, c, o, its position in `rnn`'s weights, which are f, i, c, o."""


@dataclass(frozen=True)
class Direction:
    """One LSTM over a sequence: its 17 weights, what its states begin with and its 4 norms."""

    weights: Sequence[Tensor | None]
    h: Tensor
    c: Tensor
    norms: Sequence[Tensor | None] = (None,) * 4

    @property
    def outputs(self) -> int:
        """The size of an output."""
        return self.h.shape[-1]


Asked = tuple[Sequence[Tensor | None], Mapping[str, Any]]
"""The operands and options of an operator."""


@dataclass(frozen=True)
class Ran:
    """The results of an LSTM: its outputs, and the variable that holds the last cell state."""

    y: Tensor
    cell: Tensor


def variable(write: TflWriter, initial: Tensor) -> Tensor:
    """
    A state that begins every call with `initial`.

    Raises DiagnosticException where its memory could not follow its size.
    """
    if not is_sized(initial):
        raise UnknownSizeError(
            "LiteRT learns the size of its states in the call, too late to have memory for them"
        )
    state = write.variable(initial.type)
    # LiteRT copies a constant once, before the first call, and other tensors not at all where their
    # memory can be shared; this it computes in every call.
    written = write.operator("MINIMUM", [initial, initial], initial.type)
    write.block.add_op(tfl.StoreOp.create(operands=[written.value, state.value]))
    return state


def run_forward(write: TflWriter, x: Tensor, lstm: Direction, **options: Any) -> Ran:
    """An LSTM from the first step to the last. If the same one was written before, for other results, it is reused."""
    chosen = {"fused_activation_function": TANH, **options}
    asked = ([x, *lstm.weights, lstm.h, lstm.c, *lstm.norms], chosen)
    for before, ran in write.ran:
        if _are_same(before, asked):
            return ran
    h, c = variable(write, lstm.h), variable(write, lstm.c)
    shape = (*x.shape[:2], lstm.outputs)
    inputs = [x, *lstm.weights, h, c, *lstm.norms]
    type = Elements(x.element).tensor(shape)
    y = write.operator("UNIDIRECTIONAL_SEQUENCE_LSTM", inputs, type, **chosen)
    write.ran.append((asked, Ran(y, c)))
    return write.ran[-1][1]


def _are_same(left: Asked, right: Asked) -> bool:
    """Whether operators do the same with the same values; an option that is left out is 0."""
    (ours, options), (theirs, others) = left, right
    if any(options.get(name, 0) != others.get(name, 0) for name in {*options, *others}):
        return False
    return all(
        a is b
        or (
            a is not None
            and b is not None
            and a.data is not None
            and b.data is not None
            and a.quantization == b.quantization
            and np.array_equal(a.data, b.data)
        )
        for a, b in zip(ours, theirs, strict=True)
    )


def last_step(write: TflWriter, y: Tensor, time_major: bool) -> Tensor:
    """`[batch, size]`: the output of the last step."""
    axis = 0 if time_major else 1
    steps = y.shape[axis]
    starts, sizes = [0, 0, 0], list(y.shape)
    sizes[axis] = 1
    if steps != UNKNOWN:
        starts[axis] = steps - 1
        part = cropped(write, y, starts, sizes, [1, 1, 1])
    else:
        limits = [[0, 0, 0], [0, 0, 0], [1, 1, 1]]
        limits[0][axis] = -1
        masks: dict[str, Any] = {"begin_mask": 0b111 ^ (1 << axis), "end_mask": 0b111}
        part = write.op("STRIDED_SLICE", [y, *map(write.integers, limits)], sizes, like=y, **masks)
    return write.reshaped(part, (y.shape[1 - axis], y.shape[2]))


def final_cell(write: TflWriter, ran: Ran, behind: Tensor) -> Tensor:
    """The last cell state; `behind`, `[batch, size]`, is a value that the kernel must have computed before."""
    both = concatenated(write, [ran.cell, behind], 1)
    return cropped(write, both, [0, 0], ran.cell.shape, [1, 1])


def direction_of(write: TflWriter, value: SSAValue, direction: int, size: int) -> Tensor:
    """`[batch, size]`: the states of one direction."""
    whole = write.plain(value)
    if whole.data is not None:
        return write.constant(whole.data[:, direction])
    batch = whole.shape[0]
    part = cropped(write, whole, [0, direction, 0], [batch, 1, size], [1, 1, 1])
    return write.reshaped(part, (batch, size))
