"""The meaning of the `rnn` dialect: one function per cell, in the gate order of its specification."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..dialects import rnn
from .arrays import Array
from .meaning import meaning
from .nn import logistic

FUNCTIONS: dict[str, Callable[[Array], Array]] = {
    "sigmoid": logistic,
    "tanh": np.tanh,
    "relu": lambda x: np.maximum(x, x.dtype.type(0)),
}


def _activations(
    op: rnn.LstmCellOp | rnn.GruCellOp | rnn.RnnCellOp,
) -> list[Callable[[Array], Array]]:
    """The cell's activation functions, each behind the cell's clip."""
    limit = op.clip.value.data

    def clipped(function: Callable[[Array], Array]) -> Callable[[Array], Array]:
        if not limit:
            return function
        return lambda x: function(np.clip(x, x.dtype.type(-limit), x.dtype.type(limit)))

    return [clipped(FUNCTIONS[name.data]) for name in op.activations]


@meaning(rnn.LstmCellOp)
def lstm_cell(
    op: rnn.LstmCellOp, x: Array, h: Array, c: Array, w: Array, r: Array, b: Array
) -> tuple[Array, Array]:
    gate, candidate, _ = _activations(op)
    output = FUNCTIONS[op.activations.data[2].data]
    forget, enter, update, leave = np.split(x @ w.T + h @ r.T + b, 4, axis=1)
    cell = gate(forget) * c + gate(enter) * candidate(update)
    return gate(leave) * output(cell), cell


@meaning(rnn.GruCellOp)
def gru_cell(op: rnn.GruCellOp, x: Array, h: Array, w: Array, r: Array, b: Array) -> Array:
    gate, candidate = _activations(op)
    wz, wr, wh = np.split(w, 3)
    rz, rr, rh = np.split(r, 3)
    bz, br, bh, *rest = np.split(b, 4 if op.linear_before_reset else 3)
    update = gate(x @ wz.T + h @ rz.T + bz)
    reset = gate(x @ wr.T + h @ rr.T + br)
    if rest:
        new = candidate(x @ wh.T + reset * (h @ rh.T + rest[0]) + bh)
    else:
        new = candidate(x @ wh.T + (reset * h) @ rh.T + bh)
    return (x.dtype.type(1) - update) * new + update * h


@meaning(rnn.RnnCellOp)
def rnn_cell(op: rnn.RnnCellOp, x: Array, h: Array, w: Array, r: Array, b: Array) -> Array:
    (activation,) = _activations(op)
    return activation(x @ w.T + h @ r.T + b)
