"""Operations on single elements, comparisons and conversions."""

from __future__ import annotations

from typing import ClassVar

from xdsl.dialects.builtin import TensorType
from xdsl.irdl import AnyAttr, base, operand_def, opt_prop_def, result_def
from xdsl.utils.exceptions import VerifyException

from ..inferred import label
from .operation import (
    BITS,
    ELEMENT,
    FLAG,
    FLOAT,
    MAYBE_FLAG,
    NUMBER,
    NUMBERS,
    OF_32_BITS,
    UNIT,
    WORD,
    TflOp,
    operation,
)


class UnaryOp(TflOp):
    """`output[i] = f(input[i])`"""

    ELEMENTS: ClassVar = FLOAT

    input = operand_def(AnyAttr())
    output = result_def(AnyAttr())


class BinaryOp(TflOp):
    """`output[i] = f(lhs[i], rhs[i])`, shapes broadcast; a fused activation function follows, where there is one."""

    ELEMENTS: ClassVar = NUMBERS

    lhs = operand_def(AnyAttr())
    rhs = operand_def(AnyAttr())
    output = result_def(AnyAttr())


AbsOp = operation("abs", base=UnaryOp, elements=OF_32_BITS, codes="any", codes_16="any")
CeilOp = operation("ceil", base=UnaryOp)
CosOp = operation("cos", base=UnaryOp)
EluOp = operation("elu", base=UnaryOp, codes="any")
ExpOp = operation("exp", base=UnaryOp)
FloorOp = operation("floor", base=UnaryOp)
GeluOp = operation("gelu", base=UnaryOp, approximate=FLAG, codes="any")
HardSwishOp = operation("hard_swish", base=UnaryOp, codes="any")
LeakyReluOp = operation(
    "leaky_relu", base=UnaryOp, codes_version=2, alpha=NUMBER, codes="any", codes_16="any"
)
LogOp = operation("log", base=UnaryOp)
LogicalNotOp = operation("logical_not", base=UnaryOp, elements=())
LogisticOp = operation(
    "logistic", base=UnaryOp, codes_version=2, codes=(1 / 256, -128), codes_16=UNIT
)
NegOp = operation("neg", base=UnaryOp, elements=NUMBERS)
ReluOp = operation("relu", base=UnaryOp, codes_version=2, codes="any", codes_16="any")
Relu0To1Op = operation("relu_0_to_1", base=UnaryOp, codes="any")
Relu6Op = operation("relu6", base=UnaryOp, codes_version=2, codes="any", codes_16="any")
ReluN1To1Op = operation("relu_n1_to_1", base=UnaryOp, codes="any")
RoundOp = operation("round", base=UnaryOp)
RsqrtOp = operation("rsqrt", base=UnaryOp)
SignOp = operation("sign", base=UnaryOp, elements=OF_32_BITS)
SinOp = operation("sin", base=UnaryOp)
SqrtOp = operation("sqrt", base=UnaryOp)
SquareOp = operation("square", base=UnaryOp)
TanhOp = operation("tanh", base=UnaryOp, codes_version=2, codes=(1 / 128, 0), codes_16=UNIT)

AddOp, SubOp = (
    operation(
        kind,
        base=BinaryOp,
        codes_version=2,
        fused_activation_function=WORD,
        pot_scale_int16=MAYBE_FLAG,
        codes="any",
        codes_16="any",
    )
    for kind in ("add", "sub")
)
Atan2Op = operation("atan2", "y, x -> output", elements=FLOAT)
BitwiseXorOp = operation("bitwise_xor", base=BinaryOp, elements=BITS)
DivOp = operation("div", base=BinaryOp, fused_activation_function=WORD, elements=OF_32_BITS)
FloorDivOp = operation("floor_div", base=BinaryOp, elements=OF_32_BITS)
FloorModOp = operation("floor_mod", base=BinaryOp)
LogicalAndOp = operation("logical_and", base=BinaryOp, elements=())
LogicalOrOp = operation("logical_or", base=BinaryOp, elements=())
MulOp = operation(
    "mul",
    base=BinaryOp,
    codes_version=2,
    fused_activation_function=WORD,
    codes="any",
    codes_16="any",
)
PowOp = operation("pow", base=BinaryOp, elements=OF_32_BITS)
PreluOp = operation("prelu", "input, alpha -> output", elements=FLOAT, codes="any")
RightShiftOp = operation("right_shift", base=BinaryOp, elements=BITS)
SquaredDifferenceOp = operation(
    "squared_difference", base=BinaryOp, codes_version=2, elements=OF_32_BITS, codes="any"
)


class MaximumMinimumOp(BinaryOp):
    """The greater or the lesser of two elements."""

    TABLE: ClassVar = "MaximumMinimumOptions"


MaximumOp = operation(
    "maximum", base=MaximumMinimumOp, codes_version=2, codes="same", codes_16="same"
)
MinimumOp = operation(
    "minimum", base=MaximumMinimumOp, codes_version=2, codes="same", codes_16="same"
)

EqualOp = operation("equal", base=BinaryOp, elements=(*NUMBERS, "bool"))
GreaterOp = operation("greater", base=BinaryOp)
GreaterEqualOp = operation("greater_equal", base=BinaryOp)
LessOp = operation("less", base=BinaryOp)
LessEqualOp = operation("less_equal", base=BinaryOp)
NotEqualOp = operation("not_equal", base=BinaryOp, elements=(*NUMBERS, "bool"))

SelectOp = operation("select", "condition, x, y -> output")
SelectV2Op = operation("select_v2", "condition, x, y -> output")
AddNOp = operation("add_n", "inputs* -> sum")

CastOp = operation("cast", base=UnaryOp, in_data_type=ELEMENT, out_data_type=ELEMENT, elements=())
DensifyOp = operation("densify", base=UnaryOp, elements=())
DequantizeOp = operation("dequantize", base=UnaryOp, codes_version=2, elements=())


class QuantizesOp(UnaryOp):
    """The codes of what it is given. `qtype`, as TensorFlow's converter has it, repeats the type of the result."""

    qtype = opt_prop_def(base(TensorType))

    def verify_(self) -> None:
        if self.qtype is not None and self.qtype != self.output.type:
            raise VerifyException(
                f"{label(self)}: qtype {self.qtype} is not the type of the result, {self.output.type}"
            )


QuantizeOp = operation("quantize", base=QuantizesOp, elements=())
