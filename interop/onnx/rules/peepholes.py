"""LSTMs with peepholes (gates that see the cell), or with a coupled input and forget gate, as loops."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.dialects.builtin import DYNAMIC_INDEX, ArrayAttr, IntAttr, StringAttr, TensorType
from xdsl.ir import Block, Region, SSAValue
from xdsl.rewriter import InsertPoint

from ....dialects import infra, nn
from ....dialects.blob import BlobAttr
from ....dialects.inferred import constant_integers, shape_of, tensor
from ....dialects.nn.expression import Expression
from ....dialects.nn.writer import Writer
from ..node import Node, Values

DEFAULT = ["sigmoid", "tanh", "tanh"]

PORTS = ("X_t", "H_t", "C_t", "W", "R", "B", "P", "going")
"""The names of the body's inputs; the last three may be left out."""


def written_out(node: Node) -> Values:
    """A loop over steps `[1, batch, input]` for each direction."""
    write, layout = node.write, node("layout", 0)
    directions = shape_of(node[2])[0]
    x, *states = (
        write.transposed(value, (1, 0, 2)) if layout else value
        for value in (node[0], *(_state(node, place, layout, directions) for place in (5, 6)))
    )
    _check(node)
    going = _going(node, shape_of(x)[0])
    results: list[Sequence[SSAValue]] = []
    for direction in range(directions):
        weights = [_of_direction(write, node.get(place), direction) for place in (1, 2, 3, 7)]
        begins = [_of_direction(write, state, direction) for state in states]
        is_reverse = direction == 1 or node("direction", "forward") == "reverse"
        part = ("forward", "reverse")[direction] if directions == 2 else ""
        ports = zip(PORTS, (x, *begins, *weights, going), strict=True)
        given = {name: value for name, value in ports if value is not None}
        results.append(node.recurrence(_loop(node, given, is_reverse), part))
    y, *last = (
        write.joined([write(nn.UnsqueezeOp, each, write.integers(axis)) for each in column], axis)
        for axis, column in zip((1, 0, 0), zip(*results, strict=True), strict=True)
    )
    if layout:
        return [write.transposed(y, (2, 0, 1, 3)), *(write.transposed(v, (1, 0, 2)) for v in last)]
    return [y, *last]


def _going(node: Node, steps: int) -> SSAValue | None:
    """Whether a sequence has a step, `[step, batch, 1]`; None where all sequences have all steps."""
    write, lengths = node.write, node.get(4)
    if lengths is None or all(each == steps for each in constant_integers(lengths) or [-1]):
        return None
    element, count = tensor(lengths).element_type, write.integer(steps)
    if steps == DYNAMIC_INDEX:
        axis = int(node("layout", 0))
        count = write(
            nn.GatherOp, write(nn.ShapeOfOp, node[0]), *map(write.integer, (axis, 0)), batch_dims=0
        )
    limits = write.integer(0), count, write.integer(1)
    places = write.reshaped(write(nn.RangeOp, *limits, output_type=element), (-1, 1, 1))
    return write(nn.LessOp, places, write(nn.UnsqueezeOp, lengths, write.integers(1)))


