"""Recurrent cells and sequences of random models."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from xdsl.dialects.builtin import FloatAttr, IntegerAttr, StringAttr, f64, i64

from lowstream.dialects import nn, rnn
from lowstream.test.unit.passes.lpt.random_graphs import Known, RandomGraph
from lowstream.test.unit.passes.lpt.random_layers import boolean

MOST_INPUTS, MOST_STEPS = 12, 4
HIDDEN = 2.0**-15
"""
How far LPT's two codes of a hidden state that the model does not quantize may be from it, twice: 1 / 254 / 254
of its range, at most [-1, 1] here.
"""


def cell(g: RandomGraph, x: Known) -> Sequence[Known]:
    """LSTM, GRU or a simple one; X and H are quantized or not."""
    if not x.shape or x.array.size > x.shape[0] * MOST_INPUTS:
        return []
    batch, inputs, hidden = x.shape[0], x.array.size // x.shape[0], g.number(1, 4)
    x = g.add(nn.ReshapeOp, x, g.indices(batch, inputs))
    kind = g.one([rnn.LstmCellOp, rnn.GruCellOp, rnn.RnnCellOp])
    rows, properties = of_kind(g, kind, hidden)
    h = start(g, (batch, hidden))
    c = [start(g, (batch, hidden))] if kind is rnn.LstmCellOp else []
    w = g.weights((kind.GATES * hidden, inputs), 0)
    r = g.weights((kind.GATES * hidden, hidden), 0)
    b = g.constant(g.random.normal(0, 0.5, rows * hidden))
    x = g.quantize(x) if g.chance(0.8) else x
    return [stepped(g, one, 1) for one in g.many(kind, x, h, *c, w, r, b, **properties)]


def sequence(g: RandomGraph, x: Known) -> Sequence[Known]:
    """The same over dimension 1, in one direction or both."""
    if len(x.shape) < 2 or x.shape[1] > MOST_STEPS:
        return []
    batch, steps, hidden = x.shape[0], x.shape[1], g.number(1, 4)
    inputs = x.array.size // batch // steps
    if inputs > MOST_INPUTS:
        return []
    x = g.add(nn.ReshapeOp, x, g.indices(batch, steps, inputs))
    kind = g.one([rnn.LstmSequenceOp, rnn.GruSequenceOp, rnn.RnnSequenceOp])
    direction = g.one(["forward", "forward", "reverse", "bidirectional"])
    directions = 2 if direction == "bidirectional" else 1
    rows, properties = of_kind(g, kind, hidden)
    properties["direction"] = StringAttr(direction)
    h = start(g, (batch, directions, hidden))
    c = [start(g, (batch, directions, hidden))] if kind is rnn.LstmSequenceOp else []
    whole = g.chance(0.7)
    lengths = [steps if whole else g.number(1, steps) for _ in range(batch)]
    w = g.weights((directions, kind.GATES * hidden, inputs), 1)
    r = g.weights((directions, kind.GATES * hidden, hidden), 1)
    b = g.constant(g.random.normal(0, 0.5, (directions, rows * hidden)))
    x = g.quantize(x) if g.chance(0.8) else x
    made = g.many(kind, x, h, *c, g.indices(*lengths), w, r, b, **properties)
    return [stepped(g, one, steps) for one in made]


def of_kind(g: RandomGraph, kind: type[Any], hidden: int) -> tuple[int, dict[str, Any]]:
    """The rows of the bias for each unit, and properties."""
    properties: dict[str, Any] = {"hidden_size": IntegerAttr(hidden, i64)}
    if g.chance(0.2):
        properties["clip"] = FloatAttr(g.random.uniform(0.5, 3), f64)
    if kind not in (rnn.GruCellOp, rnn.GruSequenceOp):
        return kind.GATES, properties
    linear = g.chance()
    return 3 + linear, {**properties, "linear_before_reset": boolean(linear)}


def start(g: RandomGraph, shape: Sequence[int]) -> Known:
    """A state to begin with: nothing, or something that is quantized or not."""
    if g.chance(0.3):
        return g.constant(np.zeros(shape))
    h = g.constant(g.random.uniform(-1, 1, shape))
    return g.quantize(h) if g.chance() else h


def stepped(g: RandomGraph, one: Known, steps: int) -> Known:
    """With the echo of a hidden state that is rounded in each step, which adds to how far the echo is away."""
    away = np.where(one.echo < one.array, -1, 1)
    return replace(one, echo=g.cast(one.echo + away * steps * HIDDEN))
