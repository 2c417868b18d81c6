"""Recurrent layers: LSTM, GRU and RNN as the sequences of `rnn`."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import DYNAMIC_INDEX, ArrayAttr, FloatAttr, TensorType, f64, i64
from xdsl.ir import SSAValue

from ....dialects import nn, rnn
from ....dialects.blob import BlobAttr
from ....dialects.inferred import shape_of, tensor
from ....dialects.properties import Property
from ....dialects.rnn.recurrent import ALPHA, BETA, names
from ..node import Node, Values
from ..rule_table import rule
from .peepholes import written_out

ORDER = {"LSTM": (2, 0, 3, 1), "GRU": (0, 1, 2), "RNN": (0,)}
"""The places of the gates of `rnn` (f, i, c, o of an LSTM) among ONNX's (i, o, f, c)."""

ACTIVATIONS = {
    "sigmoid": "sigmoid",
    "tanh": "tanh",
    "relu": "relu",
    "hardsigmoid": "hard_sigmoid",
}

MISSPELLED = "foward"
"""The direction that the schema of `GRU-1` gives where none is said."""

PARAMETRIC = ("hardsigmoid",)
"""Activations that take parameters."""


@rule("LSTM")
def lstm(node: Node) -> Values:
    """With peepholes, or coupled gates, it is a loop and no sequence of `rnn`."""
    _check_ranks(node)
    blob = None if (peepholes := node.get(7)) is None else nn.constant_of(peepholes)
    sees_cell = peepholes is not None and (blob is None or any(blob.data.distinct()))
    if sees_cell or node("input_forget", 0):
        return written_out(node)
    return _layer(node, rnn.LstmSequenceOp, 4, 3, {})


@rule("GRU")
def gru(node: Node) -> Values:
    _check_ranks(node)
    linear = node("linear_before_reset", 0)
    return _layer(node, rnn.GruSequenceOp, 3, 2, {"linear_before_reset": bool(linear)})


@rule("RNN")
def plain(node: Node) -> Values:
    _check_ranks(node)
    return _layer(node, rnn.RnnSequenceOp, 1, 1, {})


def _check_ranks(node: Node) -> None:
    """Values, weights and first states have three dimensions."""
    for index in (0, 1, 2, 5, 6):
        if node.get(index) is not None and (rank := node.rank(index)) != 3:
            raise node.refuse(
                f"input {index} has rank {rank}, which must be 3; export the model again"
            )


def _layer(
    node: Node,
    kind: type[rnn.SequenceOp],
    gates: int,
    functions: int,
    properties: dict[str, Property],
) -> Values:
    write, layout = node.write, node("layout", 0)
    w, r = node[1], node[2]
    directions, hidden = shape_of(r)[0], shape_of(r)[2]
    x = node[0] if layout else _swapped(node, node[0])
    batch, steps, _ = shape_of(x)
    states = [
        _state(node, node.get(place), x, directions, hidden, layout)
        for place in ((5, 6) if node.type == "LSTM" else (5,))
    ]
    lengths = node.get(4)
    if lengths is None:
        lengths = _filled(node, x, steps, batch)
    order = ORDER[node.type]
    w, r = (_ordered(node, weights, gates, hidden, order) for weights in (w, r))
    b = _bias(
        node,
        w,
        gates,
        hidden,
        order,
        "linear_before_reset" in properties and node("linear_before_reset", 0),
    )
    y, *last = node.recurrence(
        write.all(
            kind,
            *(x, *states, lengths, w, r, b),
            **properties,
            **_activations(node, functions, directions),
            hidden_size=hidden,
            clip=float(node("clip", 0.0)),
            direction=node("direction", "forward").replace(MISSPELLED, "forward"),
        )
    )
    # [batch, directions, steps, hidden] here
    y = write.transposed(y, (0, 2, 1, 3) if layout else (2, 1, 0, 3))
    last = [each if layout else _swapped(node, each) for each in last]
    return [y, *last]


