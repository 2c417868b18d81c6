"""Comparisons, logic and selection, elementwise with NumPy broadcasting."""

from __future__ import annotations

from abc import ABC
from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import TensorType, i1
from xdsl.ir import Attribute
from xdsl.irdl import VarConstraint, irdl_op_definition, operand_def, result_def, traits_def

from ..inferred import SAME_ELEMENT, Constants, TensorOp, broadcast, shape_of, tensor
from ..names import Names
from ..traits import Broadcasts, DataMovement, Elementwise
from .elementwise import BinaryOp, UnaryOp


class ComparisonOp(BinaryOp, ABC):
    """`result[i] = lhs[i] ? rhs[i]`, a truth value."""

    result = result_def(TensorType.constr(i1))

    def infer_types(self, constants: Constants) -> Sequence[Attribute]:
        (type,) = super().infer_types(constants)
        assert isinstance(type, TensorType)
        return [TensorType(i1, type.get_shape())]


@irdl_op_definition
class EqualOp(ComparisonOp):
    """
    `result = lhs == rhs`

        %c = nn.equal %a, %b : (tensor<4xf32>, tensor<f32>) -> tensor<4xi1>
    """

    name = "nn.equal"
    NAMES: ClassVar = Names("Equal-1", "Equal", "EQUAL", "Equal-19")


@irdl_op_definition
class NotEqualOp(ComparisonOp):
    """
    `result = lhs != rhs`

        %c = nn.not_equal %a, %b : (tensor<4xf32>, tensor<f32>) -> tensor<4xi1>
    """

    name = "nn.not_equal"
    NAMES: ClassVar = Names("NotEqual-1", "NotEqual", "NOT_EQUAL")


@irdl_op_definition
class LessOp(ComparisonOp):
    """
    `result = lhs < rhs`

        %c = nn.less %a, %b : (tensor<4xi64>, tensor<i64>) -> tensor<4xi1>
    """

    name = "nn.less"
    NAMES: ClassVar = Names("Less-1", "Less", "LESS", "Less-13")


@irdl_op_definition
class LessEqualOp(ComparisonOp):
    """
    `result = lhs <= rhs`

        %c = nn.less_equal %a, %b : (tensor<4xi64>, tensor<i64>) -> tensor<4xi1>
    """

    name = "nn.less_equal"
    NAMES: ClassVar = Names("LessEqual-1", "LessEqual", "LESS_EQUAL", "LessOrEqual-16")


@irdl_op_definition
class GreaterOp(ComparisonOp):
    """
    `result = lhs > rhs`

        %c = nn.greater %a, %b : (tensor<4xf32>, tensor<f32>) -> tensor<4xi1>
    """

    name = "nn.greater"
    NAMES: ClassVar = Names("Greater-1", "Greater", "GREATER", "Greater-13")


@irdl_op_definition
class GreaterEqualOp(ComparisonOp):
    """
    `result = lhs >= rhs`

        %c = nn.greater_equal %a, %b : (tensor<4xf32>, tensor<f32>) -> tensor<4xi1>
    """

    name = "nn.greater_equal"
    NAMES: ClassVar = Names("GreaterEqual-1", "GreaterEqual", "GREATER_EQUAL", "GreaterOrEqual-16")


class LogicalOp(BinaryOp, ABC):
    """`result[i] = f(lhs[i], rhs[i])` over truth values."""

    lhs = operand_def(TensorType.constr(i1))
    rhs = operand_def(TensorType.constr(i1))
    result = result_def(TensorType.constr(i1))


@irdl_op_definition
class LogicalAndOp(LogicalOp):
    """
    `result = lhs and rhs`

        %c = nn.logical_and %a, %b : (tensor<4xi1>, tensor<i1>) -> tensor<4xi1>
    """

    name = "nn.logical_and"
    NAMES: ClassVar = Names("LogicalAnd-1", "LogicalAnd", "LOGICAL_AND", "And-7")


@irdl_op_definition
class LogicalOrOp(LogicalOp):
    """
    `result = lhs or rhs`

        %c = nn.logical_or %a, %b : (tensor<4xi1>, tensor<i1>) -> tensor<4xi1>
    """

    name = "nn.logical_or"
    NAMES: ClassVar = Names("LogicalOr-1", "LogicalOr", "LOGICAL_OR", "Or-7")


@irdl_op_definition
class LogicalXorOp(LogicalOp):
    """
    `result = lhs != rhs`

        %c = nn.logical_xor %a, %b : (tensor<4xi1>, tensor<i1>) -> tensor<4xi1>
    """

    name = "nn.logical_xor"
    NAMES: ClassVar = Names("LogicalXor-2", "", "", "Xor-7")


@irdl_op_definition
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


@irdl_op_definition
class SelectOp(TensorOp):
    """
    `result = condition ? then : else`, all three broadcast.

        %y = nn.select %c, %a, %b : (tensor<4x1xi1>, tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
    """

    name = "nn.select"
    NAMES: ClassVar = Names("Select-1", "SelectV2 Select", "SELECT_V2 SELECT", "Where-16")

    condition = operand_def(TensorType.constr(i1))
    then_value = operand_def(SAME_ELEMENT)
    else_value = operand_def(SAME_ELEMENT)
    result = result_def(SAME_ELEMENT)

    traits = traits_def(Elementwise(), Broadcasts(), DataMovement(1, None))

    def infer_types(self, constants: Constants) -> Sequence[Attribute]:
        shape = broadcast(self, *(shape_of(operand) for operand in self.operands))
        return [TensorType(tensor(self.then_value).element_type, shape)]
