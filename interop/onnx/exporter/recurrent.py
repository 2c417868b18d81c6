"""Recurrent layers and cells: LSTM, GRU and RNN. ONNX has another order of gates."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from xdsl.dialects.builtin import i32
from xdsl.ir import SSAValue
from xdsl.utils.exceptions import DiagnosticException

from ....dialects import nn, rnn
from ....dialects.inferred import label, shape_of, tensor
from ....reference.arrays import array_of, blob_of
from ..rules.recurrent import ORDER
from .graph import GraphWriter
from .handlers import Written, writes

ACTIVATIONS = {
    "sigmoid": "Sigmoid",
    "tanh": "Tanh",
    "relu": "Relu",
    "hard_sigmoid": "HardSigmoid",
}

TYPES = {4: "LSTM", 3: "GRU", 1: "RNN"}
"""ONNX's type, by the number of gates."""


@writes(rnn.LstmSequenceOp, rnn.GruSequenceOp, rnn.RnnSequenceOp)
def sequence(graph: GraphWriter, op: rnn.SequenceOp) -> Written:
    """In ONNX, steps come before the batch, and directions come first in states."""
    count = op.state_count
    x, *states = op.operands[: 1 + count]
    lengths, w, r, b = op.operands[1 + count :]
    y, *last = _layer(
        graph,
        op,
        graph.transposed(graph[x], (1, 0, 2)),
        ["" if _is_zero(each) else graph.transposed(graph[each], (1, 0, 2)) for each in states],
        _lengths(graph, lengths, shape_of(x)[1]),
        [_ordered(graph, op, each, 1) for each in (w, r)] + [_bias(graph, op, b, 1)],
        op.direction.data,
    )
    return [
        graph.transposed(y, (2, 1, 0, 3)),
        *(graph.transposed(each, (1, 0, 2)) for each in last),
    ]


@writes(rnn.LstmCellOp, rnn.GruCellOp, rnn.RnnCellOp)
def cell(graph: GraphWriter, op: rnn.CellOp) -> Written:
    """A layer of one step in one direction."""
    x, *states = op.operands[:-3]
    w, r, b = op.operands[-3:]

    def ahead(name: str) -> str:
        return graph("Unsqueeze", name, graph.integers(0))

    weights = [ahead(_ordered(graph, op, each, 0)) for each in (w, r)]
    bias = _bias(graph, op, b, 0)
    given = [ahead(graph[each]) for each in states]
    _, *last = _layer(
        graph, op, ahead(graph[x]), given, "", [*weights, bias and ahead(bias)], "forward"
    )
    return [graph("Squeeze", each, graph.integers(0)) for each in last]


def _layer(
    graph: GraphWriter,
    op: rnn.SequenceOp | rnn.CellOp,
    x: str,
    states: Sequence[str],
    lengths: str,
    weights: Sequence[str],
    direction: str,
) -> list[str]:
    """The node. Raises DiagnosticException for what it cannot express."""
    if isinstance(op, rnn.LstmSequenceOp) and op.cell_clip.value.data:
        raise DiagnosticException(
            f"{label(op)}: ONNX's LSTM does not limit its state (cell_clip); run lower-sequences first"
        )
    functions = op.functions * (2 if direction == "bidirectional" else 1)
    parameters = [each for each in functions if each.name == "hard_sigmoid"]
    linear = op.properties.get("linear_before_reset")
    return graph.node(
        TYPES[op.GATES],
        [x, *weights, lengths, *states],
        1 + len(states),
        hidden_size=op.hidden_size.value.data,
        direction=direction,
        clip=op.clip.value.data or None,
        activations=[ACTIVATIONS[each.name] for each in functions],
        activation_alpha=[each.alpha for each in parameters] or None,
        activation_beta=[each.beta for each in parameters] or None,
        linear_before_reset=None if linear is None else int(bool(linear)),
    )


def _is_zero(value: SSAValue) -> bool:
    """Whether it is what ONNX takes where an initial state, or a bias, is left out."""
    blob = nn.constant_of(value)
    return blob is not None and not any(blob.data.distinct())


def _lengths(graph: GraphWriter, lengths: SSAValue, steps: int) -> str:
    """The lengths of sequences; left out where all steps count."""
    blob = nn.constant_of(lengths)
    if blob is not None and steps >= 0 and all(each == steps for each in blob.data.distinct()):
        return ""
    return graph.cast(graph[lengths], tensor(lengths).element_type, i32)


def _places(op: rnn.SequenceOp | rnn.CellOp) -> list[int]:
    """For each gate in ONNX's order, its index in ours."""
    ours = ORDER[TYPES[op.GATES]]
    return [ours.index(place) for place in range(len(ours))]


def _ordered(
    graph: GraphWriter, op: rnn.SequenceOp | rnn.CellOp, value: SSAValue, axis: int
) -> str:
    """Weights with their gates in ONNX's order. Constants are permuted at once."""
    places = _places(op)
    if places == sorted(places):
        return graph[value]
    if (blob := nn.constant_of(value)) is not None:
        parts = np.split(array_of(blob), len(places), axis)
        whole = np.concatenate([parts[place] for place in places], axis)
        return graph.constant(blob_of(whole, blob.type.element_type))
    count = len(places)
    names = graph.node("Split", [graph[value]], count, axis=axis, num_outputs=count)
    return graph("Concat", *(names[place] for place in places), axis=axis)


def _bias(graph: GraphWriter, op: rnn.SequenceOp | rnn.CellOp, value: SSAValue, axis: int) -> str:
    """ONNX has a bias of inputs and one of states; ours is their sum. A GRU may keep that of the last gate separate."""
    if _is_zero(value):
        return ""
    shape, element = shape_of(value), tensor(value).element_type
    hidden = op.hidden_size.value.data
    count = shape[axis] // hidden
    if (blob := nn.constant_of(value)) is not None:
        parts = np.split(array_of(blob), count, axis)
        own, separate = [parts[place] for place in _places(op)], parts[op.GATES :]
        zeros = [np.zeros_like(parts[0])] * (op.GATES - len(separate))
        return graph.constant(blob_of(np.concatenate([*own, *zeros, *separate], axis), element))
    if count == op.GATES:
        own = _ordered(graph, op, value, axis)
        return graph("Concat", own, graph.constant(blob_of(np.zeros(shape), element)), axis=axis)
    most = [*shape[:axis], (count - 1) * hidden]
    own, last = graph.node("Split", [graph[value], graph.integers(most[-1], hidden)], 2, axis=axis)
    zeros = np.zeros([*shape[:axis], (count - 2) * hidden])
    return graph("Concat", own, graph.constant(blob_of(zeros, element)), last, axis=axis)
