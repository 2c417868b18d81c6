"""Functions of one number: exponentials, absolute values, rounding."""

from __future__ import annotations

from typing import ClassVar

from xdsl.ir import SSAValue

from ..inferred import Constants, choice
from ..names import Names
from ..operation import op_definition
from ..properties import word_prop
from .derived import DerivedOp
from .elementwise import BinaryOp, FloatingOp, MultiplyOp, SubtractOp, UnaryOp
from .family import member
from .writer import Writer

ExpOp = member(
    FloatingOp,
    "exp",
    "`result = e ** input`.",
    Names("Exp-1", "Exp", "EXP", "Exp-13"),
)
LogOp = member(
    FloatingOp,
    "log",
    "`result = ln(input)`.",
    Names("Log-1", "Log", "LOG", "Log-13"),
)
SqrtOp = member(
    FloatingOp,
    "sqrt",
    "`result = √input`.",
    Names("Sqrt-1", "Sqrt", "SQRT", "Sqrt-13"),
)
ErfOp = member(
    FloatingOp,
    "erf",
    "The error function, `result = 2/√π ∫ exp(-t²) dt` from 0 to the input.",
    Names("Erf-1", "Erf", "", "Erf-13"),
)
AbsOp = member(
    UnaryOp,
    "abs",
    "`result = |input|`.",
    Names("Abs-1", "Abs", "ABS", "Abs-13"),
)
NegativeOp = member(
    UnaryOp,
    "negative",
    "`result = -input`.",
    Names("Negative-1", "Neg", "NEG", "Neg-13"),
)
FloorOp = member(
    UnaryOp,
    "floor",
    "The greatest integer that is not above the input.",
    Names("Floor-1", "Floor", "FLOOR", "Floor-13"),
)
CeilingOp = member(
    UnaryOp,
    "ceiling",
    "The least integer that is not below the input.",
    Names("Ceiling-1", "Ceil", "CEIL", "Ceil-13"),
)
SignOp = member(
    UnaryOp,
    "sign",
    "-1, 0 or 1, as the input is below, at or above 0.",
    Names("Sign-1", "Sign", "SIGN", "Sign-13"),
)


@op_definition
class RoundOp(UnaryOp):
    """
    The nearest integer; of two, the even one, or with mode `half_away_from_zero` the larger in absolute
    value.

        %y = nn.round %x {mode = "half_to_even"} : tensor<4xf32>
    """

    name = "nn.round"
    NAMES: ClassVar = Names("Round-5", "Round Rint", "ROUND", "Round-22")

    mode = word_prop("half_to_even")

    def check(self, constants: Constants) -> None:
        choice(self, "mode", "half_to_even", "half_away_from_zero")


@op_definition
class SquaredDifferenceOp(BinaryOp, DerivedOp):
    """
    `result = (lhs - rhs)²`

        %y = nn.squared_difference %a, %b : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
    """

    name = "nn.squared_difference"
    NAMES: ClassVar = Names("SquaredDifference-1", "SquaredDifference", "SQUARED_DIFFERENCE")

    def decompose(self, write: Writer) -> SSAValue:
        properties = {"auto_broadcast": self.auto_broadcast}
        difference = write(SubtractOp, self.lhs, self.rhs, **properties)
        return write(MultiplyOp, difference, difference)
