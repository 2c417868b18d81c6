"""
LSTMs as LiteRT's fused operators, and errors where LiteRT has no kernel.

Their parts are in `lstm`, those of quantized LSTMs in `quantized_lstm`.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from typing import Any

from xdsl.dialects.builtin import Float32Type, TensorType, UnrankedTensorType
from xdsl.ir import SSAValue

from ...dialects import rnn, tfl
from ...dialects.inferred import tensor
from ...reference.tfl import dense_array
from ..lower_sequences import counts_all_steps
from .lstm import (
    GATE_ORDER,
    Direction,
    Ran,
    direction_of,
    final_cell,
    last_step,
    run_forward,
    variable,
)
from .movement import concatenated, cropped
from .quantized_lstm import integers_of, run_integers
from .refusals import refuse
from .tensors import UNKNOWN, Elements, Tensor, identity
from .writer import TflWriter, View, element_of, emits, sizes_of

# --- rnn ------------------------------------------------------------------------------------


def has_kernel(op: rnn.SequenceOp) -> bool:
    """Whether LiteRT has a kernel for a sequence."""
    if not isinstance(op, rnn.LstmSequenceOp) or op.clip.value.data:
        return False
    if not isinstance(tensor(op.x).element_type, Float32Type):
        return False
    if [function.name for function in op.functions] != ["sigmoid", "tanh", "tanh"]:
        return False
    return counts_all_steps(op)


@emits(rnn.LstmSequenceOp)
def lstm_sequence(write: TflWriter, op: rnn.LstmSequenceOp) -> None:
    assert has_kernel(op), "others have become iterators"
    # The order that x lies in decides whether time comes first; the kernel takes both.
    major = write.view(op.x).order == (1, 0, 2)
    order = (1, 0, 2) if major else (0, 1, 2)
    how, axis = integers_of(write, op), 0 if major else 1
    with write.codes() if how is not None else nullcontext():
        x = write.arranged(op.x, order)
    outputs: list[Tensor] = []
    states: list[tuple[Tensor, Tensor]] = []
    for direction in range(op.directions):
        backward = op.direction.data == "reverse" or direction == 1
        source = reversed_(write, x, axis) if backward else x
        if how is not None:
            y, _, cell = run_integers(write, op, source, direction, how, major)
            ran = Ran(y, cell)
        else:
            options = {"time_major": major, "cell_clip": op.cell_clip.value.data}
            ran = run_forward(write, source, _direction(write, op, direction), **options)
        h = last_step(write, ran.y, major)
        states.append((h, _final_cell(write, op, ran, h, how is not None)))
        outputs.append(reversed_(write, ran.y, axis) if backward else ran.y)
    grown = [_with_direction(write, y) for y in outputs]
    lies = (2, 0, 1, 3) if major else (0, 2, 1, 3)  # [batch and steps, directions, size]
    write.set(op.y, concatenated(write, grown, 2), lies)
    for value, parts in zip((op.h_next, op.c_next), zip(*states, strict=True), strict=True):
        stacked = [write.reshaped(part, (part.shape[0], 1, part.shape[1])) for part in parts]
        write.set(value, concatenated(write, stacked, 1))


def _final_cell(
    write: TflWriter, op: rnn.LstmSequenceOp, ran: Ran, h: Tensor, in_integers: bool
) -> Tensor:
    if not op.c_next.uses:
        return h
    if in_integers:
        raise refuse(op, "the last cell state of an LSTM in integers stays inside; do not give it")
    return final_cell(write, ran, h)


def reversed_(write: TflWriter, x: Tensor, axis: int) -> Tensor:
    """The tensor in reverse order."""
    return write.op("REVERSE_V2", [x, write.integers([axis])], x.shape, like=x)


def _with_direction(write: TflWriter, y: Tensor) -> Tensor:
    """`[…, …, 1, size]` from `[…, …, size]`, even if both other sizes are unknown."""
    shape = (*y.shape[:2], 1, y.shape[2])
    if shape.count(UNKNOWN) <= 1:
        return write.reshaped(y, shape)
    return write.op("EXPAND_DIMS", [y, write.constant(2, "int32")], shape, like=y)


def _direction(write: TflWriter, op: rnn.LstmSequenceOp, direction: int) -> Direction:
    cells = op.hidden_size.value.data
    x, r = (
        [_gate(write, weights, direction, gate, cells) for gate in GATE_ORDER]
        for weights in (op.w, op.r)
    )
    b = [_gate(write, op.b, direction, gate, cells) for gate in GATE_ORDER]
    h, c = (direction_of(write, state, direction, cells) for state in (op.h, op.c))
    return Direction([*x, *r, None, None, None, *b, None, None], h, c)


def _gate(write: TflWriter, value: SSAValue, direction: int, gate: int, cells: int) -> Tensor:
    """The rows of one gate in one direction."""
    whole = write.plain(value)
    if whole.data is not None:
        return write.constant(whole.data[direction, gate * cells : (gate + 1) * cells])
    rest = whole.shape[2:]
    starts = [direction, gate * cells, *(0 for _ in rest)]
    part = cropped(write, whole, starts, [1, cells, *rest], [1] * whole.rank)
    return write.reshaped(part, (cells, *rest))


# --- tfl ------------------------------------------------------------------------------------


@emits(tfl.NoValueOp)
def no_value(write: TflWriter, op: tfl.NoValueOp) -> None:
    """Nothing: absent operands are not tensors."""


@emits(tfl.PseudoConstOp)
def pseudo_const(write: TflWriter, op: tfl.PseudoConstOp) -> None:
    found = write.constant(dense_array(op.value))
    write.values[op.output] = View(found, identity(found.rank))


def _operands(write: TflWriter, values: Sequence[SSAValue]) -> list[Tensor | None]:
    return [None if tfl.is_absent(value) else write.plain(value) for value in values]


def _options(op: tfl.LstmOperation | tfl.BidirectionalSequenceLstmOp) -> dict[str, Any]:
    attributes = tfl.Attributes.of(op)
    return {
        "fused_activation_function": attributes.activation,
        "cell_clip": attributes.cell_clip,
        "proj_clip": attributes.proj_clip,
        "asymmetric_quantize_inputs": bool(op.asymmetric_quantize_inputs or False),
    }


@emits(tfl.UnidirectionalSequenceLstmOp)
def unidirectional_sequence_lstm(write: TflWriter, op: tfl.UnidirectionalSequenceLstmOp) -> None:
    _need_ranks(op)
    lstm = Direction(
        _operands(write, op.operands[1:18]),
        write.plain(op.operands[18]),
        write.plain(op.operands[19]),
        _operands(write, op.operands[20:24]),
    )
    more = {
        "time_major": bool(op.time_major),
        "diagonal_recurrent_tensors": bool(op.diagonal_recurrent_tensors or False),
    }
    ran = run_forward(write, write.plain(op.input), lstm, **_options(op), **more)
    write.set(op.output, ran.y)


@emits(tfl.LstmOp)
def lstm(write: TflWriter, op: tfl.LstmOp) -> None:
    _need_ranks(op)
    states = [variable(write, write.plain(value)) for value in op.operands[18:20]]
    weights, norms = _operands(write, op.operands[1:18]), _operands(write, op.operands[20:24])
    inputs = [write.plain(op.input), *weights, *states, *norms]
    elements = Elements(inputs[0].element if inputs[0] else "float32")
    type = elements.tensor(sizes_of(op.output))
    write.set(op.output, write.operator("LSTM", inputs, type, **_options(op)))


@emits(tfl.BidirectionalSequenceLstmOp)
def bidirectional_sequence_lstm(write: TflWriter, op: tfl.BidirectionalSequenceLstmOp) -> None:
    """
    Two outputs, which are concatenated behind the kernel: if the kernel merges them itself, it writes out of bounds for
    batches.
    """
    _need_ranks(op)
    operands = list(op.operands)
    states = [variable(write, write.plain(value)) for value in operands[35:39]]
    inputs = [
        write.plain(op.input),
        *_operands(write, operands[1:35]),
        *states,
        *_operands(write, operands[39:48]),
    ]
    lead = write.plain(op.input).shape[:2]
    types = [
        Elements("float32").tensor((*lead, part.outputs)) for part in (op.forward, op.backward)
    ]
    options: dict[str, Any] = {
        **_options(op),
        "time_major": bool(op.time_major),
        "merge_outputs": False,
    }
    results = write.operators("BIDIRECTIONAL_SEQUENCE_LSTM", inputs, types, **options)
    merged = bool(op.merge_outputs) and bool(op.fw_output.uses)
    write.set(op.fw_output, concatenated(write, results, 2) if merged else results[0])
    if op.bw_output is not None:
        write.set(op.bw_output, results[1])


@emits(tfl.CustomOp)
def custom(write: TflWriter, op: tfl.CustomOp) -> None:
    types = [Elements(_element(op, value)).tensor(sizes_of(value)) for value in op.results]
    inputs = write.operands(_operands(write, op.operands))
    made = tfl.CustomOp(inputs, op.custom_code.data, op.custom_option.content.data, types)
    write.block.add_op(made)
    for value, found in zip(op.results, made.results, strict=True):
        write.set(value, Tensor(found))


def _element(op: tfl.CustomOp, value: SSAValue) -> str:
    if not isinstance(value.type, TensorType):
        raise refuse(op, f"its result is a {value.type}; give it a ranked type with infer-shapes")
    return element_of(value)


def _need_ranks(op: tfl.LstmOperation | tfl.BidirectionalSequenceLstmOp) -> None:
    for value in (*op.operands, *op.results):
        if isinstance(value.type, UnrankedTensorType):
            raise refuse(op, "an operand or result has no rank; infer-shapes gives it one")
