"""Loops over values of dynamic size: their bodies see them at their largest size, and sizes as further inputs."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType
from xdsl.ir import Attribute, SSAValue

from ...dialects import infra, nn
from ...dialects.blob import BlobAttr
from ...dialects.elements import is_integer
from ...dialects.inferred import normalize_axis, shape_of, tensor
from ...dialects.nn.writer import Writer
from ...dialects.rewriter import Rewriter
from ...passes.raise_loop_ports.loop import Loop, scalar
from ...passes.shapes.computed_integers import source
from .bounded import Bounded, Sizes, refusal

FEW = 16
"""The most elements of integers whose values are looked for in the operations that give them."""


def is_unknown(op: infra.LoopOp) -> bool:
    """Whether a loop reads or computes anything of unknown size, and carries nothing that changes its size."""
    if op.changing_inputs():
        return False
    values = [
        *op.operands,
        *op.body.block.args,
        *(r for each in op.body.walk() for r in each.results),
    ]
    return any(not tensor(value).has_static_shape() for value in values)


def enter(op: infra.LoopOp, given: Sequence[Bounded]) -> dict[SSAValue, Bounded]:
    """
    Gives a loop its operands at their largest size. Returns what the arguments of the body are; of those that are
    sliced, the body sees as many parts as there are.
    """
    op.operands = [each.value for each in given]
    known, loop = dict[SSAValue, Bounded](), Loop(op)
    for number, (port, bounded) in enumerate(
        list(zip(op.inputs, given[op.first_operand :], strict=True))
    ):
        argument, shape = op.body.block.args[number], list(shape_of(bounded.value))
        sizes = dict(bounded.sizes)
        if isinstance(port, infra.SlicedAttr):
            axis = normalize_axis(op, port.axis.data, len(shape))
            shape[axis] = port.part_size.data
            if (size := sizes.pop(axis, None)) is not None:
                _limit(op, port, size)
        elif isinstance(port, infra.MergedAttr) and sizes:
            raise refusal(op)
        type = TensorType(tensor(bounded.value).element_type, shape)
        argument = Rewriter.replace_value_with_new_type(argument, type)
        of_body: Sizes = {
            d: loop.add_input(size, infra.InvariantAttr(), size.type) for d, size in sizes.items()
        }
        known[argument] = Bounded(argument, of_body)
        if isinstance(port, infra.InvariantAttr):
            _make_constant(loop, bounded.value, argument)
    return known


def check_carried(op: infra.LoopOp) -> None:
    """Raises DiagnosticException where a body changes the size of what it carries."""
    for port, argument in zip(op.inputs, op.body.block.args, strict=False):
        if isinstance(port, infra.MergedAttr):
            after = op.yielded[port.result.data]
            if shape_of(after) != shape_of(argument):
                raise refusal(op)


def given_back(write: Writer, op: infra.LoopOp, number: int, bounded: Bounded) -> SSAValue:
    """
    A result of the body in a known size, which all parts that a loop concatenates have. What their concatenation is
    concatenated with tells the size.
    """
    value = bounded.value
    for d in bounded.sizes:
        size = _agreed(op, number, d)
        if size is None or size > shape_of(value)[d]:
            raise refusal(op)
        value = write.slice(value, 0, size, d)
    return value


def _agreed(op: infra.LoopOp, number: int, dimension: int) -> int | None:
    """The size of a dimension, of what a loop's result is concatenated with."""
    for result, port in zip(op.results, op.outputs, strict=True):
        if not isinstance(port, infra.ConcatenatedAttr) or port.result.data != number:
            continue
        for use in result.uses:
            joined = use.operation
            if isinstance(joined, nn.ConcatOp) and dimension != joined.axis.value.data:
                sizes = [shape_of(each)[dimension] for each in joined.operands]
                return max(sizes) if max(sizes) != DYNAMIC_INDEX else None
    return None


def _limit(op: infra.LoopOp, port: infra.SlicedAttr, size: SSAValue) -> None:
    """Lets a loop run for as many parts as there are."""
    slicing = port.slicing
    if (slicing.start, slicing.stride, slicing.part_size) != (0, 1, 1):
        raise refusal(op)
    write = Loop(op).outside
    parts, trip = scalar(write, size), scalar(write, op.trip_count)
    is_less = write(nn.LogicalOrOp, write(nn.LessOp, trip, 0), write(nn.LessOp, parts, trip))
    op.operands[0] = write(nn.SelectOp, is_less, parts, trip)


def _make_constant(loop: Loop, value: SSAValue, argument: SSAValue) -> None:
    """Integers that turn out to be known are constants of the body."""
    element: Attribute = tensor(value).element_type
    count = prod(shape_of(value))
    if not is_integer(element) or not 0 < count <= FEW:
        return
    found = [source(value, place) for place in range(count)]
    numbers = [each for each in found if isinstance(each, int)]
    if len(numbers) == count:
        type = TensorType(element, shape_of(value))
        argument.replace_all_uses_with(loop.inside.constant(BlobAttr.of(type, numbers)))
