"""Custom operations: kept as they are, for passes and for writing; nobody here knows what they compute."""

from __future__ import annotations

from xdsl.ir import SSAValue

from ...dialects import tfl
from .translation import Translation, given_type, rule


@rule("CUSTOM")
def custom(t: Translation, op: tfl.CustomOp) -> None:
    none = t.builder.insert(tfl.NoValueOp()).none_val
    operands = [none if tfl.is_absent(each) else _codes(t, each) for each in op.operands]
    types = [given_type(output) for output in op.results]
    made = tfl.CustomOp(operands, op.custom_code.data, op.custom_option.content.data, types)
    for output, value in zip(op.results, t.builder.insert(made).results, strict=True):
        t.give(output, value)


def _codes(t: Translation, operand: SSAValue) -> SSAValue:
    """An operand as the file has it."""
    if (data := t.data(operand)) is None:
        return t.taken(operand)
    return t.array(data, given_type(operand).element_type)
