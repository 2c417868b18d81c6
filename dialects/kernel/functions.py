"""Functions in bodies, beside those of `arith` and `math`."""

from __future__ import annotations

from abc import ABC
from typing import ClassVar

from xdsl.dialects.builtin import Float32Type, Float64Type, f32
from xdsl.ir import SSAValue
from xdsl.irdl import (
    BaseAttr,
    VarConstraint,
    irdl_op_definition,
    operand_def,
    result_def,
    traits_def,
)
from xdsl.traits import Pure

from ..formatted import FormattedOp


class FunctionOp(FormattedOp, ABC):
    """A function of a floating-point number."""

    TYPE: ClassVar = VarConstraint("TYPE", BaseAttr(Float32Type) | BaseAttr(Float64Type))

    x = operand_def(TYPE)
    result = result_def(TYPE)

    traits = traits_def(Pure())
    assembly_format = "$x attr-dict `:` type($x)"

    def __init__(self, x: SSAValue):
        super().__init__(operands=[x], result_types=[x.type])


@irdl_op_definition
class SigmoidOp(FunctionOp):
    """
    `result = 1 / (1 + exp(-x))`

        %y = kernel.sigmoid %x : f32
    """

    name = "kernel.sigmoid"


@irdl_op_definition
class ErfcOp(FunctionOp):
    """
    `result = 1 - erf(x)`, what lies beyond the error function.

        %y = kernel.erfc %x : f32
    """

    name = "kernel.erfc"


@irdl_op_definition
class RemainderOp(FormattedOp):
    """
    `result = x - truncate(x / y) y`, exactly: C's `fmod`.

        %r = kernel.remainder %x, %y : f32
    """

    name = "kernel.remainder"

    x = operand_def(f32)
    y = operand_def(f32)
    result = result_def(f32)

    traits = traits_def(Pure())
    assembly_format = "$x `,` $y attr-dict `:` type($result)"

    def __init__(self, x: SSAValue, y: SSAValue):
        super().__init__(operands=[x, y], result_types=[f32])
