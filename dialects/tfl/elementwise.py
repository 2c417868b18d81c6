"""Operations on single elements, comparisons and conversions."""

from __future__ import annotations

from typing import ClassVar

from xdsl.irdl import AnyAttr, operand_def, result_def

from .operation import ELEMENT, FLAG, MAYBE_FLAG, NUMBER, WORD, TflOp, operation


class UnaryOp(TflOp):
    """`output[i] = f(input[i])`"""

    input = operand_def(AnyAttr())
    output = result_def(AnyAttr())


class BinaryOp(TflOp):
    """`output[i] = f(lhs[i], rhs[i])`, shapes broadcast; a fused activation function follows, where there is one."""

    lhs = operand_def(AnyAttr())
    rhs = operand_def(AnyAttr())
    output = result_def(AnyAttr())


AbsOp = operation("abs", base=UnaryOp)
CeilOp = operation("ceil", base=UnaryOp)
EluOp = operation("elu", base=UnaryOp)
ExpOp = operation("exp", base=UnaryOp)
FloorOp = operation("floor", base=UnaryOp)
GeluOp = operation("gelu", base=UnaryOp, approximate=FLAG)
HardSwishOp = operation("hard_swish", base=UnaryOp)
LeakyReluOp = operation("leaky_relu", base=UnaryOp, codes_version=2, alpha=NUMBER)
LogOp = operation("log", base=UnaryOp)
LogicalNotOp = operation("logical_not", base=UnaryOp)
LogisticOp = operation("logistic", base=UnaryOp, codes_version=2)
NegOp = operation("neg", base=UnaryOp)
ReluOp = operation("relu", base=UnaryOp, codes_version=2)
Relu0To1Op = operation("relu_0_to_1", base=UnaryOp)
Relu6Op = operation("relu6", base=UnaryOp, codes_version=2)
ReluN1To1Op = operation("relu_n1_to_1", base=UnaryOp)
RoundOp = operation("round", base=UnaryOp)
RsqrtOp = operation("rsqrt", base=UnaryOp)
SignOp = operation("sign", base=UnaryOp)
SqrtOp = operation("sqrt", base=UnaryOp)
SquareOp = operation("square", base=UnaryOp)
TanhOp = operation("tanh", base=UnaryOp, codes_version=2)

AddOp = operation(
    "add",
    base=BinaryOp,
    codes_version=2,
    fused_activation_function=WORD,
    pot_scale_int16=MAYBE_FLAG,
)
DivOp = operation("div", base=BinaryOp, fused_activation_function=WORD)
FloorDivOp = operation("floor_div", base=BinaryOp)
FloorModOp = operation("floor_mod", base=BinaryOp)
LogicalAndOp = operation("logical_and", base=BinaryOp)
LogicalOrOp = operation("logical_or", base=BinaryOp)
MulOp = operation("mul", base=BinaryOp, codes_version=2, fused_activation_function=WORD)
PowOp = operation("pow", base=BinaryOp)
PreluOp = operation("prelu", "input, alpha -> output")
SquaredDifferenceOp = operation("squared_difference", base=BinaryOp, codes_version=2)
SubOp = operation(
    "sub",
    base=BinaryOp,
    codes_version=2,
    fused_activation_function=WORD,
    pot_scale_int16=MAYBE_FLAG,
)


class MaximumMinimumOp(BinaryOp):
    """The greater or the lesser of two elements."""

    TABLE: ClassVar = "MaximumMinimumOptions"


MaximumOp = operation("maximum", base=MaximumMinimumOp, codes_version=2)
MinimumOp = operation("minimum", base=MaximumMinimumOp, codes_version=2)

EqualOp = operation("equal", base=BinaryOp)
GreaterOp = operation("greater", base=BinaryOp)
GreaterEqualOp = operation("greater_equal", base=BinaryOp)
LessOp = operation("less", base=BinaryOp)
LessEqualOp = operation("less_equal", base=BinaryOp)
NotEqualOp = operation("not_equal", base=BinaryOp)

SelectOp = operation("select", "condition, x, y -> output")
SelectV2Op = operation("select_v2", "condition, x, y -> output")
AddNOp = operation("add_n", "inputs* -> sum")

CastOp = operation("cast", base=UnaryOp, in_data_type=ELEMENT, out_data_type=ELEMENT)
DensifyOp = operation("densify", base=UnaryOp)
DequantizeOp = operation("dequantize", base=UnaryOp, codes_version=2)
QuantizeOp = operation("quantize", base=UnaryOp)
