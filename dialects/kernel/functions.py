"""Functions in bodies, beside those of `arith` and `math`."""

from __future__ import annotations

from abc import ABC
from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import Float32Type, Float64Type, IntegerType, Signedness, f32, i32
from xdsl.ir import SSAValue
from xdsl.irdl import (
    BaseAttr,
    VarConstraint,
    operand_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from ..elements import CODES, limits_of
from ..formatted import FormattedOp
from ..inferred import label
from ..operation import op_definition
from ..properties import INTEGERS, integers


class FunctionOp(FormattedOp, ABC):
    """A function of a floating-point number."""

    TYPE: ClassVar = VarConstraint("TYPE", BaseAttr(Float32Type) | BaseAttr(Float64Type))

    x = operand_def(TYPE)
    result = result_def(TYPE)

    traits = traits_def(Pure())
    assembly_format = "$x attr-dict `:` type($x)"

    def __init__(self, x: SSAValue):
        super().__init__(operands=[x], result_types=[x.type])


@op_definition
class SigmoidOp(FunctionOp):
    """
    `result = 1 / (1 + exp(-x))`

        %y = kernel.sigmoid %x : f32
    """

    name = "kernel.sigmoid"


@op_definition
class ErfcOp(FunctionOp):
    """
    `result = 1 - erf(x)`, what lies beyond the error function.

        %y = kernel.erfc %x : f32
    """

    name = "kernel.erfc"


@op_definition
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


@op_definition
class IntegerPowerOp(FormattedOp):
    """
    `result = x^y` of integers, y without a sign: x multiplied y times, of which the low bits are kept.

        %p = kernel.integer_power %x, %y : i64
    """

    name = "kernel.integer_power"

    TYPE: ClassVar = VarConstraint("TYPE", BaseAttr(IntegerType))

    x = operand_def(TYPE)
    y = operand_def(TYPE)
    result = result_def(TYPE)

    traits = traits_def(Pure())
    assembly_format = "$x `,` $y attr-dict `:` type($x)"

    def __init__(self, x: SSAValue, y: SSAValue):
        super().__init__(operands=[x, y], result_types=[x.type])


LIMITS = [limits_of(IntegerType(8, sign)) for sign in (Signedness.SIGNLESS, Signedness.UNSIGNED)]
"""Of the codes of i8 and of ui8."""


@op_definition
class LookupOp(FormattedOp):
    """
    `result = table[x mod 256]`: a function of an 8-bit code, signed or not, as a lookup table of 256 codes.

        %y = kernel.lookup %x table [0, 1, 2, …] : i32
    """

    name = "kernel.lookup"

    x = operand_def(i32)
    table = prop_def(INTEGERS)
    result = result_def(i32)

    traits = traits_def(Pure())
    assembly_format = "$x `table` $table attr-dict `:` type($result)"

    def __init__(self, x: SSAValue, table: Sequence[int]):
        super().__init__(operands=[x], properties={"table": integers(table)}, result_types=[x.type])

    @staticmethod
    def fits(lowest: float, highest: float) -> bool:
        """Whether numbers from the lowest to the highest are codes of i8, or of ui8."""
        return any(low <= lowest and highest <= high for low, high in LIMITS)

    @property
    def codes(self) -> tuple[int, ...]:
        """The elements of the table."""
        return self.table.get_values()

    def verify_(self) -> None:
        codes = self.codes
        if len(codes) != CODES:
            raise VerifyException(
                f"{label(self)}: the table has {len(codes)} codes; give {CODES}, one for each code of 8 bits"
            )
        lowest, highest = min(codes), max(codes)
        if not self.fits(lowest, highest):
            raise VerifyException(
                f"{label(self)}: the table has codes from {lowest} to {highest}; they must fit i8 or ui8"
            )
