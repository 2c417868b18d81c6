"""Sums of all elements up to each."""

from __future__ import annotations

from typing import ClassVar

from xdsl.dialects.builtin import i1
from xdsl.irdl import operand_def

from ..inferred import INDEX, MAKE_CONSTANT, Constants, normalize_axis, shape_of, tensor
from ..names import Names
from ..operation import op_definition
from ..properties import flag_prop
from .shaped import SameTypeOp


@op_definition
class CumSumOp(SameTypeOp):
    """
    `result[i] = sum input[0 … i]` along the constant `axis`; without `input[i]` where `exclusive`, from the end
    where `reverse`.

        %axis = nn.constant dense<1> : tensor<i64>
        %y = nn.cum_sum %x, %axis {reverse = true} : tensor<2x5xf32>, tensor<i64>
    """

    name = "nn.cum_sum"
    NAMES: ClassVar = Names("CumSum-3", "Cumsum", "CUMSUM", "CumSum-14")

    axis = operand_def(INDEX)
    exclusive = flag_prop(False)
    reverse = flag_prop(False)

    def check(self, constants: Constants) -> None:
        if tensor(self.input).element_type == i1:
            raise self.op_error("booleans do not add up; convert them to i32")
        if shape_of(self.axis) not in ((), (1,)):
            raise self.op_error(f"axis is a {self.axis.type}; it must be one number")
        if (axis := constants(self.axis)) is None:
            raise self.op_error(f"axis must be constant; {MAKE_CONSTANT}")
        normalize_axis(self, axis[0], len(shape_of(self.input)))
