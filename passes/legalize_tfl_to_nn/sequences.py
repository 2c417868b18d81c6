"""LiteRT's LSTMs as operations of `rnn` where possible, else step by step."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from xdsl.dialects.builtin import TensorType
from xdsl.ir import SSAValue
from xdsl.rewriter import InsertPoint

from ...dialects import nn, rnn, tfl
from ...dialects.blob import BlobAttr
from ...dialects.inferred import shape_of, tensor
from ...dialects.nn.writer import Writer
from ...dialects.properties import Property
from ..iterator_ports import Ports
from ..lower_sequences import lengths_of
from ..weights import is_known
from .steps import EXACT, LstmStep, Rounding

ORDER = (1, 0, 2, 3)
"""The places of the gates of `rnn`, f, i, c, o, among those of `tfl`."""

FUNCTIONS = {"TANH": "tanh", "RELU": "relu"}
"""The activations of `rnn` by LiteRT's names."""


def is_plain(parts: tfl.Parts, attributes: tfl.Attributes) -> bool:
    """Whether `rnn.lstm_sequence` computes the same."""
    return attributes.activation in FUNCTIONS and not (
        parts.has_peephole or parts.has_projection or parts.is_normalized or parts.coupled
    )


@dataclass(frozen=True)
class Outputs:
    """
    The results of an LSTM: its outputs and its last states. Those of `rnn.lstm_sequence` are [batch, directions, steps,
    cells] and twice [batch, directions, cells].
    """

    y: SSAValue
    h: SSAValue
    c: SSAValue

    @property
    def values(self) -> tuple[SSAValue, SSAValue, SSAValue]:
        """All three."""
        return self.y, self.h, self.c


def lstm_sequence(
    write: Writer,
    x: SSAValue,
    directions: Sequence[tfl.Parts],
    attributes: tfl.Attributes,
    direction: str = "forward",
) -> Outputs:
    """Writes one `rnn.lstm_sequence` for the plain LSTMs of one direction or two; `x` has the batch first."""
    parts = [_packed(write, direction) for direction in directions]
    states = [[_column(write, v) for v in (p.output_state, p.cell_state)] for p in directions]
    w, r, b = (write.joined(each, 0) for each in zip(*parts, strict=True))
    h, c = (write.joined(each, 1) for each in zip(*states, strict=True))
    op = rnn.LstmSequenceOp.of(
        *(x, h, c, lengths_of(write, x), w, r, b),
        direction=direction,
        **_properties(directions[0], attributes),
    )
    return Outputs(*write.builder.insert(op).results)


def _properties(parts: tfl.Parts, attributes: tfl.Attributes) -> dict[str, Property]:
    """What cells and sequences of `rnn` say of a plain LSTM."""
    function = FUNCTIONS[attributes.activation]
    return {
        "hidden_size": parts.cells,
        "activations": rnn.names("sigmoid", function, function),
        "cell_clip": attributes.cell_clip,
    }


def _packed(write: Writer, parts: tfl.Parts) -> list[SSAValue]:
    """W, R and B of one direction, with a dimension for it."""
    recurrent = [_full(write, parts.recurrent[gate], parts) for gate in ORDER]
    groups = ([parts.input[g] for g in ORDER], recurrent, [parts.bias[g] for g in ORDER])
    return [write(nn.UnsqueezeOp, write.joined(gates, 0), write.integers(0)) for gates in groups]


def _full(write: Writer, weights: SSAValue, parts: tfl.Parts) -> SSAValue:
    """Recurrent weights as a matrix: `diagonal * identity` where they are a diagonal."""
    if not parts.is_diagonal:
        return weights
    size = parts.cells
    type = TensorType(tensor(weights).element_type, [size, size])
    ones = [float(row == column) for row in range(size) for column in range(size)]
    return write(nn.MultiplyOp, weights, write.constant(BlobAttr.of(type, ones)))


def _column(write: Writer, state: SSAValue) -> SSAValue:
    return write(nn.UnsqueezeOp, state, write.integers(1))


def swapped(write: Writer, value: SSAValue, attributes: tfl.Attributes) -> SSAValue:
    """A sequence with the batch first, from the order that attributes say, or back."""
    if not attributes.time_major:
        return value
    return write(nn.TransposeOp, value, write.integers(1, 0, 2))


# --- the operations -------------------------------------------------------------------------------


