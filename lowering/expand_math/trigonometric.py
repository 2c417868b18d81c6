"""
Sine, cosine and tangent by the series of the first two between ±π/4, and the arc tangent by its series below
`tan π/8`, to which the other arcs lead.
"""

from __future__ import annotations

from math import factorial, pi, tan

from xdsl.dialects import math
from xdsl.dialects.builtin import f64

from ..bodies import Body, Scalar
from .circle import Angle, where_finite
from .polynomial import horner
from .sign import with_sign

HALF_PI_REST = 6.123233995736766e-17
"""What double precision lacks of π / 2."""


def _terms(x: Scalar, narrow: int, wide: int) -> int:
    """How many terms of a series its type needs."""
    return wide if x.type == f64 else narrow


def _sine(body: Body, x: Scalar) -> Scalar:
    """Where |x| is at most π/4."""
    square = body.multiply(x, x)
    count = _terms(x, 4, 8)
    series = [(-1) ** k / factorial(2 * k + 1) for k in range(count, 0, -1)]
    return body.fma(horner(body, square, series), body.multiply(square, x), x)


def _cosine(body: Body, x: Scalar) -> Scalar:
    square = body.multiply(x, x)
    count = _terms(x, 5, 9)
    series = [(-1) ** k / factorial(2 * k) for k in range(count, -1, -1)]
    return horner(body, square, series)


def _bit(body: Body, x: Scalar, bit: int) -> Scalar:
    return body.compare("ne", body.logic("and", x, body.like(bit, x)), body.like(0, x))


def _wave(body: Body, x: Scalar, ahead: int) -> Scalar:
    """The sine so many quadrants ahead."""
    angle = Angle.of(body, x)
    quadrant = body.add(angle.quadrant, body.like(ahead, angle.quadrant))
    sine, cosine = _sine(body, angle.rest), _cosine(body, angle.rest)
    value = body.select(_bit(body, quadrant, 1), cosine, sine)
    value = body.select(_bit(body, quadrant, 2), body.negative(value), value)
    return where_finite(body, x, value)


def expand_sin(body: Body, op: math.SinOp) -> Scalar:
    """The sine."""
    return _wave(body, op.operand, 0)


def expand_cos(body: Body, op: math.CosOp) -> Scalar:
    """The cosine, which is one quadrant ahead."""
    return _wave(body, op.operand, 1)


def expand_tan(body: Body, op: math.TanOp) -> Scalar:
    """The tangent, `sine / cosine`; in odd quadrants `-cosine / sine`."""
    x = op.operand
    angle = Angle.of(body, x)
    sine, cosine = _sine(body, angle.rest), _cosine(body, angle.rest)
    odd = _bit(body, angle.quadrant, 1)
    above = body.select(odd, body.negative(cosine), sine)
    return where_finite(body, x, body.divide(above, body.select(odd, sine, cosine)))


def _arc(body: Body, x: Scalar) -> Scalar:
    """
    The arc tangent: `π/2 - atan(1 / x)` above `tan 3π/8`, `π/4 + atan((x - 1) / (x + 1))` above `tan π/8`.
    """
    size, zero, one = body.absolute(x), body.like(0, x), body.like(1, x)
    middle = body.greater(size, body.like(tan(pi / 8), x))
    far = body.greater(size, body.like(tan(3 * pi / 8), x))
    above = body.select(far, body.negative(one), body.subtract(size, one))
    below = body.select(far, size, body.add(size, one))
    t = body.select(middle, body.divide(above, below), size)
    square = body.multiply(t, t)
    count = _terms(x, 9, 21)
    series = horner(body, square, [(-1) ** k / (2 * k + 1) for k in range(count, 0, -1)])
    near = body.multiply(body.multiply(series, square), t)

    def share(of_far: float) -> Scalar:
        """Of what the arc is moved by."""
        choice = body.select(far, body.like(of_far, x), body.like(of_far / 2, x))
        return body.select(middle, choice, zero)

    rest = share(_rest_of_half_pi(x))
    return with_sign(body, body.add(share(pi / 2), body.add(t, body.add(near, rest))), x)


def _rest_of_half_pi(x: Scalar) -> float:
    """What the type lacks of π/2."""
    return HALF_PI_REST if x.type == f64 else -4.371139000186241e-08


def expand_atan(body: Body, op: math.AtanOp) -> Scalar:
    """The arc tangent."""
    return _arc(body, op.operand)


def expand_asin(body: Body, op: math.AsinOp) -> Scalar:
    """`asin x = atan(x / √((1 - x) (1 + x)))`"""
    x, one = op.operand, body.like(1, op.operand)
    product = body.multiply(body.subtract(one, x), body.add(one, x))
    return _arc(body, body.divide(x, body.square_root(product)))


def expand_acos(body: Body, op: math.AcosOp) -> Scalar:
    """`acos x = 2 atan √((1 - x) / (1 + x))`"""
    x, one = op.operand, body.like(1, op.operand)
    ratio = body.divide(body.subtract(one, x), body.add(one, x))
    half = _arc(body, body.square_root(ratio))
    return body.add(half, half)
