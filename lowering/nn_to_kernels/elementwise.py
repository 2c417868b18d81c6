"""Unary functions, arithmetic and conversion."""

from __future__ import annotations

import operator
from collections.abc import Callable
from math import ceil, floor, inf

from xdsl.dialects import math
from xdsl.dialects.builtin import i1
from xdsl.ir import Operation, SSAValue
from xdsl.utils.exceptions import DiagnosticException

from ...dialects import kernel, nn
from ...dialects.elements import is_unsigned, limits_of
from ...dialects.inferred import label, tensor
from ...dialects.kernel import body_type
from ..kernel_bodies.bodies import Scalar, same, select
from .rule import is_integer, kernel_rule, uniform
from .writer import KernelWriter

Unary = Callable[[Scalar], Scalar]
Binary = Callable[[Scalar, Scalar], Scalar]

ARITHMETIC: dict[type[nn.BinaryOp], Binary] = {
    nn.AddOp: operator.add,
    nn.SubtractOp: operator.sub,
    nn.MultiplyOp: operator.mul,
}
CHOICES: dict[type[nn.BinaryOp], Binary] = {
    nn.MaximumOp: Scalar.maximum,
    nn.MinimumOp: Scalar.minimum,
}
FUNCTIONS: dict[type[nn.UnaryOp], type[Operation]] = {
    nn.SigmoidOp: kernel.SigmoidOp,
    nn.TanhOp: math.TanhOp,
    nn.ExpOp: math.ExpOp,
    nn.LogOp: math.LogOp,
    nn.SqrtOp: math.SqrtOp,
    nn.ErfOp: math.ErfOp,
    nn.SinOp: math.SinOp,
    nn.CosOp: math.CosOp,
    nn.TanOp: math.TanOp,
    nn.AsinOp: math.AsinOp,
    nn.AcosOp: math.AcosOp,
    nn.AtanOp: math.AtanOp,
    nn.SinhOp: math.SinhOp,
    nn.CoshOp: math.CoshOp,
    nn.AsinhOp: math.AsinhOp,
    nn.AcoshOp: math.AcoshOp,
    nn.AtanhOp: math.AtanhOp,
}
WRAPPING: dict[type[nn.UnaryOp], Unary] = {
    nn.AbsOp: abs,
    nn.NegativeOp: operator.neg,
}
ROUNDING: dict[type[nn.UnaryOp], type[Operation]] = {
    nn.FloorOp: math.FloorOp,
    nn.CeilingOp: math.CeilOp,
}


@kernel_rule(*ARITHMETIC)
def arithmetic(op: nn.BinaryOp, write: KernelWriter) -> SSAValue:
    return arithmetic_of(op, write, ARITHMETIC[type(op)])


@kernel_rule(*CHOICES)
def choice(op: nn.BinaryOp, write: KernelWriter) -> SSAValue:
    return write.elementwise(CHOICES[type(op)])


@kernel_rule(*FUNCTIONS)
def function(op: nn.UnaryOp, write: KernelWriter) -> SSAValue:
    return write.elementwise(lambda x: x.apply(FUNCTIONS[type(op)]))


def arithmetic_of(op: nn.BinaryOp, write: KernelWriter, compute: Binary) -> SSAValue:
    """Integers wrap around at their own width."""
    element = tensor(op.result).element_type
    if element == i1:
        raise DiagnosticException(f"{label(op)}: booleans do not add up; convert them to i32")
    if not is_integer(element):
        return write.elementwise(compute)
    return write.elementwise(lambda x, y: compute(x, y).wrap(element))


@kernel_rule(nn.PowerOp)
def power(op: nn.PowerOp, write: KernelWriter) -> SSAValue:
    """A constant power that is a small whole number, or the half or a quarter of one, needs no logarithm."""
    if is_integer(tensor(op.result).element_type):
        return arithmetic_of(op, write, _whole_power)
    exponent = uniform(op.rhs)
    if exponent is None or abs(exponent) > MOST_FACTORS or not float(4 * exponent).is_integer():
        return arithmetic_of(op, write, lambda x, y: x.apply(math.PowFOp, y))

    def compute(x: Scalar) -> Scalar:
        whole, quarters = divmod(int(4 * abs(exponent)), 4)
        root = _root(x, quarters) if quarters else x.number(1)
        x = abs(x) if quarters else x  # only its root says that there is none
        if exponent < 0:
            x, root = (1 / part for part in (x, root))
        power = _repeated(x, whole)
        if power is None:
            return root
        return power * root if quarters else power

    return write.map(tensor(op.result), [op.lhs], compute)