def run_step(
    write: Writer, x: SSAValue, parts: tfl.Parts, attributes: tfl.Attributes
) -> Sequence[SSAValue]:
    """The output and the cell state after one step."""
    if not is_plain(parts, attributes):
        return LstmStep(parts, attributes).write(write, x)
    w, r, b = (write(nn.SqueezeOp, v, write.integers(0)) for v in _packed(write, parts))
    states = parts.output_state, parts.cell_state
    cell = rnn.LstmCellOp.of(x, *states, w, r, b, **_properties(parts, attributes))
    return write.builder.insert(cell).results


def run_sequence(
    write: Writer, x: SSAValue, parts: tfl.Parts, attributes: tfl.Attributes
) -> Outputs:
    """An LSTM over `x`; its outputs lie as that does, its last states are [batch, size]."""
    if not is_plain(parts, attributes):
        return step_by_step(write, x, parts, attributes)
    found = lstm_sequence(write, swapped(write, x, attributes), [parts], attributes)
    y, h, c = (write(nn.SqueezeOp, value, write.integers(1)) for value in found.values)
    return Outputs(swapped(write, y, attributes), h, c)


@dataclass(frozen=True)
class Both:
    """The operands of a bidirectional LSTM; `auxiliary` are the weights of its second input, if there are any."""

    x: SSAValue
    directions: Sequence[tfl.Parts]
    second: SSAValue
    auxiliary: Sequence[Sequence[SSAValue]] | None

    @classmethod
    def of(cls, op: tfl.BidirectionalSequenceLstmOp) -> Both:
        weights = op.auxiliary if op.has_auxiliary_weights else None
        return cls(op.input, [op.forward, op.backward], op.aux_input, weights)


def run_both(
    write: Writer, both: Both, attributes: tfl.Attributes, merged: bool
) -> tuple[Sequence[SSAValue], Sequence[Outputs]]:
    """The two results, the first with both outputs where they are merged; and what each direction gave."""
    directions = both.directions
    alone = tfl.is_absent(both.second) and directions[0].cells == directions[1].cells
    if alone and all(is_plain(direction, attributes) for direction in directions):
        x = swapped(write, both.x, attributes)
        whole = lstm_sequence(write, x, directions, attributes, "bidirectional")
        parts = [write.split(value, 2, 1) for value in whole.values]
        found = [
            Outputs(*(write(nn.SqueezeOp, part[direction], write.integers(1)) for part in parts))
            for direction in range(2)
        ]
        found = [replace(each, y=swapped(write, each.y, attributes)) for each in found]
    else:
        found = [_one_direction(write, both, attributes, direction) for direction in range(2)]
    outputs = [each.y for each in found]
    if merged:
        outputs[0] = write(nn.ConcatOp, *outputs, axis=-1)
    return outputs, found


def _one_direction(
    write: Writer, both: Both, attributes: tfl.Attributes, direction: int
) -> Outputs:
    """One direction of an LSTM that `rnn` cannot express."""
    x, auxiliary = both.x, None
    if both.auxiliary is not None:
        auxiliary = (both.second, both.auxiliary[direction])
    elif direction == 1 and not tfl.is_absent(both.second):
        x = both.second
    return step_by_step(write, x, both.directions[direction], attributes, direction == 1, auxiliary)


def step_by_step(
    write: Writer,
    x: SSAValue,
    parts: tfl.Parts,
    attributes: tfl.Attributes,
    backward: bool = False,
    auxiliary: tuple[SSAValue, Sequence[SSAValue]] | None = None,
    rounding: Rounding = EXACT,
) -> Outputs:
    """An iterator over the steps of `x`, in the order that attributes say."""
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

    step = LstmStep(parts, attributes, within, rounding)
    part = inner(nn.SqueezeOp, part, inner.integers(axis))
    terms: Sequence[SSAValue] = ()
    if auxiliary is not None and extra is not None:
        extra = inner(nn.SqueezeOp, extra, inner.integers(axis))
        terms = [
            w if tfl.is_absent(w) else step.product(inner, extra, within(w)) for w in auxiliary[1]
        ]
    output, cell = step.write(inner, part, h, c, terms)
    whole = inner(nn.UnsqueezeOp, output, inner.integers(axis))
    iterator = ports.scan(write, [output, cell], whole, axis, shape_of(x)[axis], backward)
    return Outputs(*iterator.results)