def _swapped(node: Node, value: SSAValue) -> SSAValue:
    """Batch and steps, or batch and directions, exchanged."""
    return node.write.transposed(value, (1, 0, 2))


def _filled(node: Node, x: SSAValue, steps: int, batch: int) -> SSAValue:
    """The full length for each entry of the batch."""
    write = node.write
    if DYNAMIC_INDEX not in (steps, batch):
        return write.constant(BlobAttr.of(TensorType(i64, [batch]), steps))
    whole = write(nn.ShapeOfOp, x)
    return write(nn.BroadcastOp, write.slice(whole, 1, 2, 0), write.slice(whole, 0, 1, 0))


def _state(
    node: Node, given: SSAValue | None, x: SSAValue, directions: int, hidden: int, layout: int
) -> SSAValue:
    """[batch, directions, hidden]; zeros where it is left out."""
    if given is not None:
        return given if layout else _swapped(node, given)
    write, batch = node.write, shape_of(x)[0]
    element = tensor(x).element_type
    if batch != DYNAMIC_INDEX:
        return write.constant(BlobAttr.of(TensorType(element, [batch, directions, hidden]), 0.0))
    zero = write.constant(BlobAttr.of(TensorType(element, []), 0.0))
    sizes = [write.slice(write(nn.ShapeOfOp, x), 0, 1, 0), write.integers(directions, hidden)]
    return write(nn.BroadcastOp, zero, write(nn.ConcatOp, *sizes, axis=0))


def _ordered(
    node: Node, weights: SSAValue, gates: int, hidden: int, order: Sequence[int], axis: int = 1
) -> SSAValue:
    """Weights with their gates in our order."""
    if list(order) == list(range(gates)):
        return weights
    parts = node.write.split(weights, gates, axis)
    return node.write(nn.ConcatOp, *(parts[place] for place in order), axis=axis)


def _bias(
    node: Node, w: SSAValue, gates: int, hidden: int, order: Sequence[int], linear: int
) -> SSAValue:
    """The sum of the biases of inputs and states. A GRU that is linear before its reset keeps the last one apart."""
    write, directions = node.write, shape_of(w)[0]
    if (given := node.get(3)) is None:
        parts = gates + bool(linear)
        return write.constant(
            BlobAttr.of(TensorType(tensor(w).element_type, [directions, parts * hidden]), 0.0)
        )
    left, right = write.split(given, 2, 1)
    if not linear:
        return _ordered(node, write(nn.AddOp, left, right), gates, hidden, order)
    lefts, rights = write.split(left, 3, 1), write.split(right, 3, 1)
    sums = [write(nn.AddOp, lefts[i], rights[i]) for i in (0, 1)]
    return write(nn.ConcatOp, *sums, lefts[2], rights[2], axis=1)


def _activations(node: Node, count: int, directions: int) -> dict[str, Property]:
    """The activations of the first direction; those of the second must be the same."""
    listed = node("activations")
    if not listed:
        return {}
    listed = listed[: count * directions]  # the default is for two directions
    if len(listed) != count * directions or listed[:count] * directions != listed:
        raise node.refuse(
            f"activations {listed} are not {count} for each direction, the same for all"
        )
    chosen = [name.lower() for name in listed[:count]]
    for name in chosen:
        if name not in ACTIVATIONS:
            raise node.refuse(f"activation {name} is not supported; use {', '.join(ACTIVATIONS)}")
    found: dict[str, Property] = {"activations": names(*(ACTIVATIONS[name] for name in chosen))}
    for ours, theirs, default in (
        ("activations_alpha", "activation_alpha", ALPHA),
        ("activations_beta", "activation_beta", BETA),
    ):
        if values := node(theirs):  # of those alone that take one, in order
            given = iter(map(float, values))
            each = (next(given, default) if name in PARAMETRIC else 0.0 for name in chosen)
            found[ours] = ArrayAttr([FloatAttr(value, f64) for value in each])
    return found
