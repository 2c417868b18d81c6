"""LiteRT's LSTMs, with the states that it keeps in variable tensors."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import DYNAMIC_INDEX, FloatAttr, StringAttr, TensorType, f32
from xdsl.ir import Attribute, SSAValue
from xdsl.utils.exceptions import DiagnosticException

from ....dialects import nn, tfl
from ....dialects.inferred import tensor
from ....passes.legalize_tfl_to_rnn.sequences import (
    Both,
    is_plain,
    run_both,
    run_sequence,
    run_step,
)
from ..graph import Operator, Tensor
from .quantized_lstm import is_quantized, run_quantized
from .reader import Held, Reader, reads, there, truth
from .states import read_value

STATES = slice(18, 20)
"""The operands that are an LSTM's states, those of one in two directions are `BOTH_STATES`."""

BOTH_STATES = slice(35, 39)


@reads("RNN")
def simple_cell(read: Reader, op: Operator) -> None:
    state = there(op.inputs[4])
    if state.shape != (1, 1) or any(
        output in o.inputs for o in read.subgraph.operators for output in op.outputs
    ):
        raise DiagnosticException("this operator cannot be read; only what marks states as set is")


@reads("UNIDIRECTIONAL_SEQUENCE_LSTM")
def sequence(read: Reader, op: Operator) -> None:
    """What the model says the states begin with stays LiteRT's own operation, if `rnn` has none like it."""
    begun = _are_begun(read, op.inputs[STATES])
    properties = {
        **_attributes(op),
        "time_major": truth(op.options["timeMajor"]),
        "diagonal_recurrent_tensors": truth(op.options["diagonalRecurrentTensors"]),
    }
    operands = _operands(read, op, STATES, 24)
    made = tfl.UnidirectionalSequenceLstmOp(operands, properties, _type_of(op.outputs[0]))
    read.write.builder.insert(made).verify_()
    attributes = tfl.Attributes.of(made)
    if is_quantized(op):
        ran = run_quantized(read, op, made, attributes)
    elif begun and not is_plain(made.parts, attributes):
        read.set(op.outputs[0], made.output)
        return
    else:
        ran = run_sequence(read.write, made.input, made.parts, attributes)
    made.detach()
    made.erase()
    read.set(op.outputs[0], ran.y)
    _keep(read, op.inputs[STATES], [ran.h, ran.c])


@reads("LSTM")
def cell(read: Reader, op: Operator) -> None:
    if op.options.get("kernelType"):
        raise DiagnosticException(
            "the basic kernel's operands cannot be read; convert the model anew"
        )
    if is_quantized(op):
        raise DiagnosticException(
            "a step in integers cannot be read, only sequences; convert the model without quantization"
        )
    begun = _are_begun(read, op.inputs[STATES])
    properties = {**_attributes(op), "kernel_type": tfl.LstmKernelTypeAttr(StringAttr("FULL"))}
    operands = _operands(read, op, STATES, 24)
    made = tfl.LstmOp(operands, properties, _type_of(op.outputs[0]))
    read.write.builder.insert(made).verify_()
    if begun:
        read.set(op.outputs[0], made.output)
        return
    states = run_step(read.write, made.input, made.parts, tfl.Attributes.of(made))
    made.detach()
    made.erase()
    read.set(op.outputs[0], states[0])
    _keep(read, op.inputs[STATES], states)


@reads("BIDIRECTIONAL_SEQUENCE_LSTM")
def bidirectional(read: Reader, op: Operator) -> None:
    if is_quantized(op):
        raise DiagnosticException(
            "two directions in integers cannot be read; convert the model with one LSTM for each"
        )
    begun, merged = _are_begun(read, op.inputs[BOTH_STATES]), bool(op.options["mergeOutputs"])
    operands = _operands(read, op, BOTH_STATES, 48)
    properties = {
        **_attributes(op),
        "time_major": truth(op.options["timeMajor"]),
        "merge_outputs": truth(merged),
    }
    types = [_type_of(output) for output in op.outputs]
    if merged:  # the file has one output then, the operation two
        *lead, _ = types[0].get_shape()
        back = tensor(operands[18 + 1]).get_shape()[0]
        types.append(TensorType(f32, [*lead, back]))
    made = tfl.BidirectionalSequenceLstmOp(operands, properties, types)
    read.write.builder.insert(made).verify_()
    results: Sequence[SSAValue] = made.results
    if not begun:
        both, attributes = Both.of(made), tfl.Attributes.of(made)
        results, (forward, backward) = run_both(read.write, both, attributes, merged)
        made.detach()
        made.erase()
        states = [forward.h, forward.c, backward.h, backward.c]
        _keep(read, op.inputs[BOTH_STATES], states)
    for output, value in zip(op.outputs, results, strict=False):
        read.set(output, value)


# --- operands -------------------------------------------------------------------------------


def _type_of(output: Tensor) -> TensorType[Attribute]:
    """The type of what an LSTM gives: numbers, also where the file has codes of them."""
    return TensorType(f32, [size if size >= 0 else DYNAMIC_INDEX for size in output.shape])


def _operands(read: Reader, op: Operator, states: slice, count: int) -> list[SSAValue]:
    """Every operand of LiteRT's operation, those that are absent too."""
    given: list[Tensor | None] = [*op.inputs, *[None] * (count - len(op.inputs))]
    none = read.write.builder.insert(tfl.NoValueOp()).none_val
    return [
        none
        if operand is None
        else _state(read, operand)
        if states.start <= place < states.stop
        else read.value(operand)
        for place, operand in enumerate(given)
    ]


def _are_begun(read: Reader, states: Sequence[Tensor | None]) -> bool:
    """Whether an operator writes what the states begin each call with. They go on from call to call else."""
    begun = [there(state) in read.values for state in states]
    if any(begun) and not all(begun):
        raise DiagnosticException(
            "some of its states go on from call to call, others do not; let the model write all or none"
        )
    return all(begun)


def _state(read: Reader, state: Tensor) -> SSAValue:
    """What a state begins with: what an operator wrote, or what the call before left."""
    if state not in read.values:
        name = state.name or f"state_{len(read.variables)}"
        if any(size < 0 for size in state.shape):
            raise DiagnosticException(
                f"state '{name}' has no known size, {list(state.shape)}; convert the model with a fixed batch"
            )
        zeros = read.write.constant(nn.BlobAttr.of(TensorType(f32, list(state.shape)), 0.0))
        read.values[state] = read_value(read, name, zeros)
        read.handles[state] = name
    return read.values[state]


def _keep(read: Reader, states: Sequence[Tensor | None], values: Sequence[SSAValue]) -> None:
    """What states are from here on."""
    for operand, value in zip(states, values, strict=True):
        state = there(operand)
        read.values[state] = value
        if state in read.handles:
            read.assigned[read.handles[state]] = Held(value)


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
