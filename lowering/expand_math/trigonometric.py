"""
Sine, cosine and tangent by the series of the first two between ±π/4, and the arc tangent by its series below
`tan π/8`, to which the other arcs lead.
"""

from __future__ import annotations

from math import factorial, pi, tan

from xdsl.dialects.builtin import f64

from ..kernel_bodies.bodies import Scalar, select
from .circle import Angle, where_finite
from .polynomial import horner
from .sign import with_sign

HALF_PI_REST = 6.123233995736766e-17
"""What double precision lacks of π / 2."""


def _terms(x: Scalar, narrow: int, wide: int) -> int:
    """How many terms of a series its type needs."""
    return wide if x.type == f64 else narrow


def _sine(x: Scalar) -> Scalar:
    """Where |x| is at most π/4."""
    square = x * x
    count = _terms(x, 4, 8)
    series = [(-1) ** k / factorial(2 * k + 1) for k in range(count, 0, -1)]
    return horner(square, series).fma(square * x, x)


def _cosine(x: Scalar) -> Scalar:
    square = x * x
    count = _terms(x, 5, 9)
    series = [(-1) ** k / factorial(2 * k) for k in range(count, -1, -1)]
    return horner(square, series)


def _bit(x: Scalar, bit: int) -> Scalar:
    return (x & bit).compare("ne", 0)


def _wave(x: Scalar, ahead: int) -> Scalar:
    """The sine so many quadrants ahead."""
    angle = Angle.of(x)
    quadrant = angle.quadrant + ahead
    sine, cosine = _sine(angle.rest), _cosine(angle.rest)
    value = select(_bit(quadrant, 1), cosine, sine)
    value = select(_bit(quadrant, 2), -value, value)
    return where_finite(x, value)


def expand_sin(x: Scalar) -> Scalar:
    """The sine."""
    return _wave(x, 0)


def expand_cos(x: Scalar) -> Scalar:
    """The cosine, which is one quadrant ahead."""
    return _wave(x, 1)


def expand_tan(x: Scalar) -> Scalar:
    """The tangent, `sine / cosine`; in odd quadrants `-cosine / sine`."""
    angle = Angle.of(x)
    sine, cosine = _sine(angle.rest), _cosine(angle.rest)
    odd = _bit(angle.quadrant, 1)
    above = select(odd, -cosine, sine)
    return where_finite(x, above / select(odd, sine, cosine))


def _arc(x: Scalar) -> Scalar:
    """
    The arc tangent: `π/2 - atan(1 / x)` above `tan 3π/8`, `π/4 + atan((x - 1) / (x + 1))` above `tan π/8`.
    """
    size = abs(x)
    middle = size > tan(pi / 8)
    far = size > tan(3 * pi / 8)
    above = select(far, -1, size - 1)
    below = select(far, size, size + 1)
    t = select(middle, above / below, size)
    square = t * t
    count = _terms(x, 9, 21)
    series = horner(square, [(-1) ** k / (2 * k + 1) for k in range(count, 0, -1)])
    near = series * square * t

    def share(of_far: float) -> Scalar:
        """Of what the arc is moved by."""
        return select(middle, select(far, x.number(of_far), of_far / 2), 0)

    rest = share(_rest_of_half_pi(x))
    return with_sign(share(pi / 2) + (t + (near + rest)), x)


def _rest_of_half_pi(x: Scalar) -> float:
    """What the type lacks of π/2."""
    return HALF_PI_REST if x.type == f64 else -4.371139000186241e-08


def expand_atan(x: Scalar) -> Scalar:
    """The arc tangent."""
    return _arc(x)


def expand_asin(x: Scalar) -> Scalar:
    """`asin x = atan(x / √((1 - x) (1 + x)))`"""
    return _arc(x / ((1 - x) * (1 + x)).square_root())


def expand_acos(x: Scalar) -> Scalar:
    """`acos x = 2 atan √((1 - x) / (1 + x))`"""
    half = _arc(((1 - x) / (1 + x)).square_root())
    return half + half
