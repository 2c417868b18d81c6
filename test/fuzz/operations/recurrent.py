"""Recurrent cells and sequences."""

from __future__ import annotations

from typing import Any

import numpy as np
import openvino.opset15 as opset

from .case import Case, Draw

ACTIVATIONS = ("sigmoid", "tanh", "relu")
GATES = {"lstm": 4, "gru": 3, "rnn": 1}


def _attributes(draw: Draw, kind: str) -> tuple[int, dict[str, Any]]:
    """The bias rows for each gate and the attributes, some of which are left out."""
    functions = {"lstm": 3, "gru": 2, "rnn": 1}[kind]
    found: dict[str, Any] = {}
    if draw.flag(0.3):
        found["activations"] = [draw.one(*ACTIVATIONS) for _ in range(functions)]
    if draw.flag(0.3):
        found["clip"] = draw.one(0.25, 0.7, 2.0)
    rows = GATES[kind]
    if kind == "gru" and draw.flag():
        found["linear_before_reset"] = True
        rows += 1
    return rows, found


def cell(draw: Draw) -> Case:
    kind = draw.one(*GATES)
    batch, features, hidden = draw.number(1, 4), draw.one(1, 3, 8, 17), draw.one(1, 2, 5, 16, 33)
    draw.specials = False
    rows, attributes = _attributes(draw, kind)
    if kind == "rnn":
        attributes |= {"activations": [draw.one(*ACTIVATIONS)]}
        attributes |= {"activations_alpha": [], "activations_beta": []}
    states = [draw.floats(batch, hidden) for _ in range(1 + (kind == "lstm"))]
    gates = GATES[kind] * hidden
    weights = [
        draw.floats(gates, features, scale=0.5),
        draw.floats(gates, hidden, scale=0.5),
        draw.floats(rows * hidden),
    ]
    build = getattr(opset, f"{kind}_cell")
    given = [draw.floats(batch, features), *states, *weights]
    fixed = range(1 + len(states), len(given))
    return Case(
        f"{kind}_cell {batch} {features} {hidden} {attributes}",
        given,
        lambda *x: build(*x, hidden, **attributes),
        fixed,
        1e-4,
        resizes=False,
    )


def sequence(draw: Draw) -> Case:
    kind, direction = draw.one(*GATES), draw.one("forward", "reverse", "bidirectional")
    batch, steps, features, hidden = (
        draw.number(1, 4),
        draw.one(1, 2, 5, 7),
        draw.one(1, 3, 8, 17),
        draw.one(1, 2, 5, 16, 33),
    )
    draw.specials = False
    rows, attributes = _attributes(draw, kind)
    ways = 1 + (direction == "bidirectional")
    states = [draw.floats(batch, ways, hidden) for _ in range(1 + (kind == "lstm"))]
    gates = GATES[kind] * hidden
    whole = draw.flag()
    lengths = draw.integers(steps if whole else 1, steps, batch, dtype=np.int32)
    weights = [
        draw.floats(ways, gates, features, scale=0.5),
        draw.floats(ways, gates, hidden, scale=0.5),
        draw.floats(ways, rows * hidden),
    ]
    build = getattr(opset, f"{kind}_sequence")
    given = [draw.floats(batch, steps, features), *states, lengths, *weights]
    fixed = range(1 + len(states) + draw.flag(), len(given))
    return Case(
        f"{kind}_sequence {batch} {steps} {features} {hidden} {direction} {lengths} {attributes}",
        given,
        lambda *x: build(*x, hidden, direction, **attributes),
        fixed,
        1e-4,
        resizes=False,
    )


FAMILY = (cell, sequence, sequence)
