"""An iterator as a recurrent sequence: what it gives, with which weights, and how steps that do not count go."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import ArrayAttr, FloatAttr, TensorType, f64
from xdsl.ir import Attribute, BlockArgument, Operation, SSAValue
from xdsl.rewriter import InsertPoint

from ...dialects import infra, nn, rnn
from ...dialects.blob import BlobAttr
from ...dialects.inferred import NAME, constant_integers, copy_name, shape_of, tensor
from ...dialects.nn.writer import Writer
from ...dialects.properties import Property
from ...dialects.rewriter import Rewriter
from ..erase_unused import erase_unused
from ..lower_sequences import lengths_of
from .cells import Cell, gru, lstm, simple, unmasked
from .formulas import BodyFormulas, CarriedValue, Chosen, Cut, Element, Formula, Outer
from .masks import Mask


@dataclass(frozen=True)
class Match:
    """A cell in a body, and the mask of its steps where there is one."""

    body: BodyFormulas
    cell: Cell
    mask: Element | None


def raised(op: infra.LoopOp | infra.TensorIteratorOp) -> bool:
    """Replaces an iterator by the sequence that it computes. Returns whether it computes one."""
    if not _runs_all_steps(op):
        return False
    for match in _matches(op):
        outputs = [_output(op, match, port) for port in op.outputs]
        if None not in outputs and _is_writable(op, match):
            _replace(op, match, [each for each in outputs if each is not None])
            return True
    return False


def _runs_all_steps(op: infra.LoopOp | infra.TensorIteratorOp) -> bool:
    """Whether each step takes the next element of a dimension, and none is left out."""
    sliced = [port for port in op.inputs if isinstance(port, infra.SlicedAttr)]
    if not sliced or any(not _is_forward(port) for port in sliced):
        return False
    if isinstance(op, infra.TensorIteratorOp):
        return True
    if op.body_condition is not None or op.current_iteration is not None:
        return False
    trip, execute = map(constant_integers, (op.trip_count, op.execution_condition))
    if trip is None or execute is None or not any(execute):
        return False
    parts = op.parts()
    return trip[0] < 0 or all(part is not None and part == trip[0] for part in parts)


def _is_forward(port: infra.SlicedAttr | infra.ConcatenatedAttr) -> bool:
    slicing = port.slicing
    wanted = (0, -1, 1, 1)
    return (slicing.start, slicing.end, slicing.stride, slicing.part_size) == wanted


# --- which cell, and which mask -------------------------------------------------------------------


def _matches(op: infra.IteratorOp) -> Iterator[Match]:
    """Every cell that the states of a body can be."""
    body = BodyFormulas(op)
    yielded = [body.formula(value) for value in op.yielded]
    states = [
        CarriedValue(i, port.result.data)
        for i, port in enumerate(op.inputs)
        if isinstance(port, infra.MergedAttr)
    ]
    for h in states:
        after = yielded[h.result]
        for cell in _cells(h, states, yielded):
            mask = _mask(cell, yielded)
            if mask is not None or not isinstance(after, Chosen):
                yield Match(body, cell, mask)


def _cells(
    h: CarriedValue, states: Sequence[CarriedValue], yielded: Sequence[Formula]
) -> Iterator[Cell]:
    new_h = unmasked(yielded[h.result])
    for c in states:
        found = lstm(h, c, new_h, unmasked(yielded[c.result])) if c != h else None
        if found is not None:
            yield found
    for found in (gru(h, new_h), simple(h, new_h)):
        if found is not None:
            yield found


def _mask(cell: Cell, yielded: Sequence[Formula]) -> Element | None:
    """The mask by which all states of a cell stay what they are where a step does not count."""
    masks: set[Element | None] = set()
    for state, after in zip(cell.states, cell.after, strict=True):
        given = yielded[state.result]
        is_kept = isinstance(given, Chosen) and (given.yes, given.no) == (after, state)
        mask = given.mask if isinstance(given, Chosen) and is_kept else None
        masks.add(mask if isinstance(mask, Element) else None)
    return masks.pop() if len(masks) == 1 else None


# --- what it gives --------------------------------------------------------------------------------


@dataclass(frozen=True)
class Output:
    """A result of the iterator: all outputs or a last state; where the mask does not hold, the one before or zeros."""

    port: infra.PortAttr
    state: int | None
    zeros: bool = False


def _output(op: infra.IteratorOp, match: Match, port: infra.PortAttr) -> Output | None:
    """What a result is; None where a sequence does not give it."""
    assert isinstance(port, infra.ConcatenatedAttr | infra.IterationAttr)
    value = op.yielded[port.result.data]
    given = match.body.formula(value)
    cell, is_masked = match.cell, match.mask is not None
    if isinstance(port, infra.ConcatenatedAttr):
        if not _is_forward(port) or not _adds_axis(op, match, value, port.axis.data):
            return None
        return _outputs(op, match, given, port)
    if port.iteration.data != -1:
        return None
    for number, (state, after) in enumerate(zip(cell.states, cell.after, strict=True)):
        kept = Chosen(match.mask, after, state) if match.mask is not None else after
        if given == kept:
            return Output(port, number)
    found = _outputs(op, match, given, port)
    return found if is_masked else None


def _adds_axis(op: infra.IteratorOp, match: Match, value: SSAValue, axis: int) -> bool:
    """Whether a value [batch, cells] is put together along a dimension of 1 that the body gave it."""
    shape = shape_of(value)
    sliced = [port for port in op.inputs if isinstance(port, infra.SlicedAttr)]
    return len(shape) == 3 and shape[axis] == 1 and all(p.axis.data == axis for p in sliced)


def _outputs(
    op: infra.IteratorOp, match: Match, given: Formula, port: infra.PortAttr
) -> Output | None:
    """All outputs, or the last of them: where the mask does not hold, the output before or zeros."""
    new_h = match.cell.after[0]
    if match.mask is None:
        return Output(port, None) if given == new_h else None
    if not isinstance(given, Chosen) or (given.mask, given.yes) != (match.mask, new_h):
        return None
    if isinstance(given.no, Outer):
        other = given.no.value
        if isinstance(other, BlockArgument):
            other = op.operands_[other.index]
        return Output(port, None, zeros=True) if _is_zero(other) else None
    if isinstance(given.no, CarriedValue) and given.no != match.cell.states[0]:
        came_back = match.body.formula(op.yielded[given.no.result]) == given
        starts = op.operands_[given.no.operand]
        return Output(port, None) if came_back and _is_zero(starts) else None
    return None


def _is_zero(value: SSAValue) -> bool:
    """Whether a value is zeros."""
    while isinstance(value.owner, nn.BroadcastOp | nn.ConvertOp):
        value = value.owner.operands[0]
    if not isinstance(value.owner, nn.ConstantOp):
        return False
    return not any(value.owner.value.data.values())


# --- whether it can be written --------------------------------------------------------------------


def _is_writable(op: infra.IteratorOp, match: Match) -> bool:
    cell = match.cell
    if any(a.function not in rnn.ACTIVATIONS for a in cell.activations):
        return False
    if match.mask is not None and shape_of(op.operands_[cell.x.operand])[_axis(op)] < 0:
        return False
    return all(
        len(shape_of(op.operands_[operand])) == rank
        for operand, rank in [(cell.x.operand, 3), *((s.operand, 2) for s in cell.states)]
    )


def _axis(op: infra.IteratorOp) -> int:
    """The dimension of the steps."""
    return next(p.axis.data for p in op.inputs if isinstance(p, infra.SlicedAttr))


# --- the sequence ---------------------------------------------------------------------------------


def _replace(op: infra.IteratorOp, match: Match, outputs: Sequence[Output]) -> None:
    write = Writer(InsertPoint.before(op))
    cell, axis = match.cell, _axis(op)
    outside = _Outside(op, write)
    x = _batch_first(write, op.operands_[cell.x.operand], axis)
    mask = None
    if match.mask is not None:
        flags = _batch_first(write, op.operands_[match.mask.operand], axis)
        mask = Mask.of(write, flags, tensor(x).element_type)
        x = mask.packed(write, x)
    lengths = mask.lengths if mask is not None else lengths_of(write, x)
    states = [
        write(nn.UnsqueezeOp, op.operands_[state.operand], write.integers(1))
        for state in cell.states
    ]
    weights = _weights(write, outside, cell, tensor(x).element_type)
    sequence = cell.kind.of(x, *states, lengths, *weights, **_properties(cell))
    copy_name(op, sequence)
    y, *finals = write.builder.insert(sequence).results
    every = write(nn.SqueezeOp, y, write.integers(1))
    last = [write(nn.SqueezeOp, final, write.integers(1)) for final in finals]
    results = [_result(write, output, every, last, mask, op) for output in outputs]
    operands = list(op.operands)
    Rewriter.replace_op(op, [], results)
    erase_unused(*operands)
    erase_unused(every, *last, *outside.written)


def _result(
    write: Writer,
    output: Output,
    every: SSAValue,
    last: Sequence[SSAValue],
    mask: Mask | None,
    op: infra.IteratorOp,
) -> SSAValue:
    if output.state is not None:
        return _shaped(write, last[output.state], output, op)
    whole = every if mask is None else mask.unpacked(write, every, output.zeros)
    if isinstance(output.port, infra.ConcatenatedAttr):
        return _batch_first(write, whole, output.port.axis.data)
    steps = shape_of(whole)[1]
    final = write(nn.SqueezeOp, write.slice(whole, steps - 1, steps, 1), write.integers(1))
    return _shaped(write, final, output, op)


def _shaped(write: Writer, value: SSAValue, output: Output, op: infra.IteratorOp) -> SSAValue:
    """A value [batch, cells] with the dimension of 1 that the body gave it, if any."""
    assert isinstance(output.port, infra.IterationAttr)
    given = op.yielded[output.port.result.data]
    rank = len(shape_of(given))
    return write(nn.UnsqueezeOp, value, write.integers(_axis(op))) if rank == 3 else value


def _batch_first(write: Writer, value: SSAValue, axis: int) -> SSAValue:
    """[batch, steps, …] of [steps, batch, …], or back, where `axis` is 0."""
    if axis == 1:
        return value
    swap = [1, 0, *range(2, len(shape_of(value)))]
    owner = value.owner
    if isinstance(owner, nn.TransposeOp) and constant_integers(owner.order) == swap:
        return owner.input
    return write(nn.TransposeOp, value, write.integers(*swap))


def _properties(cell: Cell) -> dict[str, Property]:
    activations = cell.activations
    properties: dict[str, Property] = {
        "hidden_size": cell.gates[0][0].width,
        "activations": rnn.names(*(each.function for each in activations)),
    }
    if any(each.function == "hard_sigmoid" for each in activations):
        for name in ("alpha", "beta"):
            numbers = (FloatAttr(getattr(each, name), f64) for each in activations)
            properties[f"activations_{name}"] = ArrayAttr(numbers)
    if cell.kind is rnn.GruSequenceOp:
        properties["linear_before_reset"] = cell.linear_before_reset
    return properties


class _Outside:
    """Values of a body that no step changes, computed before the iterator."""

    def __init__(self, op: infra.IteratorOp, write: Writer):
        self.op, self.write = op, write
        self.values: dict[SSAValue, SSAValue] = {}
        self.written: list[SSAValue] = []

    def __call__(self, value: SSAValue) -> SSAValue:
        if value not in self.values:
            self.values[value] = self._moved(value)
        return self.values[value]

    def _moved(self, value: SSAValue) -> SSAValue:
        owner = value.owner
        if isinstance(value, BlockArgument) or not isinstance(owner, Operation):
            assert isinstance(value, BlockArgument)
            return self.op.operands_[value.index]
        copy = owner.clone({operand: self(operand) for operand in owner.operands})
        copy.attributes.pop(NAME, None)
        self.write.builder.insert(copy)
        self.values |= dict(zip(owner.results, copy.results, strict=True))
        self.written += copy.results
        return self.values[value]


def _weights(write: Writer, outside: _Outside, cell: Cell, element: Attribute) -> list[SSAValue]:
    """W, R and B of `rnn`, with a dimension for the one direction."""
    w = [_matrix(write, outside, own.products[0].weights) for own, _ in cell.gates]
    r = [_matrix(write, outside, recurrent.products[0].weights) for _, recurrent in cell.gates]
    vectors: list[Sequence[Cut]] = [[*a.vectors, *b.vectors] for a, b in cell.gates]
    if cell.linear_before_reset:  # it resets the product with its vectors, which are on their own
        vectors[-1:] = [side.vectors for side in cell.gates[-1]]
    width = cell.gates[0][0].width
    b = [_vector(write, outside, cuts, width, element) for cuts in vectors]
    joined = [write.joined(parts, 0) for parts in (w, r, b)]
    return [write(nn.UnsqueezeOp, value, write.integers(0)) for value in joined]


def _matrix(write: Writer, outside: _Outside, cut: Cut) -> SSAValue:
    """Weights of one gate, [cells, inputs]."""
    whole = outside(cut.value)
    axis = 0 if cut.transposed else 1
    part = _part(write, whole, cut, axis)
    return part if cut.transposed else write(nn.TransposeOp, part, write.integers(1, 0))


def _vector(
    write: Writer, outside: _Outside, cuts: Sequence[Cut], width: int, element: Attribute
) -> SSAValue:
    """The sum of vectors of one gate, [cells]; zeros where there is none."""
    total: SSAValue | None = None
    for cut in cuts:
        whole = outside(cut.value)
        rank = len(shape_of(whole))
        if rank > 1:
            whole = write(nn.SqueezeOp, whole, write.integers(*range(rank - 1)))
        part = _part(write, whole, cut, 0)
        total = part if total is None else write(nn.AddOp, total, part)
    zeros = BlobAttr.of(TensorType(element, [width]), 0.0)
    return total if total is not None else write.constant(zeros)


def _part(write: Writer, whole: SSAValue, cut: Cut, axis: int) -> SSAValue:
    if (cut.start, cut.stop) == (0, shape_of(whole)[axis]):
        return whole
    return write.slice(whole, cut.start, cut.stop, axis)
