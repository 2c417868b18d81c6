"""`lower-sequences`: a recurrent sequence becomes an iterator over its cell."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import DYNAMIC_INDEX, ModuleOp, StringAttr, TensorType, i64
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint

from ..dialects import nn, rnn
from ..dialects.blob import BlobAttr
from ..dialects.inferred import NAME, constant_integers, copy_name, friendly_name, shape_of
from ..dialects.nn.writer import Writer
from ..dialects.rewriter import Rewriter
from ..dialects.walk import all_operations
from .erase_unused import erase_unused
from .infer_shapes import KnownIntegers, infer_types
from .iterator_ports import Ports
from .weights import is_known, rows

SEQUENCE = "infra.sequence"
"""The attribute of an iterator that was a whole sequence: its name, by which its states go in whatever form."""


class LowerSequences(ModulePass):
    """
    `rnn.lstm_sequence`, `rnn.gru_sequence` and `rnn.rnn_sequence` become an `infra.tensor_iterator` over
    the steps, with the cell in its body.

    - `reverse` takes and puts its parts backward; `bidirectional` is one iterator for each direction.
    - Where sequence_lengths do not cover all steps, another sliced input says which batch entries a
      step counts for: the others keep their states, and their output is zero.
    - Known weights are in the body, others are invariant inputs.
    - With the name `S`, the iterators are `S/forward` and `S/reverse`, and what gives the outputs is `S`. Where there
      is one iterator, low-latency2 gives its states the names that it gives those of `S`.

    A sequence of an unknown number of steps stays.
    """

    name = "lower-sequences"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        retyped = False
        for each in all_operations(op):
            if isinstance(each, rnn.SequenceOp) and step_count(each) is not None:
                operands = list(each.operands)
                retyped |= lower(each)
                erase_unused(*operands)
        if retyped:
            infer_types(op, keep=True)


def step_count(op: rnn.SequenceOp) -> int | None:
    """The number of steps; None where it is not known."""
    steps = shape_of(op.operands[0])[1]
    return None if steps == DYNAMIC_INDEX else steps


def lengths_of(write: Writer, x: SSAValue) -> SSAValue:
    """The sequence_lengths by which all steps of a sequence [batch, steps, size] count."""
    batch, steps, _ = shape_of(x)
    if DYNAMIC_INDEX not in (batch, steps):
        return write.constant(BlobAttr.of(TensorType(i64, [batch]), steps))
    sizes = write(nn.ShapeOfOp, x)
    return write(nn.BroadcastOp, write.slice(sizes, 1, 2, 0), write.slice(sizes, 0, 1, 0))


def replace_by_cells(op: rnn.SequenceOp) -> bool:
    """
    Puts the cell of each direction in the place of a sequence of one step, which is thought to count
    whatever sequence_lengths say. Returns whether a value got another type.
    """
    write = Writer(InsertPoint.before(op))
    x = write(nn.SqueezeOp, op.operands[0], write.integers(1))
    states = [
        _cell(
            op,
            write,
            x,
            direction.states,
            [direction.part(write, w) for w in direction.weights],
            direction.name,
        ).results
        for direction in directions(op, write)
    ]
    finals = [_stacked(write, parts) for parts in zip(*states, strict=True)]
    outputs = write(nn.UnsqueezeOp, finals[0], write.integers(2))
    operands = list(op.operands)
    retyped = _replace(op, [outputs, *finals])
    erase_unused(*operands)
    return retyped


# --- directions ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Direction:
    """One direction of a sequence: the states before it, and the weights W, R and B of all directions."""

    number: int
    backward: bool
    states: Sequence[SSAValue]
    weights: Sequence[SSAValue]
    name: str | None

    def part(self, write: Writer, weights: SSAValue) -> SSAValue:
        """What this direction has of weights."""
        return rows(write, weights, self.number, self.number + 1, drop=True)


def directions(op: rnn.SequenceOp, write: Writer) -> list[Direction]:
    """The directions of a sequence."""
    states = op.operands[1 : 1 + op.state_count]
    parts = [write.split(s, 2, 1) if op.directions == 2 else [s] for s in states]
    found: list[Direction] = []
    for number in range(op.directions):
        backward = number == 1 or op.direction.data == "reverse"
        mine = [write(nn.SqueezeOp, part[number], write.integers(1)) for part in parts]
        name = friendly_name(op)
        if name is not None:
            name = f"{name}/{'reverse' if backward else 'forward'}"
        found.append(Direction(number, backward, mine, op.operands[-3:], name))
    return found


def _cell(
    op: rnn.SequenceOp,
    write: Writer,
    x: SSAValue,
    states: Sequence[SSAValue],
    weights: Sequence[SSAValue],
    name: str | None,
) -> rnn.CellOp:
    """Writes one step of one direction."""
    properties = {key: a for key, a in op.properties.items() if key != "direction"}
    cell = write.builder.insert(op.CELL.of(x, *states, *weights, **properties))
    if name is not None:
        cell.attributes[NAME] = StringAttr(name)
    return cell


def _stacked(write: Writer, values: Sequence[SSAValue]) -> SSAValue:
    """Values of each direction, put together along a new dimension 1."""
    parts = [write(nn.UnsqueezeOp, value, write.integers(1)) for value in values]
    return write.joined(parts, 1)


def _replace(op: rnn.SequenceOp, results: Sequence[SSAValue]) -> bool:
    """Replaces a sequence; what gives the outputs takes its name. Returns whether a type changed."""
    producer = results[0].owner
    if isinstance(producer, Operation):
        copy_name(op, producer)
    retyped = list(op.result_types) != [result.type for result in results]
    Rewriter.replace_op(op, [], results)
    return retyped


# --- iterators ----------------------------------------------------------------------------------


def lower(op: rnn.SequenceOp) -> bool:
    """Replaces a sequence. Returns whether a result got another type."""
    write = Writer(InsertPoint.before(op))
    counts = None if counts_all_steps(op) else _counting_steps(op, write)
    iterators = [_iterator(op, write, direction, counts) for direction in directions(op, write)]
    return _replace(op, [_stacked(write, parts) for parts in zip(*iterators, strict=True)])


def counts_all_steps(op: rnn.SequenceOp) -> bool:
    """Whether the lengths are the number of steps: known ones, or taken from the input's shape."""
    lengths = op.operands[1 + op.state_count]
    if isinstance(lengths.owner, nn.BroadcastOp):
        lengths = lengths.owner.input
    steps, known = step_count(op), KnownIntegers()(lengths)
    if known is not None:
        return steps is not None and all(length >= steps for length in known)
    part = lengths.owner
    if not isinstance(part, nn.SliceOp) or not isinstance(part.input.owner, nn.ShapeOfOp):
        return False
    places = [constant_integers(value) for value in (part.start, part.stop)]
    return part.input.owner.input is op.operands[0] and places == [[1], [2]]


