"""Trigonometric and hyperbolic functions and their inverses, in floating point."""

from __future__ import annotations

from typing import ClassVar

from xdsl.irdl import irdl_op_definition

from ..names import Names
from .functions import FloatingOp


@irdl_op_definition
class SinOp(FloatingOp):
    """
    `result = sin(input)`, of an angle in radians of any size.

        %y = nn.sin %x : tensor<4xf32>
    """

    name = "nn.sin"
    NAMES: ClassVar = Names("Sin-1", "Sin", "SIN", "Sin-22")


@irdl_op_definition
class CosOp(FloatingOp):
    """
    `result = cos(input)`, of an angle in radians of any size.

        %y = nn.cos %x : tensor<4xf32>
    """

    name = "nn.cos"
    NAMES: ClassVar = Names("Cos-1", "Cos", "COS", "Cos-22")


@irdl_op_definition
class TanOp(FloatingOp):
    """
    `result = tan(input)`, of an angle in radians of any size.

        %y = nn.tan %x : tensor<4xf32>
    """

    name = "nn.tan"
    NAMES: ClassVar = Names("Tan-1", "Tan", "", "Tan-22")


@irdl_op_definition
class AsinOp(FloatingOp):
    """
    `result = asin(input)`, between ±π/2; NaN where the input is beyond ±1.

        %y = nn.asin %x : tensor<4xf32>
    """

    name = "nn.asin"
    NAMES: ClassVar = Names("Asin-1", "Asin", "", "Asin-22")


@irdl_op_definition
class AcosOp(FloatingOp):
    """
    `result = acos(input)`, between 0 and π; NaN where the input is beyond ±1.

        %y = nn.acos %x : tensor<4xf32>
    """

    name = "nn.acos"
    NAMES: ClassVar = Names("Acos-1", "Acos", "", "Acos-22")


@irdl_op_definition
class AtanOp(FloatingOp):
    """
    `result = atan(input)`, between ±π/2.

        %y = nn.atan %x : tensor<4xf32>
    """

    name = "nn.atan"
    NAMES: ClassVar = Names("Atan-1", "Atan", "", "Atan-22")


@irdl_op_definition
class SinhOp(FloatingOp):
    """
    `result = (exp(input) - exp(-input)) / 2`

        %y = nn.sinh %x : tensor<4xf32>
    """

    name = "nn.sinh"
    NAMES: ClassVar = Names("Sinh-1", "Sinh", "", "Sinh-22")


@irdl_op_definition
class CoshOp(FloatingOp):
    """
    `result = (exp(input) + exp(-input)) / 2`

        %y = nn.cosh %x : tensor<4xf32>
    """

    name = "nn.cosh"
    NAMES: ClassVar = Names("Cosh-1", "Cosh", "", "Cosh-22")


@irdl_op_definition
class AsinhOp(FloatingOp):
    """
    `result = ln(input + √(input² + 1))`

        %y = nn.asinh %x : tensor<4xf32>
    """

    name = "nn.asinh"
    NAMES: ClassVar = Names("Asinh-4", "Asinh", "", "Asinh-22")


@irdl_op_definition
class AcoshOp(FloatingOp):
    """
    `result = ln(input + √(input² - 1))`; NaN where the input is below 1.

        %y = nn.acosh %x : tensor<4xf32>
    """

    name = "nn.acosh"
    NAMES: ClassVar = Names("Acosh-4", "Acosh", "", "Acosh-22")


@irdl_op_definition
class AtanhOp(FloatingOp):
    """
    `result = ln((1 + input) / (1 - input)) / 2`; NaN where the input is beyond ±1.

        %y = nn.atanh %x : tensor<4xf32>
    """

    name = "nn.atanh"
    NAMES: ClassVar = Names("Atanh-4", "Atanh", "", "Atanh-22")
