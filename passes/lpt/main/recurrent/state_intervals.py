"""Range analysis: the interval of a value, where its equation bounds it."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import reduce
from typing import cast

import numpy as np
from xdsl.dialects.builtin import DenseArrayBase, Float64Type, f64
from xdsl.ir import Operation, SSAValue

from .....dialects import nn, rnn
from .....dialects.inferred import tensor
from .....dialects.nn import constant_of
from .....dialects.qnn import DequantizeOp, FakeQuantizeOp
from .....reference.arrays import Array, array_of, dtype_of
from .....reference.constants import constant_arrays
from ....interval import Interval
from ...attributes import INTERVAL
from ...plan import LptPlan
from ...provenance import above

RANGES = {
    "sigmoid": Interval(0, 1),
    "hard_sigmoid": Interval(0, 1),
    "tanh": Interval(-1, 1),
    "relu": Interval(0, math.inf),
}
"""What activations give."""


def interval_of(value: SSAValue, plan: LptPlan) -> Interval | None:
    """
    An interval that holds everything the elements of a value may be; None where nothing bounds them.

    What comes back from an earlier step is within what it is made of: gates choose between the values
    before and bounded ones, so they leave no interval that holds both.
    """
    pending, seen = [value], {value}
    every: Interval | None = None
    while pending:
        value = pending.pop()
        if (further := above(value, plan)) is not None:
            new = [one for one, _ in further]
        elif isinstance(value.owner, Operation):
            found = _given_by(value.owner, value)
            if found is None:
                return None
            interval, new = found
            every = interval if every is None else every | interval
        else:
            return None
        for one in new:
            if one not in seen:
                seen.add(one)
                pending.append(one)
    return every if every is not None and every.is_finite else None


def note_interval(value: SSAValue, interval: Interval) -> None:
    """Records the range of a value for the time after its equation is decomposed."""
    op = value.owner
    assert isinstance(op, Operation) and len(op.results) == 1
    op.attributes[INTERVAL] = DenseArrayBase.from_list(f64, [interval.low, interval.high])


def _noted(op: Operation) -> Interval | None:
    known = op.attributes.get(INTERVAL)
    if not isinstance(known, DenseArrayBase):
        return None
    low, high = cast(DenseArrayBase[Float64Type], known).get_values()
    return Interval(low, high)


def _given_by(op: Operation, value: SSAValue) -> tuple[Interval, list[SSAValue]] | None:
    """An interval, and values, that hold all elements together."""
    if (interval := _noted(op)) is not None:
        return interval, []
    match op:
        case nn.ConstantOp():
            return Interval.of_array(array_of(op.value)), []
        case FakeQuantizeOp() if (interval := _output_interval(op)) is not None:
            return interval, []
        case DequantizeOp() if (interval := _dequantized(op)) is not None:
            return interval, []
        case nn.SigmoidOp():
            return RANGES["sigmoid"], []
        case nn.TanhOp():
            return RANGES["tanh"], []
        case nn.ClampOp():
            return Interval(*op.limits), []
        case rnn.CellOp() | rnn.SequenceOp() if value in hidden_results(op):
            return given_by_gates(op)
        case _:
            return None


def hidden_results(op: rnn.CellOp | rnn.SequenceOp) -> list[SSAValue]:
    """The results of a recurrent operation that are hidden states: outputs too, but no cell state."""
    is_lstm = isinstance(op, rnn.LstmCellOp | rnn.LstmSequenceOp)
    return list(op.results[:-1] if is_lstm else op.results)


def given_by_gates(op: rnn.CellOp | rnn.SequenceOp) -> tuple[Interval, list[SSAValue]] | None:
    """
    An interval, and values, that hold every hidden state after a step: of an LSTM `o(x) h(C)`, of a GRU
    `(1 - z) g(x) + z H`, of a simple layer `f(x)`.
    """
    gates = [_gate(op, number) for number in range(op.ACTIVATION_COUNT)]
    match op:
        case rnn.LstmCellOp() | rnn.LstmSequenceOp():
            shown = RANGES[op.functions[2].name]
            interval, new = gates[0] * shown | Interval(0, 0), []
        case rnn.GruCellOp() | rnn.GruSequenceOp():
            if gates[0].high > 1:
                return None
            interval, new = gates[1], [op.operands[1]]
        case _:
            interval, new = gates[0], []
    return (interval, new) if interval.is_finite else None


def _gate(op: rnn.CellOp | rnn.SequenceOp, number: int) -> Interval:
    """The range of an activation, of clipped sums if there is a clip."""
    found, clip = RANGES[op.functions[number].name], op.clip.value.data
    return replace(found, high=min(found.high, clip)) if clip else found


def _output_interval(op: FakeQuantizeOp) -> Interval | None:
    ends = constant_arrays(op.operands[3:])
    return None if ends is None else reduce(Interval.__or__, map(Interval.of_array, ends))


def _dequantized(op: DequantizeOp) -> Interval | None:
    """The values of constant codes, or else of the least and the greatest code of the type."""
    scale = array_of(op.scale)
    zero_point = 0 if op.zero_point is None else array_of(op.zero_point).astype(scale.dtype)
    if (blob := constant_of(op.input)) is not None:
        codes: list[Array] = [array_of(blob).astype(scale.dtype)]
    elif (dtype := dtype_of(tensor(op.input).element_type)).kind not in "iu":
        return None
    else:
        limits = np.iinfo(dtype)
        codes = [np.asarray(limit, scale.dtype) for limit in (limits.min, limits.max)]
    return reduce(
        Interval.__or__, (Interval.of_array((code - zero_point) * scale) for code in codes)
    )
