"""`nn.erf_inv`: the inverse of the error function."""

from __future__ import annotations

import math
from collections.abc import Sequence
from math import nan, pi, sqrt
from typing import ClassVar

from xdsl.dialects.builtin import Float64Type
from xdsl.ir import SSAValue

from ..names import Names
from ..operation import op_definition
from .derived import DerivedOp
from .elementwise import FloatingOp
from .expression import Expression
from .functions import ErfOp
from .writer import Writer

MIDDLE = (
    2.81022636e-08,
    3.43273939e-07,
    -3.5233877e-06,
    -4.39150654e-06,
    0.00021858087,
    -0.00125372503,
    -0.00417768164,
    0.246640727,
    1.50140941,
)
TAIL = (
    -0.000200214257,
    0.000100950558,
    0.00134934322,
    -0.00367342844,
    0.00573950773,
    -0.0076224613,
    0.00943887047,
    1.00167406,
    2.83297682,
)
"""Of Giles, "Approximating the erfinv function" (2011), in single precision, highest power first."""

STEPS = 2
"""Steps of Newton that take those to double precision: each doubles the digits."""


@op_definition
class ErfInvOp(FloatingOp, DerivedOp):
    """The number whose error function (`nn.erf`) is the input: infinite at -1 and 1, NaN beyond."""

    name = "nn.erf_inv"
    NAMES: ClassVar = Names("ErfInv-17", "Erfinv")

    def decompose(self, write: Writer) -> SSAValue:
        x = Expression(write, self.input)
        size = x.magnitude()
        inside = (size < 1).where(x, 0)
        w = 0 - ((1 - inside) * (inside + 1)).log()
        result = inside * (w < 5).where(
            _polynomial(MIDDLE, w - 2.5), _polynomial(TAIL, w.root() - 3)
        )
        if isinstance(x.element, Float64Type):
            for _ in range(STEPS):
                off = x.on(write(ErfOp, result.value)) - inside
                result = result - off * (result * result).exp() * (sqrt(pi) / 2)
        border = size.equals(1).where(x * math.inf, nan)
        return (size < 1).where(result, border).value


def _polynomial(coefficients: Sequence[float], x: Expression) -> Expression:
    """The value of a polynomial, by Horner's rule."""
    first, second, *others = coefficients
    result = x * first + second
    for each in others:
        result = result * x + each
    return result
