"""Sums of all elements up to each."""

from __future__ import annotations

from typing import ClassVar

from xdsl.ir import SSAValue
from xdsl.irdl import operand_def

from ..inferred import INDEX, MAKE_CONSTANT, Constants, normalize_axis, shape_of
from ..names import Names
from ..operation import op_definition
from ..properties import flag_prop
from .blocks import PadOp
from .derived import DerivedOp
from .elementwise import AddOp
from .shaped import SameTypeOp
from .writer import Writer


@op_definition
class CumSumOp(SameTypeOp, DerivedOp):
    """
    `result[i] = sum input[0 … i]` along the constant `axis`; without `input[i]` where `exclusive`, from the end
    where `reverse`.

        %axis = nn.constant dense<1> : tensor<i64>
        %y = nn.cum_sum %x, %axis {reverse = true} : tensor<2x5xf32>, tensor<i64>
    """

    name = "nn.cum_sum"
    NAMES: ClassVar = Names("CumSum-3", "Cumsum", "CUMSUM", "CumSum-14")
    NEEDS_KNOWN_SHAPES: ClassVar = True

    axis = operand_def(INDEX)
    exclusive = flag_prop(False)
    reverse = flag_prop(False)

    def check(self, constants: Constants) -> None:
        if shape_of(self.axis) not in ((), (1,)):
            raise self.op_error(f"axis is a {self.axis.type}; it must be one number")
        if (axis := constants(self.axis)) is None:
            raise self.op_error(f"axis must be constant; {MAKE_CONSTANT}")
        normalize_axis(self, axis[0], len(shape_of(self.input)))

    def decompose(self, write: Writer) -> SSAValue:
        """
        Sums of 1, 2, 4, … elements: each is made of two of half as many (Hillis and Steele, "Data parallel
        algorithms"), which vectors compute and which rounds less than one sum after the other.
        """
        shape = shape_of(self.input)
        axis = self.known(self.axis, "axis")[0] % len(shape)

        def moved(value: SSAValue, count: int) -> SSAValue:
            """Behind so many zeros, or before them."""
            ahead, behind = (
                write.integers(*(sign * count * (i == axis) for i in range(len(shape))))
                for sign in ((-1, 1) if self.reverse else (1, -1))
            )
            return write(PadOp, value, ahead, behind, pad_mode="constant")

        size = shape[axis]
        total = moved(self.input, 1) if self.exclusive and size else self.input
        reach = 1
        while reach < size:
            total = write(AddOp, total, moved(total, reach))
            reach *= 2
        return total
