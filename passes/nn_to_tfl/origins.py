"""Where dimensions of unknown size in the body of an iterator come from."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType
from xdsl.ir import Block, BlockArgument, OpResult, SSAValue
from xdsl.utils.exceptions import VerifyException

from ...dialects.inferred import InferredOp, constant_integers, shape_of, tensor
from ...dialects.infra import IteratorOp
from ...dialects.infra.ports import ConcatenatedAttr, ResultPort, SlicedAttr
from .sizes import Size

PROBES = (1021, 2039)
"""Sizes that a dimension is given to see which ones follow it."""


def origins(loop: IteratorOp, size: Size) -> list[Size] | None:
    """
    The dimensions of a loop's operands that a dimension in its body is the size of: of several it is the largest, as
    others may be 1. None where it is computed otherwise.
    """
    pending, seen, found = [size], set[Size](), list[Size]()
    while pending:
        each = pending.pop()
        if each in seen:
            continue
        seen.add(each)
        if isinstance(each.value.owner, Block) and each.value.owner.parent_op() is loop:
            if (origin := _operand(each)) is None:
                return None
            found.append(origin)
        elif sources := _sources(each):
            pending += sources
        else:
            return None
    return found


def root(size: Size) -> Size:
    """The dimension that one follows through operations of which it follows only one."""
    while isinstance(size.value, OpResult) and len(sources := _sources(size)) == 1:
        (size,) = sources
    return size


def _operand(size: Size) -> Size | None:
    """The dimension of an iterator's operand that one of an argument of its body is."""
    argument, axis = size.value, size.axis
    assert isinstance(argument, BlockArgument)
    loop = argument.block.parent_op()
    assert isinstance(loop, IteratorOp)
    if argument.index >= len(loop.inputs):
        return None
    port = loop.inputs.data[argument.index]
    if isinstance(port, SlicedAttr) and axis == port.axis.data % len(shape_of(argument)):
        return None
    return Size(loop.operands_[argument.index], axis)


def _sources(size: Size) -> Sequence[Size]:
    """Of the operands of the operation that computes a value, the dimensions that one of it follows."""
    value, axis = size.value, size.axis
    if isinstance(value, BlockArgument):
        inner = value.block.parent_op()
        operand = _operand(size) if isinstance(inner, IteratorOp) else None
        return [] if operand is None else [operand]
    assert isinstance(value, OpResult)
    op = value.op
    if isinstance(op, IteratorOp):
        port, rank = op.outputs.data[value.index], len(shape_of(value))
        assert isinstance(port, ResultPort)
        if isinstance(port, ConcatenatedAttr) and axis == port.axis.data % rank:
            return []
        return [Size(op.yielded[port.result.data], axis)]
    if not isinstance(op, InferredOp):
        return []
    given = [
        Size(operand, place)
        for operand in dict.fromkeys(op.operands)
        for place, number in enumerate(shape_of(operand))
        if number == DYNAMIC_INDEX
    ]
    return [each for each in given if all(_follows(op, size, each, probe) for probe in PROBES)]


def _follows(op: InferredOp, result: Size, given: Size, probe: int) -> bool:
    """Whether a dimension of a result has size `probe` if one of an operand has."""
    shape = list(shape_of(given.value))
    shape[given.axis] = probe
    types = [
        TensorType(tensor(value).element_type, shape) if value is given.value else value.type
        for value in op.operands
    ]
    probed = Block(arg_types=types)
    meant = dict[SSAValue, SSAValue](zip(probed.args, op.operands, strict=True))
    copy = op.clone_without_regions()
    copy.operands = probed.args
    try:
        inferred = copy.infer_types(lambda value: constant_integers(meant.get(value, value)))
    except VerifyException:
        return False
    assert isinstance(result.value, OpResult)
    type = inferred[result.value.index]
    return isinstance(type, TensorType) and type.get_shape()[result.axis] == probe
