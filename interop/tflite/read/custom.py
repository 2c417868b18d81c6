"""Custom operations: kept as they are, for passes and for writing; nobody here knows what they compute."""

from __future__ import annotations

from ....dialects import tfl
from ..graph import Operator
from .reader import Reader, reads, type_of


@reads("CUSTOM")
def custom(read: Reader, op: Operator) -> None:
    none = None
    if None in op.inputs:
        none = read.write.builder.insert(tfl.NoValueOp()).none_val
    operands = [none if operand is None else read.taken(operand) for operand in op.inputs]
    types = [type_of(output) for output in op.outputs]
    given = [operand for operand in operands if operand is not None]
    made = tfl.CustomOp(given, op.custom, op.custom_options, types)
    for output, value in zip(op.outputs, read.write.builder.insert(made).results, strict=True):
        read.give(output, value)
