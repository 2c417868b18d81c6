"""Unary functions, arithmetic and conversion."""

from __future__ import annotations

from collections.abc import Callable
from math import ceil, floor, inf

from xdsl.dialects import math
from xdsl.dialects.builtin import f64, i1
from xdsl.ir import Operation
from xdsl.utils.exceptions import DiagnosticException

from ...dialects import nn
from ...dialects.elements import bits_of, is_unsigned, limits_of
from ...dialects.inferred import label, tensor
from ..bodies import Body, Scalar
from ..compressed_weights import is_kept
from .rule import Lowered, binary, is_integer, map_kernel, rule, unary, uniform

Unary = Callable[[Body, Scalar], Scalar]
Binary = Callable[[Body, Scalar, Scalar], Scalar]

ARITHMETIC: dict[type[nn.BinaryOp], Binary] = {
    nn.AddOp: Body.add,
    nn.SubtractOp: Body.subtract,
    nn.MultiplyOp: Body.multiply,
}
CHOICES: dict[type[nn.BinaryOp], Binary] = {
    nn.MaximumOp: Body.maximum,
    nn.MinimumOp: Body.minimum,
}
FUNCTIONS: dict[type[nn.UnaryOp], Unary] = {
    nn.SigmoidOp: Body.sigmoid,
    nn.TanhOp: Body.tanh,
    nn.ExpOp: Body.exp,
    nn.LogOp: Body.log,
    nn.SqrtOp: Body.square_root,
    nn.ErfOp: Body.erf,
}
BY_NAME: dict[type[nn.UnaryOp], type[Operation]] = {
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
"""Functions that bodies have by the same name."""
WRAPPING: dict[type[nn.UnaryOp], Unary] = {
    nn.AbsOp: Body.absolute,
    nn.NegativeOp: Body.negative,
}
ROUNDING: dict[type[nn.UnaryOp], Unary] = {
    nn.FloorOp: Body.floor,
    nn.CeilingOp: Body.ceiling,
}


@rule(*ARITHMETIC)
def arithmetic(op: nn.BinaryOp) -> Lowered:
    return _arithmetic(op, ARITHMETIC[type(op)])


@rule(nn.DivideOp)
def divide(op: nn.DivideOp) -> Lowered:
    truncates = is_integer(tensor(op.result).element_type) and not op.m_pythondiv
    return _arithmetic(op, Body.quotient if truncates else Body.divide)


@rule(*CHOICES)
def choice(op: nn.BinaryOp) -> Lowered:
    return binary(op, CHOICES[type(op)])


@rule(*FUNCTIONS)
def function(op: nn.UnaryOp) -> Lowered:
    return unary(op, FUNCTIONS[type(op)])


@rule(*BY_NAME)
def function_by_name(op: nn.UnaryOp) -> Lowered:
    kind = BY_NAME[type(op)]
    return unary(op, lambda body, x: body.emit(kind.create(operands=[x], result_types=[x.type])))


def _arithmetic(op: nn.BinaryOp, compute: Binary) -> Lowered:
    """Integers wrap around at their own width."""
    element = tensor(op.result).element_type
    if element == i1:
        raise DiagnosticException(f"{label(op)}: truth values do not add up; convert them to i32")
    if not is_integer(element):
        return binary(op, compute)
    return binary(op, lambda body, x, y: body.wrap(compute(body, x, y), element))


@rule(nn.FloorModOp)
def floor_mod(op: nn.FloorModOp) -> Lowered:
    """`x - floor(x / y) y`; of integers 0 where y is 0."""

    def of_integers(body: Body, x: Scalar, y: Scalar) -> Scalar:
        rest = body.subtract(x, body.multiply(body.divide(x, y), y))
        zero = body.like(0, y)
        return body.select(body.compare("eq", y, zero), zero, rest)

    is_whole = is_integer(tensor(op.result).element_type)
    return _arithmetic(op, of_integers if is_whole else _float_mod)


REDUCTIONS = 6
"""Each takes 53 bits off a quotient; that of two f32 has at most 277."""


def _float_mod(body: Body, x: Scalar, y: Scalar) -> Scalar:
    """What C's `fmod` leaves, and y more where its sign is not that of y."""
    given = x.type
    rest, y = _remainder(body, x, y), body.convert(y, given, f64)
    zero, one = body.like(0, y), body.like(1, y)
    sign = body.select(body.greater(zero, y), body.negative(one), one)
    moved = body.select(body.greater(zero, body.multiply(rest, sign)), body.add(rest, y), rest)
    result = body.select(body.compare("eq", rest, zero), body.multiply(zero, sign), moved)
    return body.convert(result, f64, given)


def _remainder(body: Body, x: Scalar, y: Scalar) -> Scalar:
    """
    C's `fmod`, in f64 of any two numbers. In f64 itself quotients of more than 318 bits are too long.
    """
    given = x.type
    x, y = (body.convert(v, given, f64) for v in (x, y))
    zero, size = body.like(0, x), body.absolute(y)
    whole = body.absolute(x)
    rest = whole
    for _ in range(REDUCTIONS):
        # Exact: the quotient has no more bits than a number has, and what is left needs fewer.
        quotient = body.truncate(body.divide(rest, size))
        rest = body.fma(body.negative(quotient), size, rest)
    # A quotient may have been rounded to the next integer.
    rest = body.select(body.greater(zero, rest), body.add(rest, size), rest)
    rest = body.select(body.greater(size, whole), whole, rest)
    return body.select(body.greater(zero, x), body.negative(rest), rest)


@rule(nn.ModOp)
def mod(op: nn.ModOp) -> Lowered:
    """Of integers 0 where y is 0."""
    if is_integer(tensor(op.result).element_type):
        return _arithmetic(op, Body.remainder)

    def compute(body: Body, x: Scalar, y: Scalar) -> Scalar:
        return body.convert(_remainder(body, x, y), f64, x.type)

    return _arithmetic(op, compute)


@rule(nn.PowerOp)
def power(op: nn.PowerOp) -> Lowered:
    """A constant power that is a small whole number, or the half of one, needs no logarithm."""
    if is_integer(tensor(op.result).element_type):
        return _arithmetic(op, _whole_power)
    exponent = uniform(op.rhs)
    if exponent is None or abs(exponent) > MOST_FACTORS or not float(2 * exponent).is_integer():
        return _arithmetic(op, Body.power)

    def compute(body: Body, x: Scalar) -> Scalar:
        whole, half = divmod(abs(exponent), 1)
        one = body.like(1, x)
        root = _root(body, x) if half else one
        x = body.absolute(x) if half else x  # only its root says that there is none
        if exponent < 0:
            x, root = (body.divide(one, part) for part in (x, root))
        power = _repeated(body, x, int(whole))
        if power is None:
            return root
        return body.multiply(power, root) if half else power

    new = map_kernel(op, tensor(op.result), [op.lhs], compute)
    return Lowered(*new.results, ops=[new])


def _root(body: Body, x: Scalar) -> Scalar:
    """`x^0.5` as C's `pow` has it: 0 of -0, infinite of -∞."""
    infinity = body.like(inf, x)
    lowest = body.compare("eq", x, body.negative(infinity))
    x = body.add(body.select(lowest, infinity, x), body.like(0, x))
    return body.square_root(x)


MOST_FACTORS = 8
"""Of a power that is multiplied out."""


def _repeated(body: Body, x: Scalar, count: int) -> Scalar | None:
    """The product of `count` times x, by squaring."""
    result: Scalar | None = None
    while count:
        if count & 1:
            result = x if result is None else body.multiply(result, x)
        if count := count >> 1:
            x = body.multiply(x, x)
    return result


def _whole_power(body: Body, x: Scalar, y: Scalar) -> Scalar:
    """By squaring, bit by bit of y; of a negative y what is left of `1 / x^-y` toward zero."""
    zero, one = body.like(0, x), body.like(1, x)
    factor, result = x, one
    for bit in range(bits_of(x.type) - (not body.unsigned)):
        set = body.logic("and", y, body.like(1 << bit, y))
        chosen = body.multiply(result, factor)
        result = body.select(body.compare("ne", set, zero), chosen, result)
        factor = body.multiply(factor, factor)
    if body.unsigned:
        return result
    odd = body.compare("ne", body.logic("and", y, one), zero)
    alternating = body.select(odd, x, one)
    is_unit = body.logic("or", body.compare("eq", x, one), body.compare("eq", x, body.like(-1, x)))
    below = body.select(is_unit, alternating, zero)
    return body.select(body.greater(zero, y), below, result)


@rule(nn.ReluOp)
def relu(op: nn.ReluOp) -> Lowered:
    return unary(op, lambda body, x: body.at_least(x, body.like(0, x)))


@rule(nn.ClampOp)
def clamp(op: nn.ClampOp) -> Lowered:
    """Integers are limited to the integers between the limits, of those that their type has."""
    low, high = op.min.value.data, op.max.value.data
    element = tensor(op.result).element_type
    if is_integer(element):
        least, most = limits_of(element)
        low, high = ceil(max(low, least)), floor(min(high, most))
    return unary(op, lambda body, x: body.clamp(x, low, high))


@rule(nn.ConvertOp)
def convert(op: nn.ConvertOp) -> Lowered:
    if is_kept(op):
        return Lowered(op.input)
    source, target = tensor(op.input).element_type, op.destination_type

    return unary(op, lambda body, x: body.convert(x, source, target))


@rule(*WRAPPING)
def wrapping(op: nn.UnaryOp) -> Lowered:
    """Integers wrap around at their own width; unsigned ones have no sign to lose."""
    compute = WRAPPING[type(op)]
    element = tensor(op.result).element_type
    if not is_integer(element):
        return unary(op, compute)
    if is_unsigned(element) and isinstance(op, nn.AbsOp):
        return unary(op, lambda body, x: x)
    return unary(op, lambda body, x: body.wrap(compute(body, x), element))


@rule(*ROUNDING)
def rounding(op: nn.UnaryOp) -> Lowered:
    return _rounding(op, ROUNDING[type(op)])


@rule(nn.RoundOp)
def round_(op: nn.RoundOp) -> Lowered:
    if op.mode.data == "half_to_even":
        return _rounding(op, Body.round_even)

    def away(body: Body, x: Scalar) -> Scalar:
        whole = body.truncate(x)
        fraction = body.absolute(body.subtract(x, whole))
        unit = body.select(body.greater(body.like(0, x), x), body.like(-1, x), body.like(1, x))
        rounds = body.compare("ge", fraction, body.like(0.5, x))
        return body.select(rounds, body.add(whole, unit), whole)

    return _rounding(op, away)


def _rounding(op: nn.UnaryOp, compute: Unary) -> Lowered:
    """Integers stay as they are."""
    whole = is_integer(tensor(op.result).element_type)
    return unary(op, (lambda body, x: x) if whole else compute)


@rule(nn.SignOp)
def sign(op: nn.SignOp) -> Lowered:

    def compute(body: Body, x: Scalar) -> Scalar:
        zero = body.like(0, x)
        below = body.select(body.greater(zero, x), body.like(-1, x), x)
        return body.select(body.greater(x, zero), body.like(1, x), below)

    return unary(op, compute)
