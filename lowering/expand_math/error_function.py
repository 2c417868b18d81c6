"""
`erf(x) = ±(1 - exp(-x²) R(|x|))`, where R, the scaled complement, is `P(t) / (1 + 2 |x|)` with
`t = (|x| - 3.75) / (|x| + 3.75)`.

Below 1/2, where nothing of a small erf may be lost, it is the Taylor series
`2/√π Σ (-1)ⁿ x²ⁿ⁺¹ / (n! (2n + 1))`. The complement, `exp(-x²) R(|x|)`, is right to its last bits however small it
is. Coefficients: fits of Chebyshev polynomials to R over all |x|, 5e-9 off
at most in f32 and 1e-15 in f64.

In f32, erf needs no division: `x + x S(x²)` where |x| is small, else `±(1 - exp(-L(|x|)))`. Polynomials S and L are
minimax fits, less than 2e-8 off.
"""

from __future__ import annotations

from math import factorial, pi, sqrt

from xdsl.dialects.builtin import f64

from ..kernel_bodies.bodies import Scalar, select
from .exponential import exp, exp_of_negative
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


SMALL_F32, SMALL_F64 = 0.92, 0.5
"""Below, erf is a polynomial of its own: in f64 its Taylor series."""
S_F32 = (
    -5.9995092446e-04,
    4.9948545433e-03,
    -2.6767740604e-02,
    1.1281846725e-01,
    -3.7612496579e-01,
    1.2837915e-01,
)
"""Coefficients of S in powers of x², the highest first."""
ONE_F32 = 3.95
"""From here on erf is 1 in f32."""
L_F32 = (
    -1.9593778981e-04,
    3.0432224528e-03,
    -2.2226939184e-02,
    1.0393163344e-01,
    6.3718220832e-01,
    1.127675648e00,
    1.9567069258e-04,
)
"""Coefficients of L, the highest power first."""
TERMS_F64 = 13
"""Terms of the series whose next one is less than a quarter of the last bit."""


def expand_erf(x: Scalar) -> Scalar:
    """The error function: in f32 at most 1.2 units in the last place off."""
    size, wide = abs(x), x.type == f64
    small = SMALL_F64 if wide else SMALL_F32
    near = size.at_most(small)  # so that no power overflows
    square = near * near
    if wide:
        large, below = 1 - _tail(size), x * horner(square, _series())
    else:
        large = 1 - exp_of_negative(-horner(size.at_most(ONE_F32), L_F32))
        below = x.fma(horner(square, S_F32), x)
    return select(size < small, below, select(x < 0, -large, large))


def _series() -> list[float]:
    """The coefficients of `erf(x) / x` in powers of x², the highest first."""
    signed = ((-1) ** n / (factorial(n) * (2 * n + 1)) for n in range(TERMS_F64))
    return [2 / sqrt(pi) * coefficient for coefficient in signed][::-1]


def expand_erfc(x: Scalar) -> Scalar:
    """Its complement."""
    tail = _tail(abs(x))
    return select(x < 0, 2 - tail, tail)


def _tail(x: Scalar) -> Scalar:
    """`1 - erf(x)` of an x that is not negative."""
    wide = x.type == f64
    x = x.at_most(LAST_F64 if wide else LAST_F32)
    t = (x - MIDDLE) / (x + MIDDLE)
    scaled = horner(t, P_F64 if wide else P_F32) / x.fma(2, 1)
    minus = -x
    square = minus * x
    rest = minus.fma(x, -square)  # what rounding took of the square
    tail = exp(square) * scaled
    return tail.fma(rest, tail)
