"""LiteRT's LSTMs, with the states that it keeps in variable tensors."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from xdsl.dialects.builtin import Float32Type, FloatAttr, StringAttr, TensorType, f32
from xdsl.ir import Attribute, SSAValue
from xdsl.utils.exceptions import DiagnosticException

from ....dialects import nn, rnn, tfl
from ....dialects.inferred import shape_of, tensor
from ..graph import Operator, Tensor
from .reader import Held, Reader, integer, reads, there, truth, type_of
from .states import read_value

GATES = (1, 0, 2, 3)
"""Which of LiteRT's gates i, f, c, o each of `rnn`'s f, i, c, o is."""

INPUT, RECURRENT, BIAS = 1, 5, 12
"""The first of the four operands that LiteRT's LSTMs have of each kind."""


@reads("RNN")
def simple_cell(read: Reader, op: Operator) -> None:
    state = there(op.inputs[4])
    if state.shape != (1, 1) or any(
        output in o.inputs for o in read.subgraph.operators for output in op.outputs
    ):
        raise DiagnosticException("this operator cannot be read; only what marks states as set is")


@reads("UNIDIRECTIONAL_SEQUENCE_LSTM")
def sequence(read: Reader, op: Operator) -> None:
    x, major = read.value(op.inputs[0]), bool(op.options["timeMajor"])
    plain = not any(op.inputs[i] is not None for i in (9, 10, 11, 16, 17, *_norms(op)))
    clipped = op.options["cellClip"] or op.options["projClip"]
    if not plain or clipped or op.options["fusedActivationFunction"] != 4 or op.inputs[1] is None:
        _fused(read, op)
        return
    first = read.transposed(x, (1, 0, 2)) if major else x
    h, c = (_state(read, op.inputs[place]) for place in (18, 19))
    w, r, b = (_stacked(read, op, start) for start in (INPUT, RECURRENT, BIAS))
    batch, steps, _ = shape_of(first)
    lengths = read.constant(np.full(max(batch, 1), steps, np.int32))
    states = [read(nn.UnsqueezeOp, state, read.index(1)) for state in (h, c)]
    made = read.write.builder.insert(
        rnn.LstmSequenceOp.of(first, *states, lengths, w, r, b, hidden_size=integer(shape_of(h)[1]))
    )
    y = read(nn.SqueezeOp, made.results[0], read.index(1))
    read.set(op.outputs[0], read.transposed(y, (1, 0, 2)) if major else y)
    for place, value in zip((18, 19), made.results[1:], strict=True):
        _keep(read, there(op.inputs[place]), read(nn.SqueezeOp, value, read.index(1)))


def _norms(op: Operator) -> range:
    return range(20, min(len(op.inputs), 24))


def _stacked(read: Reader, op: Operator, start: int) -> SSAValue:
    parts = [read.value(op.inputs[start + gate]) for gate in GATES]
    if start == RECURRENT and op.options["diagonalRecurrentTensors"]:
        ones = read.constant(np.eye(*shape_of(parts[0]), dtype=np.float32))
        parts = [read(nn.MultiplyOp, diagonal, ones) for diagonal in parts]
    whole = read(nn.ConcatOp, *parts, axis=integer(0))
    return read(nn.UnsqueezeOp, whole, read.index(0))


def _state(read: Reader, state: Tensor | None) -> SSAValue:
    """What a state begins with: what an operator wrote, or what the call before left."""
    state = there(state)
    if state not in read.values:
        name = state.name or f"state_{len(read.variables)}"
        zeros = read.write.constant(nn.BlobAttr.of(TensorType(f32, list(state.shape)), 0.0))
        read.values[state] = read_value(read, name, zeros)
        read.handles[state] = name
    return read.values[state]


def _keep(read: Reader, state: Tensor, value: SSAValue) -> None:
    """What a state is from here on."""
    read.values[state] = value
    if state in read.handles:
        read.assigned[read.handles[state]] = Held(value)


