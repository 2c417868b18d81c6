"""The `tone` dialect: audio as its engineers write it."""

from __future__ import annotations

from xdsl.dialects.builtin import Float64Type, FloatAttr, TensorType
from xdsl.ir import Dialect, Operation, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.traits import Pure


@irdl_op_definition
class GainOp(IRDLOperation):
    """`result = input * 10 ** (decibels / 20)`"""

    name = "tone.gain"
    input = operand_def(TensorType)
    decibels = prop_def(FloatAttr[Float64Type])
    result = result_def(TensorType)
    traits = traits_def(Pure())
    assembly_format = "$input `by` $decibels attr-dict `:` type($input) `->` type($result)"

    def __init__(self, input: Operation | SSAValue, decibels: FloatAttr[Float64Type]) -> None:
        value = SSAValue.get(input)
        super().__init__(
            operands=[value], properties={"decibels": decibels}, result_types=[value.type]
        )

    @property
    def factor(self) -> float:
        """What the input is multiplied by, which is above 0."""
        return 10 ** (self.decibels.value.data / 20)


TONE = Dialect("tone", [GainOp])
