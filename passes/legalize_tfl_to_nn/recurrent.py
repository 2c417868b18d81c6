"""
LiteRT's LSTMs as `rnn` and `nn`, with the states that they keep in variables.

An LSTM without peephole, projection, normalization and coupled gates is one `rnn.lstm_sequence` (a step
alone `rnn.lstm_cell`); the others run step by step in an `infra.tensor_iterator`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from xdsl.dialects.builtin import DYNAMIC_INDEX, AnyFloat, TensorType, f32
from xdsl.ir import Attribute, SSAValue
from xdsl.utils.exceptions import DiagnosticException

from ...dialects import nn, tfl
from ...dialects.inferred import label, shape_of
from ...dialects.quant import UniformQuantizedType
from .quantized_lstm import is_quantized, run_quantized
from .sequences import Both, is_plain, run_both, run_sequence, run_step
from .states import read_value
from .translation import Held, Translation, rule, to_reach
from .values import is_variable, name_of

STATES = slice(18, 20)
"""The operands that are an LSTM's states, those of one in two directions are `BOTH_STATES`."""

BOTH_STATES = slice(35, 39)


@rule("UNIDIRECTIONAL_SEQUENCE_LSTM")
def sequence(t: Translation, op: tfl.UnidirectionalSequenceLstmOp) -> None:
    """What the model says the states begin with stays LiteRT's own operation, if `rnn` has none like it."""
    begun = _are_begun(t, op.operands[STATES])
    made = _made(t, op, STATES)
    attributes = tfl.Attributes.of(made)
    if is_quantized(op):
        ran = run_quantized(t, op, made, attributes)
    elif begun and t.keeps_lstms and not is_plain(made.parts, attributes):
        t.set(op.output, made.output)
        return
    else:
        ran = run_sequence(t, made.input, made.parts, attributes)
    _drop(made)
    t.set(op.output, ran.y)
    keep(t, op.operands[STATES], [ran.h, ran.c])


@rule("LSTM")
def cell(t: Translation, op: tfl.TflOp) -> None:
    if not isinstance(op, tfl.LstmOp):
        raise DiagnosticException(
            "the basic kernel's operands cannot be read; convert the model anew"
        )
    if is_quantized(op):
        raise DiagnosticException(
            "a step in integers cannot be read, only sequences; convert the model without quantization"
        )
    begun = _are_begun(t, op.operands[STATES])
    made = _made(t, op, STATES)
    if begun and t.keeps_lstms:
        t.set(op.output, made.output)
        return
    states = run_step(t, made.input, made.parts, tfl.Attributes.of(made))
    _drop(made)
    t.set(op.output, states[0])
    keep(t, op.operands[STATES], states)


@rule("BIDIRECTIONAL_SEQUENCE_LSTM")
def bidirectional(t: Translation, op: tfl.BidirectionalSequenceLstmOp) -> None:
    if is_quantized(op):
        raise DiagnosticException(
            "two directions in integers cannot be read; convert the model with one LSTM for each"
        )
    begun = _are_begun(t, op.operands[BOTH_STATES])
    made = _made(t, op, BOTH_STATES)
    results: Sequence[SSAValue] = made.results
    if not (begun and t.keeps_lstms):
        both, attributes = Both.of(made), tfl.Attributes.of(made)
        results, (forward, backward) = run_both(t, both, attributes, bool(op.merge_outputs))
        _drop(made)
        states = [forward.h, forward.c, backward.h, backward.c]
        keep(t, op.operands[BOTH_STATES], states)
    for output, value in zip(op.results, results, strict=False):
        t.set(output, value)


# --- operands -------------------------------------------------------------------------------


def _made(t: Translation, op: tfl.OpT, states: slice) -> tfl.OpT:
    """The operation on values instead of codes. Raises DiagnosticException for what has no meaning."""
    none = t.builder.insert(tfl.NoValueOp()).none_val

    def given(place: int, operand: SSAValue) -> SSAValue:
        if tfl.is_absent(operand):
            return none
        is_state = states.start <= place < states.stop
        return state_of(t, operand) if is_state else t.value(operand)

    operands = [given(*each) for each in enumerate(op.operands)]
    made = type(op).create(
        operands=operands,
        properties={n: p for n, p in op.properties.items() if n not in tfl.INTERMEDIATES},
        result_types=[_type_of(output) for output in op.results],
        regions=[region.clone() for region in op.regions],
    )
    _verify_elements(op, operands)
    t.builder.insert(made).verify_()
    return made


def _drop(made: tfl.TflOp) -> None:
    made.detach()
    made.erase()


def _type_of(output: SSAValue) -> Attribute:
    """The type of what an LSTM gives: numbers, also where the file has codes of them."""
    type: Attribute = output.type
    if not isinstance(type, TensorType):
        return type
    held = cast(TensorType[Any], type)
    has_codes = isinstance(held.element_type, UniformQuantizedType)
    return TensorType(f32, held.get_shape()) if has_codes else held


def _verify_elements(op: tfl.TflOp, operands: Sequence[SSAValue]) -> None:
    for value in operands:
        if tfl.is_absent(value):
            continue
        type: Attribute = value.type
        if not isinstance(type, TensorType):
            raise DiagnosticException(
                f"{label(op)}: takes a {type}; only tensors of known rank have a meaning here"
            )
        if not isinstance(cast(TensorType[Any], type).element_type, AnyFloat):
            raise DiagnosticException(
                f"{label(op)}: takes a {type}; only floating point has a meaning here"
            )


def _are_begun(t: Translation, states: Sequence[SSAValue]) -> bool:
    """Whether operations give the states' initial values in each call. Otherwise states continue from call to call."""
    begun = [not is_variable(state) or state in t.values for state in states]
    if any(begun) and not all(begun):
        raise DiagnosticException(
            "some of its states go on from call to call, others do not; let the model write all or none"
        )
    return all(begun)


def state_of(t: Translation, state: SSAValue) -> SSAValue:
    """The initial value of a state: what an operation gives, or what the last call left."""
    if is_variable(state) and state not in t.values:
        name, shape = name_of(state) or f"state_{len(t.variables)}", shape_of(state)
        if DYNAMIC_INDEX in shape:
            raise DiagnosticException(
                f"state '{name}' has no known size, {to_reach(shape)}; convert the model with a fixed batch"
            )
        t.values[state] = read_value(
            t, name, t.constant(nn.BlobAttr.of(TensorType(f32, shape), 0.0))
        )
        t.handles[state] = name
    return t.value(state)


def keep(t: Translation, states: Sequence[SSAValue], values: Sequence[SSAValue]) -> None:
    """Assigns states."""
    for state, value in zip(states, values, strict=True):
        if not is_variable(state):
            continue
        t.values[state] = value
        if state in t.handles:
            t.assigned[t.handles[state]] = Held(value)