def _root(x: Scalar, quarters: int) -> Scalar:
    """`x^(quarters / 4)` as C's `pow` has it: 0 of -0, infinite of -∞."""
    half = (select(x.equals(-inf), inf, x) + 0).square_root()
    quarter = half if quarters == 2 else half.square_root()
    return half * quarter if quarters == 3 else quarter


MOST_FACTORS = 8
"""Of a power that is multiplied out."""


def _repeated(x: Scalar, count: int) -> Scalar | None:
    """The product of `count` times x, by squaring."""
    result: Scalar | None = None
    while count:
        if count & 1:
            result = x if result is None else result * x
        if count := count >> 1:
            x = x * x
    return result


def _whole_power(x: Scalar, y: Scalar) -> Scalar:
    """Of a negative y what is left of `1 / x^-y` toward zero."""
    if x.body.unsigned:
        return x.apply(kernel.IntegerPowerOp, y)
    alternating = select((y & 1).compare("ne", 0), x, 1)
    below = select(x.equals(1) | x.equals(-1), alternating, 0)
    return select(y < 0, below, x.apply(kernel.IntegerPowerOp, y.at_least(0)))


@kernel_rule(nn.ReluOp)
def relu(op: nn.ReluOp, write: KernelWriter) -> SSAValue:
    return write.elementwise(lambda x: x.at_least(0))


@kernel_rule(nn.ClampOp)
def clamp(op: nn.ClampOp, write: KernelWriter) -> SSAValue:
    """Integers are limited to the integers between the limits, of those that their type has."""
    low, high = op.limits
    element = tensor(op.result).element_type
    if is_integer(element):
        least, most = limits_of(element)
        low, high = ceil(max(low, least)), floor(min(high, most))
    return write.elementwise(lambda x: x.clamp(low, high))


@kernel_rule(nn.ConvertOp)
def convert(op: nn.ConvertOp, write: KernelWriter) -> SSAValue:
    source, target = tensor(op.input).element_type, op.destination_type

    return write.elementwise(lambda x: x.convert(source, target))


@kernel_rule(nn.BitcastOp)
def bitcast(op: nn.BitcastOp, write: KernelWriter) -> SSAValue:
    target = body_type(op.destination_type)
    return write.elementwise(lambda x: x.bitcast(target))


@kernel_rule(*WRAPPING)
def wrapping(op: nn.UnaryOp, write: KernelWriter) -> SSAValue:
    """Integers wrap around at their own width; unsigned ones have no sign to lose."""
    compute = WRAPPING[type(op)]
    element = tensor(op.result).element_type
    if not is_integer(element):
        return write.elementwise(compute)
    if is_unsigned(element) and type(op) is nn.AbsOp:
        return write.elementwise(same)
    return write.elementwise(lambda x: compute(x).wrap(element))


@kernel_rule(*ROUNDING)
def rounding(op: nn.UnaryOp, write: KernelWriter) -> SSAValue:
    return _rounding(op, write, lambda x: x.apply(ROUNDING[type(op)]))


@kernel_rule(nn.RoundOp)
def round_(op: nn.RoundOp, write: KernelWriter) -> SSAValue:
    if op.mode.data == "half_to_even":
        return _rounding(op, write, Scalar.round_even)

    def away(x: Scalar) -> Scalar:
        whole = x.truncate()
        unit = select(x < 0, x.number(-1), 1)
        return select(abs(x - whole) >= 0.5, whole + unit, whole)

    return _rounding(op, write, away)


def _rounding(op: nn.UnaryOp, write: KernelWriter, compute: Unary) -> SSAValue:
    """Integers stay as they are."""
    whole = is_integer(tensor(op.result).element_type)
    return write.elementwise(same if whole else compute)


@kernel_rule(nn.SignOp)
def sign(op: nn.UnaryOp, write: KernelWriter) -> SSAValue:
    return write.elementwise(lambda x: select(x > 0, 1, select(x < 0, -1, x)))
