"""
`erf(x) = ±(1 - exp(-x²) R(|x|))`, where R, the scaled complement, is `P(t) / (1 + 2 |x|)` with
`t = (|x| - 3.75) / (|x| + 3.75)`.

Below 1/2, where nothing of a small erf may be lost, it is the Taylor series
`2/√π Σ (-1)ⁿ x²ⁿ⁺¹ / (n! (2n + 1))`. The complement, `exp(-x²) R(|x|)`, is right to its last bits however small it
is. Coefficients: fits of Chebyshev polynomials to R over all |x|, 5e-9 off
at most in f32 and 1e-15 in f64.
"""

from __future__ import annotations

from math import factorial, pi, sqrt

from xdsl.dialects import math
from xdsl.dialects.builtin import f64

from ...dialects import kernel
from ..bodies import Body, Scalar
from .exponential import exp
from .polynomial import horner

MIDDLE = 3.75
LAST_F32, LAST_F64 = 10.5, 27.5
"""From where on the complement is 0."""
P_F32 = (
    2.2046719132e-05,
    -2.2411674668e-04,
    3.3016745562e-04,
    1.6759122178e-03,
    -9.7700871827e-03,
    2.8409252364e-02,
    -5.8685440494e-02,
    9.2290769591e-02,
    -1.0880522755e-01,
    8.2278419983e-02,
    3.5854953141e-03,
    -1.4024065832e-01,
    1.2375126300e00,
)
"""Coefficients of P in f32, the highest power first."""
P_F64 = (
    -2.45932706132620106e-09,
    -1.91358182442230997e-09,
    3.11046188235497167e-08,
    1.85862640112218564e-08,
    -2.46553962231263519e-07,
    -5.04143859069395221e-08,
    1.73935125647518127e-06,
    -9.79767218204668159e-07,
    -1.14359148126185289e-05,
    2.23879267952697481e-05,
    5.16454162721728506e-05,
    -2.90155514369449218e-04,
    2.93714752408932725e-04,
    1.75562621013570521e-03,
    -9.74657976198082220e-03,
    2.83622773647767314e-02,
    -5.86933985669951877e-02,
    9.23043211649135914e-02,
    -1.08803930143041336e-01,
    8.22767384899722454e-02,
    3.58541548549225209e-03,
    -1.40240598585545273e-01,
    1.23751263083782792e00,
)
"""The same in f64."""


SMALL = 0.5
"""Below, erf is its Taylor series."""
TERMS_F32, TERMS_F64 = 7, 13
"""Terms of the series whose next one is less than a quarter of the last bit."""


def expand_erf(body: Body, op: math.ErfOp) -> Scalar:
    """The error function."""
    x = op.operand
    size = body.absolute(x)
    large = body.subtract(body.like(1, x), _tail(body, size))
    large = body.select(body.greater(body.like(0, x), x), body.negative(large), large)
    near = body.at_most(size, body.like(SMALL, x))  # so that no power overflows
    series = horner(
        body, body.multiply(near, near), _series(TERMS_F64 if x.type == f64 else TERMS_F32)
    )
    return body.select(body.greater(body.like(SMALL, x), size), body.multiply(x, series), large)


def _series(terms: int) -> list[float]:
    """The coefficients of `erf(x) / x` in powers of x², the highest first."""
    signed = ((-1) ** n / (factorial(n) * (2 * n + 1)) for n in range(terms))
    return [2 / sqrt(pi) * coefficient for coefficient in signed][::-1]


def expand_erfc(body: Body, op: kernel.ErfcOp) -> Scalar:
    """Its complement."""
    x = op.x
    tail = _tail(body, body.absolute(x))
    return body.select(body.greater(body.like(0, x), x), body.subtract(body.like(2, x), tail), tail)


def _tail(body: Body, x: Scalar) -> Scalar:
    """`1 - erf(x)` of an x that is not negative."""
    wide = x.type == f64
    x = body.at_most(x, body.like(LAST_F64 if wide else LAST_F32, x))
    middle, one = body.like(MIDDLE, x), body.like(1, x)
    t = body.divide(body.subtract(x, middle), body.add(x, middle))
    scaled = horner(body, t, P_F64 if wide else P_F32)
    scaled = body.divide(scaled, body.fma(x, body.like(2, x), one))
    minus = body.negative(x)
    square = body.multiply(minus, x)
    rest = body.fma(minus, x, body.negative(square))  # what rounding took of the square
    tail = body.multiply(exp(body, square), scaled)
    return body.fma(tail, rest, tail)