def _counting_steps(op: rnn.SequenceOp, write: Writer) -> SSAValue:
    """Which steps count for each batch entry, [batch, steps, 1]."""
    x, lengths = op.operands[0], op.operands[1 + op.state_count]
    lengths = write.converted(lengths, i64)
    if (steps := step_count(op)) is not None:
        numbers = write.constant(BlobAttr.of(TensorType(i64, [1, steps, 1]), range(steps)))
    else:
        limit = write(nn.SqueezeOp, write.slice(write(nn.ShapeOfOp, x), 1, 2, 0), write.integers(0))
        zero, one = (write.scalar_like(limit, number) for number in (0, 1))
        numbers = write(nn.RangeOp, zero, limit, one, output_type=i64)
        numbers = write(nn.UnsqueezeOp, numbers, write.integers(0, 2))
    return write(nn.LessOp, numbers, write(nn.UnsqueezeOp, lengths, write.integers(1, 2)))


def _iterator(
    op: rnn.SequenceOp, write: Writer, direction: Direction, counts: SSAValue | None
) -> Sequence[SSAValue]:
    """Runs one direction. Returns its outputs [batch, steps, hidden_size] and its last states."""
    ports = Ports()
    x = ports.sliced(op.operands[0], 1, direction.backward, "X")
    counting = None if counts is None else ports.sliced(counts, 1, direction.backward, "counts")
    states = [
        ports.merged(state, name) for name, state in zip("HC", direction.states, strict=False)
    ]
    inner = Writer(InsertPoint.at_end(ports.block))
    weights = [
        direction.part(inner, w) if is_known(w) else ports.invariant(direction.part(write, w), name)
        for name, w in zip("WRB", direction.weights, strict=True)
    ]
    x = inner(nn.SqueezeOp, x, inner.integers(1))
    name = None if direction.name is None else f"{direction.name}/cell"
    cell = _cell(op, inner, x, states, weights, name)
    output, after = cell.results[0], list(cell.results)
    if counting is not None:
        counting = inner(nn.SqueezeOp, counting, inner.integers(1))
        after = [
            inner(nn.SelectOp, counting, new, old) for new, old in zip(after, states, strict=True)
        ]
        output = inner(nn.SelectOp, counting, output, inner.scalar_like(output, 0))
    output = inner(nn.UnsqueezeOp, output, inner.integers(1))
    iterator = ports.scan(write, after, output, 1, shape_of(op.operands[0])[1], direction.backward)
    if direction.name is not None:
        iterator.attributes[NAME] = StringAttr(direction.name)
        if op.directions == 1:
            iterator.attributes[SEQUENCE] = op.attributes[NAME]
    return iterator.results