def _check(node: Node) -> None:
    listed = [name.lower() for name in node("activations") or DEFAULT]
    if listed != DEFAULT * (len(listed) // 3):
        raise node.refuse(f"with peepholes or input_forget, activations {listed} must be {DEFAULT}")


def _state(node: Node, place: int, layout: int, directions: int) -> SSAValue:
    if (given := node.get(place)) is not None:
        return given
    write, hidden, place = node.write, shape_of(node[2])[2], 0 if layout else 1
    if (batch := shape_of(node[0])[place]) != DYNAMIC_INDEX:
        shape = [batch, directions, hidden] if layout else [directions, batch, hidden]
        return write.constant(BlobAttr.of(TensorType(node.element(), shape), 0.0))
    size = write.slice(write(nn.ShapeOfOp, node[0]), place, place + 1, 0)
    others = [write.integers(directions), write.integers(hidden)]
    others.insert(place, size)
    return write(nn.BroadcastOp, write.scalar_like(node[0], 0), write.joined(others, 0))


def _of_direction(write: Writer, value: SSAValue | None, direction: int) -> SSAValue | None:
    """The part of an input for one direction."""
    if value is None:
        return None
    return write(nn.SqueezeOp, write.slice(value, direction, direction + 1, 0), write.integers(0))


def _loop(node: Node, given: Mapping[str, SSAValue], is_reverse: bool) -> Sequence[SSAValue]:
    """All hidden states `[step, batch, hidden]`, the last hidden state, and the last cell state."""
    types = [tensor(value) for value in given.values()]
    step = TensorType(types[0].element_type, [1, *types[0].get_shape()[1:]])
    arguments = [step, *types[1:]]
    if "going" in given:
        arguments[-1] = TensorType(types[-1].element_type, [1, *types[-1].get_shape()[1:]])
    block = Block(arg_types=arguments)
    write = Writer(InsertPoint.at_end(block))
    x, h, c, w, r, *more = block.args
    bias = more.pop(0) if "B" in given else None
    peepholes = write.split(more[0], 3, 0) if "P" in given else None
    hidden, cell = _cell(node, write, (x, h, c), (w, r), bias, peepholes)
    result = hidden
    if "going" in given:
        is_going = write(nn.SqueezeOp, block.args[-1], write.integers(0))
        result = write(nn.SelectOp, is_going, hidden, write.scalar_like(hidden, 0))
        hidden, cell = (
            write(nn.SelectOp, is_going, new, old) for new, old in ((hidden, h), (cell, c))
        )
    whole = write(nn.UnsqueezeOp, result, write.integers(0))
    block.add_op(infra.YieldOp(hidden, cell, whole))
    limits = (-1, 0, -1) if is_reverse else (0, -1, 1)
    merged = [infra.MergedAttr(IntAttr(number)) for number in range(2)]
    last = [infra.IterationAttr(IntAttr(number), IntAttr(-1)) for number in range(2)]
    sliced = infra.SlicedAttr(*map(IntAttr, (0, *limits, 1)))
    inputs = [sliced, *merged, *[infra.InvariantAttr()] * (len(given) - 3)]
    if "going" in given:
        inputs[-1] = sliced
    together = infra.ConcatenatedAttr(*map(IntAttr, (2, 0, *limits, 1)))
    shape = [types[0].get_shape()[0], *shape_of(hidden)]
    loop = infra.TensorIteratorOp.create(
        operands=[*given.values()],
        result_types=[TensorType(step.element_type, shape), hidden.type, cell.type],
        properties={
            "inputs": ArrayAttr(inputs),
            "outputs": ArrayAttr([together, *last]),
            "body_names": ArrayAttr(map(StringAttr, given)),
        },
        regions=[Region(block)],
    )
    return node.write.builder.insert(loop).results


def _cell(
    node: Node,
    write: Writer,
    values: Sequence[SSAValue],
    weights: Sequence[SSAValue],
    bias: SSAValue | None,
    peepholes: Sequence[SSAValue] | None,
) -> tuple[SSAValue, SSAValue]:
    """Gates i, o, f and the candidate. The output gate sees the new cell state, the others the old one."""
    x, h, c = (Expression(write, value) for value in values)
    x = x.on(write(nn.SqueezeOp, x.value, write.integers(0)))
    sums = [
        x.on(write(nn.MatMulOp, value.value, matrix, transpose_b=True))
        for value, matrix in zip((x, h), weights, strict=True)
    ]
    total = sums[0] + sums[1]
    for part in () if bias is None else write.split(bias, 2, 0):
        total = total + x.on(part)
    i, o, f, g = (x.on(part) for part in write.split(total.value, 4, 1))
    p = [None] * 3 if peepholes is None else [x.on(part) for part in peepholes]
    limit = float(node("clip", 0.0))

    def active(kind: type[nn.SigmoidOp | nn.TanhOp], value: Expression) -> Expression:
        clipped = write.clamp(value.value, -limit, limit) if limit else value.value
        return x.on(write(kind, clipped))

    def gate(value: Expression, seen: Expression | None, cell: Expression) -> Expression:
        return active(nn.SigmoidOp, value if seen is None else value + seen * cell)

    opened = gate(i, p[0], c)
    kept = 1.0 - opened if node("input_forget", 0) else gate(f, p[2], c)
    cell = kept * c + opened * active(nn.TanhOp, g)
    hidden = gate(o, p[1], cell) * x.on(write(nn.TanhOp, cell.value))
    return hidden.value, cell.value
