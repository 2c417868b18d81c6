"""Comparisons, logic and selection, elementwise with NumPy broadcasting."""

from __future__ import annotations

from abc import ABC
from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import TensorType, i1
from xdsl.ir import Attribute
from xdsl.irdl import VarConstraint, operand_def, result_def, traits_def

from ..inferred import SAME_ELEMENT, Constants, broadcast, shape_of, tensor
from ..names import Names
from ..operation import op_definition
from ..traits import Broadcasts, DataMovement, Elementwise
from .elementwise import BinaryOp, UnaryOp
from .family import member
from .shaped import ShapedOp


class ComparisonOp(BinaryOp, ABC):
    """`result[i] = lhs[i] ? rhs[i]`, a boolean."""

    EXAMPLE: ClassVar = "%c = {name} %a, %b : (tensor<4xi64>, tensor<i64>) -> tensor<4xi1>"

    result = result_def(TensorType.constr(i1))

    @property
    def element(self) -> Attribute:
        return i1


EqualOp = member(
    ComparisonOp,
    "equal",
    "`result = lhs == rhs`",
    Names("Equal-1", "Equal", "EQUAL", "Equal-19"),
)
NotEqualOp = member(
    ComparisonOp,
    "not_equal",
    "`result = lhs != rhs`",
    Names("NotEqual-1", "NotEqual", "NOT_EQUAL"),
)
LessOp = member(
    ComparisonOp,
    "less",
    "`result = lhs < rhs`",
    Names("Less-1", "Less", "LESS", "Less-13"),
)
LessEqualOp = member(
    ComparisonOp,
    "less_equal",
    "`result = lhs <= rhs`",
    Names("LessEqual-1", "LessEqual", "LESS_EQUAL", "LessOrEqual-16"),
)
GreaterOp = member(
    ComparisonOp,
    "greater",
    "`result = lhs > rhs`",
    Names("Greater-1", "Greater", "GREATER", "Greater-13"),
)
GreaterEqualOp = member(
    ComparisonOp,
    "greater_equal",
    "`result = lhs >= rhs`",
    Names("GreaterEqual-1", "GreaterEqual", "GREATER_EQUAL", "GreaterOrEqual-16"),
)


class LogicalOp(BinaryOp, ABC):
    """`result[i] = f(lhs[i], rhs[i])` over booleans."""

    EXAMPLE: ClassVar = "%c = {name} %a, %b : (tensor<4xi1>, tensor<i1>) -> tensor<4xi1>"

    lhs = operand_def(TensorType.constr(i1))
    rhs = operand_def(TensorType.constr(i1))
    result = result_def(TensorType.constr(i1))


LogicalAndOp = member(
    LogicalOp,
    "logical_and",
    "`result = lhs and rhs`",
    Names("LogicalAnd-1", "LogicalAnd", "LOGICAL_AND", "And-7"),
)
LogicalOrOp = member(
    LogicalOp,
    "logical_or",
    "`result = lhs or rhs`",
    Names("LogicalOr-1", "LogicalOr", "LOGICAL_OR", "Or-7"),
)
LogicalXorOp = member(
    LogicalOp,
    "logical_xor",
    "`result = lhs != rhs`",
    Names("LogicalXor-2", "", "", "Xor-7"),
)


@op_definition
class LogicalNotOp(UnaryOp):
    """
    `result = not input`

        %c = nn.logical_not %a : tensor<4xi1>
    """

    name = "nn.logical_not"
    NAMES: ClassVar = Names("LogicalNot-1", "LogicalNot", "LOGICAL_NOT", "Not-1")

    TYPE: ClassVar = VarConstraint("TYPE", TensorType.constr(i1))

    input = operand_def(TYPE)
    result = result_def(TYPE)


@op_definition
class SelectOp(ShapedOp):
    """
    `result = condition ? then : else`, all three broadcast.

        %y = nn.select %c, %a, %b : (tensor<4x1xi1>, tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
    """

    name = "nn.select"
    NAMES: ClassVar = Names("Select-1", "SelectV2 Select", "SELECT_V2 SELECT", "Where-16")

    condition = operand_def(TensorType.constr(i1))
    then_value = operand_def(SAME_ELEMENT)
    else_value = operand_def(SAME_ELEMENT)

    traits = traits_def(Elementwise(), Broadcasts(), DataMovement(1, None))

    @property
    def element(self) -> Attribute:
        return tensor(self.then_value).element_type

    def infer_shape(self, constants: Constants) -> Sequence[int]:
        return broadcast(self, *map(shape_of, self.operands))
