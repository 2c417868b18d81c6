"""Activation functions beyond those in `elementwise`: some with parameters, all in floating point."""

from __future__ import annotations

from abc import ABC
from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import SSAValue
from xdsl.irdl import VarConstraint, operand_def, opt_operand_def, result_def, traits_def

from ..compatible import compatible_shapes
from ..inferred import (
    SAME_ELEMENT,
    Constants,
    Shape,
    TensorOp,
    broadcast,
    choice,
    floating,
    shape_of,
    spelled,
)
from ..names import Names
from ..operation import op_definition
from ..properties import number_prop, word_prop
from ..traits import Elementwise
from .comparison import GreaterOp, SelectOp
from .derived import DerivedOp
from .elementwise import AddOp, DivideOp, FloatingOp, MinimumOp, MultiplyOp, SigmoidOp
from .functions import AbsOp, ExpOp
from .shaped import InputOp, SameTypeOp
from .writer import Writer

RESULT = VarConstraint("TYPE", SAME_ELEMENT)
"""The input's type, and with that the type of elements of other operands."""


def _scalar(op: TensorOp, name: str, value: SSAValue) -> None:
    if any(size not in (1, DYNAMIC_INDEX) for size in shape_of(value)):
        raise op.op_error(f"{name} is a {value.type}; it must be one number")


def _number(write: Writer, value: SSAValue) -> SSAValue:
    """A value of one element, which broadcasts whatever its rank."""
    return write.reshaped(value, ())


class ScaledOp(SameTypeOp, DerivedOp, ABC):
    """`result[i] = f(input[i])` in floating point, where f has two numbers."""

    NUMBERS: ClassVar[Sequence[str]]
    """The names of the two numbers."""

    input = operand_def(RESULT)
    result = result_def(RESULT)

    traits = traits_def(Elementwise())

    def check(self, constants: Constants) -> None:
        for name, value in zip(self.NUMBERS, self.operands[1:], strict=True):
            _scalar(self, name, value)
        floating(self, self.input)


@op_definition
class PReluOp(InputOp, DerivedOp):
    """
    `result = input if input > 0 else slope * input`

    A vector of slopes has one for each channel (dimension 1), or one for all; other shapes broadcast to the
    input's.

        %y = nn.p_relu %x, %slope : (tensor<1x3x4x4xf32>, tensor<3xf32>) -> tensor<1x3x4x4xf32>
    """

    name = "nn.p_relu"
    NAMES: ClassVar = Names("PReLU-1", "", "PRELU", "PRelu-16")

    slope = operand_def(SAME_ELEMENT)

    traits = traits_def(Elementwise())

    @staticmethod
    def slope_shape(input: Shape, slope: Shape) -> Shape:
        """The slopes' shape that broadcasts to the input's: one for each channel, or else as NumPy aligns them."""
        if len(slope) != 1 or len(input) == 1:
            return slope
        if not input:
            return () if slope == (1,) else slope
        along_last = slope[0] == input[-1] and input[1] not in (slope[0], DYNAMIC_INDEX)
        return slope if along_last else (*slope, *(1,) * (len(input) - 2))

    def infer_shape(self, constants: Constants) -> Sequence[int]:
        shape, slope = floating(self, self.input).get_shape(), shape_of(self.slope)
        result = broadcast(self, shape, self.slope_shape(shape, slope))
        if len(result) > len(shape) or not compatible_shapes(result, shape):
            raise self.op_error(
                f"slopes of shape {spelled(slope)} do not fit input {spelled(shape)}; "
                "use one, or one for each channel"
            )
        return shape_of(self.input)

    def decompose(self, write: Writer) -> SSAValue:
        shape = self.slope_shape(shape_of(self.input), shape_of(self.slope))
        below = write(MultiplyOp, self.input, write.reshaped(self.slope, shape))
        return write(SelectOp, write(GreaterOp, self.input, 0), self.input, below)


@op_definition
class EluOp(FloatingOp):
    """
    `result = input if input > 0 else alpha * (exp(input) - 1)`

        %y = nn.elu %x {alpha = 1.0 : f64} : tensor<4xf32>
    """

    name = "nn.elu"
    NAMES: ClassVar = Names("Elu-1", "Elu", "ELU", "Elu-22")

    alpha = number_prop()


@op_definition
class HardSigmoidOp(ScaledOp):
    """
    `result = max(0, min(1, alpha * input + beta))`

        %y = nn.hard_sigmoid %x, %alpha, %beta : tensor<4xf32>, tensor<f32>, tensor<f32>
    """

    name = "nn.hard_sigmoid"
    NAMES: ClassVar = Names("HardSigmoid-1", "", "", "HardSigmoid-22")

    NUMBERS: ClassVar = ("alpha", "beta")

    alpha = operand_def(SAME_ELEMENT)
    beta = operand_def(SAME_ELEMENT)

    def decompose(self, write: Writer) -> SSAValue:
        alpha, beta = (_number(write, value) for value in (self.alpha, self.beta))
        return write.clamp(write(AddOp, write(MultiplyOp, alpha, self.input), beta), 0, 1)


