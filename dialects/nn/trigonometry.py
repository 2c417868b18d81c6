"""Trigonometric and hyperbolic functions and their inverses, in floating point."""

from __future__ import annotations

from ..names import Names
from .elementwise import FloatingOp
from .family import member

SinOp = member(
    FloatingOp,
    "sin",
    "`result = sin(input)`, of an angle in radians of any size.",
    Names("Sin-1", "Sin", "SIN", "Sin-22"),
)
CosOp = member(
    FloatingOp,
    "cos",
    "`result = cos(input)`, of an angle in radians of any size.",
    Names("Cos-1", "Cos", "COS", "Cos-22"),
)
TanOp = member(
    FloatingOp,
    "tan",
    "`result = tan(input)`, of an angle in radians of any size.",
    Names("Tan-1", "Tan", "", "Tan-22"),
)
AsinOp = member(
    FloatingOp,
    "asin",
    "`result = asin(input)`, between ±π/2; NaN where the input is beyond ±1.",
    Names("Asin-1", "Asin", "", "Asin-22"),
)
AcosOp = member(
    FloatingOp,
    "acos",
    "`result = acos(input)`, between 0 and π; NaN where the input is beyond ±1.",
    Names("Acos-1", "Acos", "", "Acos-22"),
)
AtanOp = member(
    FloatingOp,
    "atan",
    "`result = atan(input)`, between ±π/2.",
    Names("Atan-1", "Atan", "", "Atan-22"),
)
SinhOp = member(
    FloatingOp,
    "sinh",
    "`result = (exp(input) - exp(-input)) / 2`",
    Names("Sinh-1", "Sinh", "", "Sinh-22"),
)
CoshOp = member(
    FloatingOp,
    "cosh",
    "`result = (exp(input) + exp(-input)) / 2`",
    Names("Cosh-1", "Cosh", "", "Cosh-22"),
)
AsinhOp = member(
    FloatingOp,
    "asinh",
    "`result = ln(input + √(input² + 1))`",
    Names("Asinh-4", "Asinh", "", "Asinh-22"),
)
AcoshOp = member(
    FloatingOp,
    "acosh",
    "`result = ln(input + √(input² - 1))`; NaN where the input is below 1.",
    Names("Acosh-4", "Acosh", "", "Acosh-22"),
)
AtanhOp = member(
    FloatingOp,
    "atanh",
    "`result = ln((1 + input) / (1 - input)) / 2`; NaN where the input is beyond ±1.",
    Names("Atanh-4", "Atanh", "", "Atanh-22"),
)
