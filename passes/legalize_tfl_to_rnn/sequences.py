"""LiteRT's LSTMs, written with the operations of `rnn` where these can, else step by step."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ArrayAttr,
    IntegerAttr,
    StringAttr,
    TensorType,
    i64,
)
from xdsl.ir import Region, SSAValue
from xdsl.rewriter import InsertPoint

from ...dialects import infra, nn, rnn, tfl
from ...dialects.blob import BlobAttr
from ...dialects.inferred import shape_of, tensor
from ..ports import Ports, concatenated
from ..weights import is_known
from ..writer import Writer
from .steps import Step

ORDER = (1, 0, 2, 3)
"""The places of the gates of `rnn`, f, i, c, o, among those of `tfl`."""

FUNCTIONS = {"TANH": "tanh", "RELU": "relu"}
"""The activations of `rnn` by LiteRT's names."""


def is_plain(parts: tfl.Parts, attributes: tfl.Attributes) -> bool:
    """Whether `rnn.lstm_sequence` computes this."""
    return attributes.activation in FUNCTIONS and not (
        attributes.cell_clip
        or parts.has_peephole
        or parts.has_projection
        or parts.is_normalized
        or parts.coupled
    )


@dataclass(frozen=True)
class Outputs:
    """The results of `rnn.lstm_sequence`: [batch, directions, steps, cells], [batch, directions, cells] twice."""

    y: SSAValue
    h: SSAValue
    c: SSAValue


def lstm_sequence(
    write: Writer,
    x: SSAValue,
    ways: Sequence[tfl.Parts],
    attributes: tfl.Attributes,
    direction: str = "forward",
) -> Outputs:
    """Writes one `rnn.lstm_sequence` for the plain LSTMs of one direction or two; `x` has the batch first."""
    parts = [_packed(write, way) for way in ways]
    states = [[_column(write, v) for v in (p.output_state, p.cell_state)] for p in ways]
    w, r, b = (_joined(write, each, 0) for each in zip(*parts, strict=True))
    h, c = (_joined(write, each, 1) for each in zip(*states, strict=True))
    function = FUNCTIONS[attributes.activation]
    op = rnn.LstmSequenceOp.of(
        x,
        h,
        c,
        _lengths(write, x),
        w,
        r,
        b,
        hidden_size=IntegerAttr(ways[0].cells, i64),
        direction=StringAttr(direction),
        activations=rnn.names("sigmoid", function, function),
    )
    return Outputs(*write.builder.insert(op).results)


def _packed(write: Writer, parts: tfl.Parts) -> list[SSAValue]:
    """W, R and B of one direction, with a dimension for it."""
    recurrent = [_full(write, parts.recurrent[gate], parts) for gate in ORDER]
    groups = ([parts.input[g] for g in ORDER], recurrent, [parts.bias[g] for g in ORDER])
    return [write(nn.UnsqueezeOp, _joined(write, gates, 0), write.integers(0)) for gates in groups]


def _full(write: Writer, weights: SSAValue, parts: tfl.Parts) -> SSAValue:
    """Recurrent weights as a matrix: `diagonal * identity` where they are a diagonal."""
    if not parts.is_diagonal:
        return weights
    size = parts.cells
    type = TensorType(tensor(weights).element_type, [size, size])
    ones = [float(row == column) for row in range(size) for column in range(size)]
    return write(nn.MultiplyOp, weights, write.constant(BlobAttr.of(type, ones)))


def _joined(write: Writer, values: Sequence[SSAValue], axis: int) -> SSAValue:
    if len(values) == 1:
        return values[0]
    return write(nn.ConcatOp, *values, axis=IntegerAttr(axis, i64))


def _column(write: Writer, state: SSAValue) -> SSAValue:
    return write(nn.UnsqueezeOp, state, write.integers(1))


def _lengths(write: Writer, x: SSAValue) -> SSAValue:
    """All steps, for each batch entry."""
    batch, steps, _ = shape_of(x)
    if DYNAMIC_INDEX not in (batch, steps):
        return write.constant(BlobAttr.of(TensorType(i64, [batch]), steps))
    sizes = write(nn.ShapeOfOp, x)
    count = write.slice(sizes, 1, 2, 0)
    return write(nn.BroadcastOp, count, write.slice(sizes, 0, 1, 0))


def swapped(write: Writer, value: SSAValue, attributes: tfl.Attributes) -> SSAValue:
    """A sequence with the batch first, from the order that attributes say, or back."""
    if not attributes.time_major:
        return value
    return write(nn.TransposeOp, value, write.integers(1, 0, 2))


# --- the operations -------------------------------------------------------------------------------


