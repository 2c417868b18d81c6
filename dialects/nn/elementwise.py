"""Elementwise operations: unary functions, arithmetic with NumPy broadcasting, conversion of types."""

from __future__ import annotations

from abc import ABC
from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import AnyFloatConstr, IntegerType, TensorType, f32, f64
from xdsl.ir import Attribute
from xdsl.irdl import base, operand_def, prop_def, result_def, traits_def

from ..elements import bits_of, is_integer
from ..inferred import SAME_ELEMENT, Constants, broadcast, floating, shape_of, spelled, tensor
from ..names import Names
from ..operation import op_definition
from ..properties import flag_prop, number_prop, word_prop
from ..traits import Broadcasts, Elementwise
from .shaped import OfInputOp, SameTypeOp, ShapedOp


class UnaryOp(SameTypeOp, ABC):
    """`result[i] = f(input[i])`."""

    EXAMPLE: ClassVar = "%y = {name} %x : tensor<4xf32>"

    traits = traits_def(Elementwise())


class FloatingOp(UnaryOp, ABC):
    """`result[i] = f(input[i])` in floating point only."""

    def check(self, constants: Constants) -> None:
        floating(self, self.input)


@op_definition
class ReluOp(UnaryOp):
    """`result = max(input, 0)`"""

    name = "nn.relu"
    NAMES: ClassVar = Names("ReLU-1", "Relu", "RELU", "Relu-14")


@op_definition
class SigmoidOp(FloatingOp):
    """`result = 1 / (1 + exp(-input))`"""

    name = "nn.sigmoid"
    NAMES: ClassVar = Names("Sigmoid-1", "Sigmoid", "LOGISTIC", "Sigmoid-13")


@op_definition
class TanhOp(FloatingOp):
    """`result = tanh(input)`"""

    name = "nn.tanh"
    NAMES: ClassVar = Names("Tanh-1", "Tanh", "TANH", "Tanh-13")


@op_definition
class ClampOp(UnaryOp):
    """
    `result = min(max(input, min), max)`

        %y = nn.clamp %x {min = 0.0 : f64, max = 6.0 : f64} : tensor<4xf32>
    """

    name = "nn.clamp"
    NAMES: ClassVar = Names("Clamp-1", "", "", "Clip-13")

    min = number_prop()
    max = number_prop()

    @property
    def limits(self) -> tuple[float, float]:
        """The least and the greatest number that it gives."""
        return self.min.value.data, self.max.value.data

    def verify_(self) -> None:
        super().verify_()
        low, high = self.limits
        if not low <= high:
            raise self.op_error(f"min {low} is not below max {high}")


class BinaryOp(ShapedOp, ABC):
    """`result[i] = f(lhs[i], rhs[i])`, shapes broadcast as NumPy does (`none`: they must be equal)."""

    lhs = operand_def(SAME_ELEMENT)
    rhs = operand_def(SAME_ELEMENT)

    auto_broadcast = word_prop("numpy")

    traits = traits_def(Elementwise(), Broadcasts())

    def infer_shape(self, constants: Constants) -> Sequence[int]:
        left, right = shape_of(self.lhs), shape_of(self.rhs)
        mode = self.auto_broadcast.data
        if mode not in ("numpy", "none"):
            raise self.op_error(f"auto_broadcast '{mode}' is not supported; use 'numpy' or 'none'")
        if mode == "none" and left != right:
            raise self.op_error(
                f"shapes {spelled(left)} and {spelled(right)} differ; auto_broadcast is 'none'"
            )
        return broadcast(self, left, right)


@op_definition
class AddOp(BinaryOp):
    """
    `result = lhs + rhs`

        %y = nn.add %a, %b : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
    """

    name = "nn.add"
    NAMES: ClassVar = Names("Add-1", "AddV2 Add", "ADD STABLEHLO_ADD", "Add-14")


@op_definition
class SubtractOp(BinaryOp):
    """
    `result = lhs - rhs`

        %y = nn.subtract %a, %b : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
    """

    name = "nn.subtract"
    NAMES: ClassVar = Names("Subtract-1", "Sub", "SUB", "Sub-14")


@op_definition
class MultiplyOp(BinaryOp):
    """
    `result = lhs * rhs`

        %y = nn.multiply %a, %b : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
    """

    name = "nn.multiply"
    NAMES: ClassVar = Names("Multiply-1", "Mul", "MUL STABLEHLO_MULTIPLY", "Mul-14")


