"""Bitwise operations on integers and booleans, elementwise."""

from __future__ import annotations

from abc import ABC
from typing import ClassVar

from xdsl.dialects.builtin import IntegerType, TensorType
from xdsl.irdl import VarConstraint, base, operand_def, result_def

from ..names import Names
from ..operation import op_definition
from .elementwise import BinaryOp, UnaryOp
from .family import member

INTEGERS = TensorType.constr(VarConstraint("ELEMENT", base(IntegerType)))


class BitwiseOp(BinaryOp, ABC):
    """`result[i] = f(lhs[i], rhs[i])` over integers."""

    EXAMPLE: ClassVar = "%y = {name} %a, %b : (tensor<2x4xi32>, tensor<4xi32>) -> tensor<2x4xi32>"

    lhs = operand_def(INTEGERS)
    rhs = operand_def(INTEGERS)
    result = result_def(INTEGERS)


BitwiseAndOp = member(
    BitwiseOp,
    "bitwise_and",
    "`result = lhs & rhs`, bit by bit",
    Names("BitwiseAnd-13", "BitwiseAnd", "STABLEHLO_AND", "BitwiseAnd-18"),
)
BitwiseOrOp = member(
    BitwiseOp,
    "bitwise_or",
    "`result = lhs | rhs`, bit by bit",
    Names("BitwiseOr-13", "BitwiseOr", "", "BitwiseOr-18"),
)
BitwiseXorOp = member(
    BitwiseOp,
    "bitwise_xor",
    "`result = lhs ^ rhs`, bit by bit",
    Names("BitwiseXor-13", "BitwiseXor", "BITWISE_XOR", "BitwiseXor-18"),
)
BitwiseLeftShiftOp = member(
    BitwiseOp,
    "bitwise_left_shift",
    "`result = lhs << rhs`: bits that leave the type are lost. 0 where rhs is negative, or "
    "not below the number of bits.",
    Names("BitwiseLeftShift-15", "LeftShift", "STABLEHLO_SHIFT_LEFT", "BitShift-28"),
)
BitwiseRightShiftOp = member(
    BitwiseOp,
    "bitwise_right_shift",
    "`result = lhs >> rhs`, which keeps the sign. What rhs negative, or not below the number "
    "of bits, leaves is the sign, 0 or -1.",
    Names("BitwiseRightShift-15", "RightShift", "RIGHT_SHIFT"),
)


@op_definition
class BitwiseNotOp(UnaryOp):
    """
    Every bit inverted: `-1 - input`, of booleans `not input`.

        %y = nn.bitwise_not %x : tensor<4xi32>
    """

    name = "nn.bitwise_not"
    NAMES: ClassVar = Names("BitwiseNot-13", "Invert", "", "BitwiseNot-18")

    TYPE: ClassVar = VarConstraint("TYPE", TensorType.constr(base(IntegerType)))

    input = operand_def(TYPE)
    result = result_def(TYPE)
