"""Range (interval) analysis of a body's scalars, and which of them are quantized when they are stored."""

from __future__ import annotations

import math

from xdsl.dialects import arith
from xdsl.dialects import math as math_dialect
from xdsl.dialects.builtin import Float32Type, FloatAttr, IntegerAttr, IntegerType
from xdsl.ir import Attribute, SSAValue

from ...dialects.elements import limits_of
from ..bodies import Clamp

Interval = tuple[float, float]


def _number_limit(value: SSAValue) -> tuple[Clamp, float] | None:
    """A limit by a number that is known, and the number."""
    limit = Clamp.of(value)
    number = None if limit is None else _number(limit.bound)
    return None if limit is None or number is None else (limit, number)


def _number(value: SSAValue) -> float | None:
    op = value.owner
    if isinstance(op, arith.ConstantOp) and isinstance(op.value, FloatAttr | IntegerAttr):
        return op.value.value.data
    return None


def float_range(value: SSAValue) -> Interval:
    """Between which numbers a floating-point scalar lies unless it is NaN."""
    if (found := _number_limit(value)) is not None:
        limit, number = found
        low, high = float_range(limit.x)
        bound = max if limit.is_lower else min
        return bound(low, number), bound(high, number)
    match value.owner:
        case math_dialect.RoundEvenOp(operands=(x,)):
            low, high = float_range(x)
            return (
                low if math.isinf(low) else math.floor(low),
                high if math.isinf(high) else math.ceil(high),
            )
        case arith.ConstantOp() if (number := _number(value)) is not None and number == number:
            return number, number
        case _:
            return -math.inf, math.inf


def integer_range(value: SSAValue) -> Interval:
    """Between which numbers an integer scalar lies."""
    lowest, highest = limits_of(value.type)
    match value.owner:
        case arith.FPToSIOp(input=x):
            low, high = float_range(x)  # and 0 for NaN
            return max(lowest, min(low, 0)), min(highest, max(high, 0))
        case arith.MaxSIOp(lhs=x, rhs=y):
            (a, b), (c, d) = integer_range(x), integer_range(y)
            return max(a, c), max(b, d)
        case arith.MinSIOp(lhs=x, rhs=y):
            (a, b), (c, d) = integer_range(x), integer_range(y)
            return min(a, c), min(b, d)
        case arith.ConstantOp() if (number := _number(value)) is not None:
            return number, number
        case _:
            return lowest, highest


def rounded_to(value: SSAValue, element: Attribute) -> SSAValue | None:
    """
    The f32 scalar x if storing `value` to this integer type is storing the nearest code of x: rounded to even,
    limited to the codes there are, 0 where x is NaN.
    """
    convert = value.owner
    is_code = isinstance(element, IntegerType)
    if not isinstance(convert, arith.FPToSIOp) or not is_code:
        return None
    lowest, highest = limits_of(element)
    x, is_rounded = convert.input, False
    if not isinstance(x.type, Float32Type):
        return None
    while True:
        found = _number_limit(x)
        if found is not None and (found[1] <= lowest if found[0].is_lower else found[1] >= highest):
            # A limit that storing has as well, or whose place before the rounding makes no difference.
            x = found[0].x
        elif isinstance(x.owner, math_dialect.RoundEvenOp):
            x, is_rounded = x.owner.operands[0], True
        else:
            return x if is_rounded else None
