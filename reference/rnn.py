"""The meaning of the `rnn` dialect: one step of each cell, and what a sequence makes of steps."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import cast

import numpy as np

from ..dialects import rnn
from ..dialects.rnn.recurrent import GruOp, LstmOp, RecurrentOp, RnnOp
from .arrays import Array
from .functions import logistic
from .meaning import meaning

Function = Callable[[Array], Array]
States = tuple[Array, ...]
Step = Callable[[Array, States, Array, Array, Array], States]
"""The states after one step: of x, the states before, W, R and B."""


def function_of(activation: rnn.Activation, clip: float = 0.0) -> Function:
    """An activation function, behind a limit of its argument to [-clip, clip] where that is not 0."""

    def hard_sigmoid(x: Array) -> Array:
        line = x.dtype.type(activation.alpha) * x + x.dtype.type(activation.beta)
        return np.clip(line, x.dtype.type(0), x.dtype.type(1))

    def relu(x: Array) -> Array:
        return np.maximum(x, x.dtype.type(0))

    functions: dict[str, Function] = {
        "sigmoid": logistic,
        "tanh": np.tanh,
        "relu": relu,
        "hard_sigmoid": hard_sigmoid,
    }
    plain = functions[activation.name]
    if not clip:
        return plain
    return lambda x: plain(np.clip(x, x.dtype.type(-clip), x.dtype.type(clip)))


def lstm_step(op: LstmOp) -> Step:
    """Gates in the order f, i, c, o; `clip` limits what enters the gates, `cell_clip` the new cell state."""
    clip, cell_clip = op.clip.value.data, op.cell_clip.value.data
    gate, candidate, output = op.functions
    gate, candidate = function_of(gate, clip), function_of(candidate, clip)
    output = function_of(output)

    def step(x: Array, states: States, w: Array, r: Array, b: Array) -> States:
        h, c = states
        forget, enter, update, leave = np.split(x @ w.T + h @ r.T + b, 4, axis=1)
        cell = gate(forget) * c + gate(enter) * candidate(update)
        if cell_clip:
            cell = np.clip(cell, cell.dtype.type(-cell_clip), cell.dtype.type(cell_clip))
        return gate(leave) * output(cell), cell

    return step


def gru_step(op: GruOp) -> Step:
    """Gates in the order z, r, h."""
    clip = op.clip.value.data
    gate, candidate = (function_of(function, clip) for function in op.functions)
    linear = bool(op.linear_before_reset)

    def step(x: Array, states: States, w: Array, r: Array, b: Array) -> States:
        (h,) = states
        wz, wr, wh = np.split(w, 3)
        rz, rr, rh = np.split(r, 3)
        bz, br, bh, *rest = np.split(b, 4 if linear else 3)
        update = gate(x @ wz.T + h @ rz.T + bz)
        reset = gate(x @ wr.T + h @ rr.T + br)
        if linear:
            new = candidate(x @ wh.T + reset * (h @ rh.T + rest[0]) + bh)
        else:
            new = candidate(x @ wh.T + (reset * h) @ rh.T + bh)
        return ((x.dtype.type(1) - update) * new + update * h,)

    return step


def rnn_step(op: RnnOp) -> Step:
    """`H' = f(xW + hR + b)`"""
    (activation,) = (function_of(function, op.clip.value.data) for function in op.functions)

    def step(x: Array, states: States, w: Array, r: Array, b: Array) -> States:
        return (activation(x @ w.T + states[0] @ r.T + b),)

    return step


def step_of(op: RecurrentOp) -> Step:
    """One step of a cell, or of each cell of a sequence."""
    match op:
        case LstmOp():
            return lstm_step(op)
        case GruOp():
            return gru_step(op)
        case RnnOp():
            return rnn_step(op)
        case _:
            raise AssertionError(op.name)


@meaning(rnn.LstmCellOp, rnn.GruCellOp, rnn.RnnCellOp)
def cell(op: rnn.CellOp, x: Array, *rest: Array) -> States:
    *states, w, r, b = rest
    return step_of(op)(x, tuple(states), w, r, b)


@meaning(rnn.LstmSequenceOp, rnn.GruSequenceOp, rnn.RnnSequenceOp)
def sequence(op: rnn.SequenceOp, x: Array, *rest: Array) -> tuple[Array, ...]:
    *states, lengths, w, r, b = rest
    return run_sequence(op, step_of(op), x, tuple(states), lengths, w, r, b)


def run_sequence(
    op: rnn.SequenceOp,
    step: Step,
    x: Array,
    states: States,
    lengths: Array,
    w: Array,
    r: Array,
    b: Array,
) -> tuple[Array, ...]:
    """The outputs of all steps and the last states, in each direction."""
    backward = {"forward": [False], "reverse": [True], "bidirectional": [False, True]}
    outputs: list[Array] = []
    finals: list[Sequence[Array]] = []
    for direction, back in enumerate(backward[op.direction.data]):
        mine = tuple(state[:, direction] for state in states)
        y, last = _run_direction(
            step, x, mine, lengths, w[direction], r[direction], b[direction], back
        )
        outputs.append(y)
        finals.append(last)
    stacked = [np.stack(parts, axis=1) for parts in zip(*finals, strict=True)]
    return np.stack(outputs, axis=1), *stacked


def _run_direction(
    step: Step,
    x: Array,
    states: States,
    lengths: Array,
    w: Array,
    r: Array,
    b: Array,
    back: bool,
) -> tuple[Array, States]:
    batch, steps, _ = x.shape
    y = np.zeros((batch, steps, states[0].shape[1]), x.dtype)
    rows = cast(Array, np.arange(batch))
    counts = np.minimum(lengths.astype(np.int64), steps)
    for t in range(steps):
        active = t < counts
        at = np.where(active, counts - 1 - t if back else t, 0)
        new = step(x[rows, at], states, w, r, b)
        keep = active[:, None]
        states = tuple(np.where(keep, n, old) for n, old in zip(new, states, strict=True))
        y[rows[active], at[active]] = new[0][active]
    return y, states