def _fused(read: Reader, op: Operator) -> None:
    """With peepholes, projection, norms or clips: LiteRT's own operation, whose last states nobody sees."""
    operands = [
        *_given(read, op.inputs[:18]),
        *_begun(read, op, 18, 20),
        *_given(read, op.inputs[20:]),
    ]
    operands += _given(read, [None] * (24 - len(operands)))
    if not isinstance(tensor(operands[0]).element_type, Float32Type):
        raise DiagnosticException("only LSTMs in floating point are read with these parts")
    properties = {
        **_attributes(op),
        "time_major": truth(op.options["timeMajor"]),
        "diagonal_recurrent_tensors": truth(op.options["diagonalRecurrentTensors"]),
    }
    made = tfl.UnidirectionalSequenceLstmOp(operands, properties, type_of(op.outputs[0]))
    read.set(op.outputs[0], read.write.builder.insert(made).output)


@reads("LSTM")
def cell(read: Reader, op: Operator) -> None:
    if op.options.get("kernelType"):
        raise DiagnosticException(
            "the basic kernel's operands cannot be read; convert the model anew"
        )
    states = _begun(read, op, 18, 20)
    operands = [*_given(read, op.inputs[:18]), *states, *_given(read, op.inputs[20:])]
    operands += _given(read, [None] * (24 - len(operands)))
    properties = _attributes(op)
    properties["kernel_type"] = tfl.LstmKernelTypeAttr(StringAttr("FULL"))
    made = tfl.LstmOp(operands, properties, type_of(op.outputs[0]))
    read.set(op.outputs[0], read.write.builder.insert(made).output)


@reads("BIDIRECTIONAL_SEQUENCE_LSTM")
def bidirectional(read: Reader, op: Operator) -> None:
    operands = [
        *_given(read, op.inputs[:35]),
        *_begun(read, op, 35, 39),
        *_given(read, op.inputs[39:]),
    ]
    operands += _given(read, [None] * (48 - len(operands)))
    merged = bool(op.options["mergeOutputs"])
    properties = {
        **_attributes(op),
        "time_major": truth(op.options["timeMajor"]),
        "merge_outputs": truth(merged),
    }
    types = [type_of(output) for output in op.outputs]
    if merged:  # the file has one output then, the operation two
        *lead, _ = types[0].get_shape()
        back = tensor(operands[18 + 1]).get_shape()[0]
        types.append(TensorType(f32, [*lead, back]))
    made = tfl.BidirectionalSequenceLstmOp(operands, properties, types)
    results = read.write.builder.insert(made).results
    for output, value in zip(op.outputs, results, strict=False):
        read.set(output, value)


def _given(read: Reader, operands: Sequence[Tensor | None]) -> list[SSAValue]:
    none = read.write.builder.insert(tfl.NoValueOp()).none_val
    return [none if operand is None else read.value(operand) for operand in operands]


def _begun(read: Reader, op: Operator, first: int, last: int) -> list[SSAValue]:
    """What states begin each call with. Raises DiagnosticException where that is what the last one left."""
    states = [there(operand) for operand in op.inputs[first:last]]
    if any(state not in read.values for state in states):
        raise DiagnosticException(
            "its states go on from call to call, which is read of UNIDIRECTIONAL_SEQUENCE_LSTM without "
            "peepholes, projection, norms and clips only"
        )
    return [read.values[state] for state in states]


def _attributes(op: Operator) -> dict[str, Attribute]:
    """What all of LiteRT's LSTMs have."""
    activation = tfl.ACTIVATIONS[int(op.options["fusedActivationFunction"])]
    return {
        "fused_activation_function": StringAttr(activation),
        "cell_clip": _number(op.options["cellClip"]),
        "proj_clip": _number(op.options["projClip"]),
        "asymmetric_quantize_inputs": truth(op.options["asymmetricQuantizeInputs"]),
    }


def _number(value: float) -> Attribute:
    return FloatAttr(float(value), f32)
