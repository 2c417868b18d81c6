"""Custom operations: kept as they are, for passes and for writing; nobody here knows what they compute."""

from __future__ import annotations

from xdsl.ir import SSAValue

from ....dialects import tfl
from ..graph import Operator, Tensor
from .reader import Reader, reads, type_of


@reads("CUSTOM")
def custom(read: Reader, op: Operator) -> None:
    none = None
    if None in op.inputs:
        none = read.write.builder.insert(tfl.NoValueOp()).none_val
    operands = [none if operand is None else _codes(read, operand) for operand in op.inputs]
    types = [type_of(output) for output in op.outputs]
    given = [operand for operand in operands if operand is not None]
    made = tfl.CustomOp(given, op.custom, op.custom_options, types)
    for output, value in zip(op.outputs, read.write.builder.insert(made).results, strict=True):
        read.give(output, value)


def _codes(read: Reader, operand: Tensor) -> SSAValue:
    """An operand as the file has it."""
    return read.taken(operand) if operand.data is None else read.constant(operand.data)