def one_step(write: Writer, op: tfl.LstmOp) -> SSAValue:
    """`tfl.lstm`"""
    attributes, parts = tfl.Attributes.of(op), op.parts
    if not is_plain(parts, attributes):
        return Step(parts, attributes).write(write, op.input)[0]
    w, r, b = (write(nn.SqueezeOp, v, write.integers(0)) for v in _packed(write, parts))
    function = FUNCTIONS[attributes.activation]
    cell = rnn.LstmCellOp.of(
        op.input,
        parts.output_state,
        parts.cell_state,
        w,
        r,
        b,
        hidden_size=IntegerAttr(parts.cells, i64),
        activations=rnn.names("sigmoid", function, function),
    )
    return write.builder.insert(cell).results[0]


def unidirectional(write: Writer, op: tfl.UnidirectionalSequenceLstmOp) -> SSAValue:
    """`tfl.unidirectional_sequence_lstm`"""
    attributes, parts = tfl.Attributes.of(op), op.parts
    if not is_plain(parts, attributes):
        return step_by_step(write, op.input, parts, attributes)
    x = swapped(write, op.input, attributes)
    y = lstm_sequence(write, x, [parts], attributes).y
    return swapped(write, write(nn.SqueezeOp, y, write.integers(1)), attributes)


def bidirectional(write: Writer, op: tfl.BidirectionalSequenceLstmOp) -> Sequence[SSAValue]:
    """`tfl.bidirectional_sequence_lstm`"""
    attributes, ways = tfl.Attributes.of(op), [op.forward, op.backward]
    alone = tfl.is_absent(op.aux_input) and ways[0].cells == ways[1].cells
    if alone and all(is_plain(way, attributes) for way in ways):
        x = swapped(write, op.input, attributes)
        y = lstm_sequence(write, x, ways, attributes, "bidirectional").y
        halves = write.split(y, 2, 1)
        outputs = [
            swapped(write, write(nn.SqueezeOp, half, write.integers(1)), attributes)
            for half in halves
        ]
    else:
        outputs = [_way(write, op, way) for way in range(2)]
    if bool(op.merge_outputs):
        outputs[0] = write(nn.ConcatOp, *outputs, axis=IntegerAttr(-1, i64))
    return outputs


def _way(write: Writer, op: tfl.BidirectionalSequenceLstmOp, way: int) -> SSAValue:
    """One direction of an LSTM that `rnn` cannot say."""
    attributes, parts = tfl.Attributes.of(op), [op.forward, op.backward][way]
    x, auxiliary = op.input, None
    if op.has_auxiliary_weights:
        auxiliary = (op.aux_input, op.auxiliary[way])
    elif way == 1 and not tfl.is_absent(op.aux_input):
        x = op.aux_input
    return step_by_step(write, x, parts, attributes, way == 1, auxiliary)


def step_by_step(
    write: Writer,
    x: SSAValue,
    parts: tfl.Parts,
    attributes: tfl.Attributes,
    backward: bool = False,
    auxiliary: tuple[SSAValue, Sequence[SSAValue]] | None = None,
) -> SSAValue:
    """An iterator over the steps of `x`, in the order that attributes say. Returns the outputs."""
    axis = 0 if attributes.time_major else 1
    ports = Ports()
    part = ports.sliced(x, axis, backward, "X")
    extra = None if auxiliary is None else ports.sliced(auxiliary[0], axis, backward, "aux")
    h = ports.merged(parts.output_state, "H")
    c = ports.merged(parts.cell_state, "C")
    inner = Writer(InsertPoint.at_end(ports.block))

    def within(value: SSAValue) -> SSAValue:
        if tfl.is_absent(value):
            return value
        if isinstance(value.owner, nn.ConstantOp) and is_known(value):
            return inner.constant(value.owner.value)
        return ports.invariant(value)

    step = Step(parts, attributes, within)
    part = inner(nn.SqueezeOp, part, inner.integers(axis))
    terms: Sequence[SSAValue] = ()
    if auxiliary is not None and extra is not None:
        extra = inner(nn.SqueezeOp, extra, inner.integers(axis))
        terms = [
            w if tfl.is_absent(w) else step.product(inner, extra, within(w)) for w in auxiliary[1]
        ]
    output, cell = step.write(inner, part, h, c, terms)
    whole = inner(nn.UnsqueezeOp, output, inner.integers(axis))
    inner.builder.insert(infra.YieldOp(output, cell, whole))
    shape = list(shape_of(whole))
    shape[axis] = shape_of(x)[axis]
    iterator = infra.TensorIteratorOp.create(
        operands=ports.operands,
        result_types=[TensorType(tensor(whole).element_type, shape)],
        properties={
            **ports.properties,
            "outputs": ArrayAttr([concatenated(2, axis, backward)]),
        },
        regions=[Region(ports.block)],
    )
    return write.builder.insert(iterator).results[0]
