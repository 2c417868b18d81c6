"""Functions of one number: exponentials, absolute values, rounding."""

from __future__ import annotations

from abc import ABC
from collections.abc import Sequence

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Attribute
from xdsl.irdl import irdl_op_definition, prop_def

from ..inferred import Constants, choice, floating
from .elementwise import UnaryOp


class FloatingOp(UnaryOp, ABC):
    """`result[i] = f(input[i])` in floating point only."""

    def infer_types(self, constants: Constants) -> Sequence[Attribute]:
        return [floating(self, self.input)]


@irdl_op_definition
class ExpOp(FloatingOp):
    """
    `result = e ** input` (OpenVINO `Exp-1`).

        %y = nn.exp %x : tensor<4xf32>
    """

    name = "nn.exp"


@irdl_op_definition
class LogOp(FloatingOp):
    """
    `result = ln(input)` (OpenVINO `Log-1`).

        %y = nn.log %x : tensor<4xf32>
    """

    name = "nn.log"


@irdl_op_definition
class SqrtOp(FloatingOp):
    """
    `result = √input` (OpenVINO `Sqrt-1`).

        %y = nn.sqrt %x : tensor<4xf32>
    """

    name = "nn.sqrt"


@irdl_op_definition
class AbsOp(UnaryOp):
    """
    `result = |input|` (OpenVINO `Abs-1`).

        %y = nn.abs %x : tensor<4xf32>
    """

    name = "nn.abs"


@irdl_op_definition
class NegativeOp(UnaryOp):
    """
    `result = -input` (OpenVINO `Negative-1`).

        %y = nn.negative %x : tensor<4xf32>
    """

    name = "nn.negative"


@irdl_op_definition
class FloorOp(UnaryOp):
    """
    The greatest integer that is not above the input (OpenVINO `Floor-1`).

        %y = nn.floor %x : tensor<4xf32>
    """

    name = "nn.floor"


@irdl_op_definition
class CeilingOp(UnaryOp):
    """
    The least integer that is not below the input (OpenVINO `Ceiling-1`).

        %y = nn.ceiling %x : tensor<4xf32>
    """

    name = "nn.ceiling"


@irdl_op_definition
class SignOp(UnaryOp):
    """
    -1, 0 or 1, as the input is below, at or above 0 (OpenVINO `Sign-1`).

        %y = nn.sign %x : tensor<4xf32>
    """

    name = "nn.sign"


@irdl_op_definition
class RoundOp(UnaryOp):
    """
    The nearest integer; of two, the even one, or with mode `half_away_from_zero` the larger in absolute
    value (OpenVINO `Round-5`).

        %y = nn.round %x {mode = "half_to_even"} : tensor<4xf32>
    """

    name = "nn.round"

    mode = prop_def(StringAttr, default_value=StringAttr("half_to_even"))

    def infer_types(self, constants: Constants) -> Sequence[Attribute]:
        choice(self, "mode", "half_to_even", "half_away_from_zero")
        return super().infer_types(constants)
