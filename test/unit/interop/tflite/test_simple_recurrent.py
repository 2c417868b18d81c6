"""LiteRT's simple recurrent layers, whose states go on from call to call."""

from typing import Any

import numpy as np
import pytest
from xdsl.utils.exceptions import DiagnosticException

from lowstream.interop.tflite import tflite_module
from lowstream.test.unit.interop.tflite.graph import Graph, Operator, Subgraph, Tensor
from lowstream.test.unit.interop.tflite.lstm_forms import BATCH, CELLS, INPUTS, STEPS
from lowstream.test.unit.interop.tflite.put_together import noise
from lowstream.test.unit.interop.tflite.serialize import serialize
from lowstream.test.unit.interop.tflite.test_lstm_states import RELU, TANH, check

RELU6 = 3


def constant(*shape: int) -> Tensor:
    return Tensor(
        shape, "float32", data=noise(*shape, seed=len(shape) + shape[0]) * np.float32(0.6)
    )


def direction(name: str, cells: int, inputs: int = INPUTS) -> list[Tensor]:
    """Weights of inputs and state, bias, and the state."""
    state = Tensor((BATCH, cells), "float32", name, variable=True)
    return [constant(cells, inputs), constant(cells, cells), constant(cells), state]


def file_of(builtin: str, x: Tensor, operands: list[Any], *shapes: Any, **options: Any) -> bytes:
    outputs = [Tensor(tuple(shape), "float32") for shape in shapes]
    op = Operator(builtin, [x, *operands], outputs, {"fusedActivationFunction": TANH} | options)
    return serialize(Graph([Subgraph("main", [x], outputs, [op])]))


@pytest.mark.parametrize("activation", [TANH, RELU])
def test_one_step(activation: int):
    x, options = Tensor((BATCH, INPUTS), "float32"), {"fusedActivationFunction": activation}
    check(file_of("RNN", x, direction("h", CELLS), (BATCH, CELLS), **options))


@pytest.mark.parametrize("time_major", [False, True])
def test_a_sequence(time_major: bool):
    lead = (STEPS, BATCH) if time_major else (BATCH, STEPS)
    x, operands = Tensor((*lead, INPUTS), "float32"), direction("h", CELLS)
    check(file_of("UNIDIRECTIONAL_SEQUENCE_RNN", x, operands, (*lead, CELLS), timeMajor=time_major))


@pytest.mark.parametrize("merged", [False, True])
@pytest.mark.parametrize("second", ["", "unread", "weighted"])
def test_both_directions(second: str, merged: bool):
    """The second input is a constant here."""
    lead, other = (BATCH, STEPS), CELLS - 1
    operands: list[Any] = [*direction("forward", CELLS), *direction("backward", other)]
    operands += [constant(*lead, INPUTS) if second else None]
    operands += [constant(n, INPUTS) if second == "weighted" else None for n in (CELLS, other)]
    sizes = [CELLS + other] if merged else [CELLS, other]
    x, shapes = Tensor((*lead, INPUTS), "float32"), [(*lead, size) for size in sizes]
    options = {"timeMajor": False, "mergeOutputs": merged}
    check(file_of("BIDIRECTIONAL_SEQUENCE_RNN", x, operands, *shapes, **options))


def test_other_activations_are_named():
    x = Tensor((BATCH, INPUTS), "float32")
    data = file_of("RNN", x, direction("h", CELLS), (BATCH, CELLS), fusedActivationFunction=RELU6)
    with pytest.raises(DiagnosticException, match=r"RNN.*activation RELU6 cannot be read here"):
        tflite_module(data)