@op_definition
class HsigmoidOp(FloatingOp, DerivedOp):
    """`result = min(max(input + 3, 0), 6) / 6`"""

    name = "nn.hsigmoid"
    NAMES: ClassVar = Names("HSigmoid-5")

    def decompose(self, write: Writer) -> SSAValue:
        inner = write.clamp(write(AddOp, self.input, 3), 0, 6)
        return write(MultiplyOp, inner, 1 / 6)


@op_definition
class HswishOp(FloatingOp, DerivedOp):
    """`result = input * min(max(input + 3, 0), 6) / 6`"""

    name = "nn.hswish"
    NAMES: ClassVar = Names("HSwish-4", "", "HARD_SWISH", "HardSwish-22")

    def decompose(self, write: Writer) -> SSAValue:
        inner = write.clamp(write(AddOp, self.input, 3), 0, 6)
        return write(MultiplyOp, self.input, write(MultiplyOp, inner, 1 / 6))


@op_definition
class SwishOp(InputOp, DerivedOp):
    """
    `result = input / (1 + exp(-beta * input))`, beta is 1 where absent

        %y = nn.swish %x, %beta : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
    """

    name = "nn.swish"
    NAMES: ClassVar = Names("Swish-4", "", "", "Swish-24")

    beta = opt_operand_def(SAME_ELEMENT)

    traits = traits_def(Elementwise())

    def infer_shape(self, constants: Constants) -> Sequence[int]:
        if self.beta is not None:
            _scalar(self, "beta", self.beta)
        return floating(self, self.input).get_shape()

    def decompose(self, write: Writer) -> SSAValue:
        x = self.input
        if self.beta is not None:
            x = write(MultiplyOp, x, _number(write, self.beta))
        return write(MultiplyOp, self.input, write(SigmoidOp, x))


@op_definition
class GeluOp(FloatingOp):
    """
    `result = input * Φ(input)`, Φ the normal distribution: `(1 + erf(input / √2)) / 2`, or about that
    with approximation mode `tanh`: `(1 + tanh(√(2/π) (input + 0.044715 input³))) / 2`.

        %y = nn.gelu %x {approximation_mode = "tanh"} : tensor<4xf32>
    """

    name = "nn.gelu"
    NAMES: ClassVar = Names("Gelu-7", "", "GELU", "Gelu-20")

    approximation_mode = word_prop("erf")

    def check(self, constants: Constants) -> None:
        choice(self, "approximation_mode", "erf", "tanh")
        super().check(constants)


@op_definition
class MishOp(FloatingOp, DerivedOp):
    """`result = input * tanh(ln(1 + exp(input)))`"""

    name = "nn.mish"
    NAMES: ClassVar = Names("Mish-4", "", "", "Mish-22")

    def decompose(self, write: Writer) -> SSAValue:
        """`tanh ln(1 + e) = n / (n + 2)` of `n = e (e + 2)`, and 1 above 20."""
        e = write(ExpOp, write(MinimumOp, self.input, 20))
        n = write(MultiplyOp, e, write(AddOp, e, 2))
        return write(MultiplyOp, self.input, write(DivideOp, n, write(AddOp, n, 2)))


@op_definition
class SoftPlusOp(FloatingOp):
    """`result = ln(1 + exp(input))`"""

    name = "nn.soft_plus"
    NAMES: ClassVar = Names("SoftPlus-4", "Softplus", "", "Softplus-22")


@op_definition
class SoftSignOp(FloatingOp, DerivedOp):
    """`result = input / (1 + |input|)`"""

    name = "nn.soft_sign"
    NAMES: ClassVar = Names("SoftSign-9", "Softsign", "", "Softsign-22")

    def decompose(self, write: Writer) -> SSAValue:
        return write(DivideOp, self.input, write(AddOp, write(AbsOp, self.input), 1))


@op_definition
class SeluOp(ScaledOp):
    """
    `result = lambda * (input if input > 0 else alpha * (exp(input) - 1))`

        %y = nn.selu %x, %alpha, %lambda : tensor<4xf32>, tensor<f32>, tensor<f32>
    """

    name = "nn.selu"
    NAMES: ClassVar = Names("Selu-1", "", "", "Selu-22")

    NUMBERS: ClassVar = ("alpha", "lambda")

    alpha = operand_def(SAME_ELEMENT)
    factor = operand_def(SAME_ELEMENT)

    def decompose(self, write: Writer) -> SSAValue:
        alpha, factor = (_number(write, value) for value in (self.alpha, self.factor))
        below = write(MultiplyOp, alpha, write(EluOp, self.input, alpha=1.0))
        chosen = write(SelectOp, write(GreaterOp, self.input, 0), self.input, below)
        return write(MultiplyOp, factor, chosen)