@op_definition
class DivideOp(BinaryOp):
    """
    `result = lhs / rhs`; integers round toward minus infinity with `m_pythondiv`, else toward zero. Of integers 0
    where rhs is.

        %y = nn.divide %a, %b : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
    """

    name = "nn.divide"
    NAMES: ClassVar = Names("Divide-1", "RealDiv Div", "DIV FLOOR_DIV", "Div-14")

    m_pythondiv = flag_prop(True)


@op_definition
class MaximumOp(BinaryOp):
    """
    `result = max(lhs, rhs)`

        %y = nn.maximum %a, %b : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    """

    name = "nn.maximum"
    NAMES: ClassVar = Names("Maximum-1", "Maximum", "MAXIMUM STABLEHLO_MAXIMUM", "Max-13")


@op_definition
class MinimumOp(BinaryOp):
    """
    `result = min(lhs, rhs)`

        %y = nn.minimum %a, %b : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    """

    name = "nn.minimum"
    NAMES: ClassVar = Names("Minimum-1", "Minimum", "MINIMUM STABLEHLO_MINIMUM", "Min-13")


@op_definition
class PowerOp(BinaryOp):
    """
    `result = lhs ** rhs`, of special numbers as C's `pow` has it; integers wrap around, and negative powers of
    them are truncated toward zero (0 of 0)

        %y = nn.power %a, %b : (tensor<2x4xf32>, tensor<f32>) -> tensor<2x4xf32>
    """

    name = "nn.power"
    NAMES: ClassVar = Names("Power-1", "Pow", "POW", "Pow-15")


@op_definition
class FloorModOp(BinaryOp):
    """
    `result = lhs - rhs * floor(lhs / rhs)`, exactly, rounded once: the sign is that of rhs (as of NumPy's `mod`).
    Of integers 0 where rhs is.

        %y = nn.floor_mod %a, %b : (tensor<4xi64>, tensor<i64>) -> tensor<4xi64>
    """

    name = "nn.floor_mod"
    NAMES: ClassVar = Names("FloorMod-1", "FloorMod", "FLOOR_MOD", "Mod-28")


@op_definition
class ModOp(BinaryOp):
    """
    What is left of `lhs / rhs` truncated, exactly, rounded once: the sign is that of lhs (as of C's `fmod`). Of
    integers 0 where rhs is.

        %y = nn.mod %a, %b : (tensor<4xi64>, tensor<i64>) -> tensor<4xi64>
    """

    name = "nn.mod"
    NAMES: ClassVar = Names("Mod-1", "Mod TruncateMod", "", "Mod-28")


class ToElementTypeOp(OfInputOp, ABC):
    """An operation whose result has the shape of its input, and elements of the `destination_type`."""

    result = result_def(TensorType)
    destination_type = prop_def(base(IntegerType) | AnyFloatConstr)

    traits = traits_def(Elementwise())

    assembly_format = "$input `to` $destination_type attr-dict `:` type($input) `->` type($result)"

    @property
    def element(self) -> Attribute:
        return self.destination_type

    def infer_shape(self, constants: Constants) -> Sequence[int]:
        return shape_of(self.input)


@op_definition
class ConvertOp(ToElementTypeOp):
    """
    `result = destination_type(input)`: to the nearest even between floating-point types, toward zero to integers.

    A float that is out of an integer type's range saturates, and NaN becomes 0. An integer keeps its low bits.

        %y = nn.convert %x to f32 : tensor<4xi8> -> tensor<4xf32>
    """

    name = "nn.convert"
    NAMES: ClassVar = Names("Convert-1", "Cast", "CAST", "Cast-28")


@op_definition
class BitcastOp(ToElementTypeOp):
    """
    The bits of floats (f32 or f64) as integers of the same width, or the reverse.

        %y = nn.bitcast %x to i32 : tensor<4xf32> -> tensor<4xi32>
    """

    name = "nn.bitcast"
    NAMES: ClassVar = Names("", "", "", "BitCast-26")

    def infer_shape(self, constants: Constants) -> Sequence[int]:
        source, target = tensor(self.input).element_type, self.destination_type
        real, whole = (target, source) if is_integer(source) else (source, target)
        if real not in (f32, f64) or not is_integer(whole) or bits_of(whole) != bits_of(real):
            raise self.op_error(
                f"takes f32 or f64 and integers of as many bits, not {source} and {target}"
            )
        return shape_of(self.input)
