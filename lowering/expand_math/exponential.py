"""
Exponential functions and logarithms, in f32 and f64.

`exp(x) = 2ⁿ exp(r)` with `n` the whole number next to x / ln 2, and `|r| <= ln 2 / 2`, where a few terms of the
series are enough; `expm1(x) = 2ⁿ (exp(r) - 1) + (2ⁿ - 1)`. `log(2ⁿ m) = n ln 2 + log m` with m between √½ and √2,
where `log m = 2 (s + s³ / 3 + s⁵ / 5 + …)` of `s = (m - 1) / (m + 1)`.
"""

from __future__ import annotations

import math as numbers
from dataclasses import dataclass

from xdsl.dialects import arith, math
from xdsl.dialects.builtin import IntegerType, f64, i32, i64

from ..kernel_bodies.bodies import Scalar, select
from .polynomial import horner


@dataclass(frozen=True)
class ExponentialFormat:
    """A floating-point format: the bits of its fraction, what is added to exponents, and what series it needs."""

    bits: IntegerType
    fraction: int
    bias: int
    ln2_high: float  # so short that its products with exponents are exact
    ln2_low: float
    lowest: float  # below, exp gives 0
    highest: float  # above, exp and its half give infinity
    exp_terms: int
    log_terms: int

    @classmethod
    def of(cls, x: Scalar) -> ExponentialFormat:
        """The format of a scalar."""
        return _F64 if x.type == f64 else _F32

    def smallest(self) -> float:
        """The least normal number."""
        return 2.0 ** (1 - self.bias)


_LN2_LOW = 1.9082149292705877e-10
"""What is left of ln 2, in double precision, beyond its upper 32 bits."""

_F32 = ExponentialFormat(i32, 23, 127, 0.693359375, -2.12194440e-4, -104.0, 90.0, 7, 5)
_F64 = ExponentialFormat(i64, 52, 1023, 0.6931471803691238, _LN2_LOW, -746.0, 711.0, 13, 11)


_ROUNDING = 1.5 * 2.0**23
"""A number of f32 whose last bit is 1, as are those of its neighbours."""

NEAR_ONE = (
    8.2902721220e-03,
    4.1898160369e-02,
    1.6667638132e-01,
    4.9999147835e-01,
    9.9999970631e-01,
    1.0,
)
"""Coefficients of exp where |r| <= ln 2 / 2, the highest power first: a minimax fit, 9.2e-8 off."""


def exp(x: Scalar, power: int = 0) -> Scalar:
    """`2ᵖ exp(x)`, p the power of 2 given."""
    n, r = _reduced(x)
    n = n + power if power else n
    terms = [1 / numbers.factorial(k) for k in range(ExponentialFormat.of(x).exp_terms, -1, -1)]
    first, second = _halves(n, x)
    return horner(r, terms) * first * second


def exp_of_negative(x: Scalar) -> Scalar:
    """
    `exp(x)` in f32 of an x that is at most 0: two units in the last place off where x is at least -10, five beyond,
    1 at 0, and 0 where it is no normal number.
    """
    form = ExponentialFormat.of(x)
    x = x.at_least(-form.bias * numbers.log(2))
    # What is added leaves n in the last bits, with the bias of exponents.
    moved = x.fma(1 / numbers.log(2), _ROUNDING + form.bias)
    whole = moved - (_ROUNDING + form.bias)
    r = whole.fma(-numbers.log(2), x)
    return horner(r, NEAR_ONE) * (moved.bitcast(form.bits) << form.fraction).bitcast(x.type)


def expm1(x: Scalar) -> Scalar:
    """`exp(x) - 1`, to the last bits also where x is small."""
    n, r = _reduced(x)
    terms = [1 / numbers.factorial(k) for k in range(ExponentialFormat.of(x).exp_terms, 0, -1)]
    less = horner(r, terms) * r
    first, second = _halves(n, x)
    power = first * second
    small = less.fma(power, power - 1)
    # 2ⁿ alone may overflow where the whole does not.
    large = (less + 1) * first * second
    return select(x > 1, large - 1, small)


def _reduced(x: Scalar) -> tuple[Scalar, Scalar]:
    """n, an integer, and r."""
    form = ExponentialFormat.of(x)
    x = x.clamp(form.lowest, form.highest)
    whole = (x * (1 / numbers.log(2))).round_even()
    r = whole.fma(-form.ln2_high, x)
    r = whole.fma(-form.ln2_low, r)
    return whole.cast(arith.FPToSIOp, form.bits), r


def _halves(n: Scalar, x: Scalar) -> tuple[Scalar, Scalar]:
    """Two powers of 2 whose product is 2ⁿ: the one may be too large or too small for a number."""
    half = n >> 1
    return _power(half, x), _power(n - half, x)


def _power(n: Scalar, x: Scalar) -> Scalar:
    """`2ⁿ` of the type of x, made of its bits."""
    form = ExponentialFormat.of(x)
    return (n + form.bias << form.fraction).bitcast(x.type)


def log(x: Scalar) -> Scalar:
    """`ln x`; -∞ at 0, NaN below."""
    form = ExponentialFormat.of(x)
    # Subnormal numbers are made normal ones first.
    tiny = x < form.smallest()
    normal = select(tiny, x * 2.0**form.fraction, x)
    bits = normal.bitcast(form.bits)
    # Counted from √½, so that what is left lies between √½ and √2.
    root = _bits_of_root(form)
    moved = bits - root
    n = moved >> form.fraction
    cut = n << form.fraction
    m = (bits - cut).bitcast(x.type)
    n = n - select(tiny, n.number(form.fraction), 0)
    exponent = n.convert(form.bits, x.type)
    f = m - 1
    s = f / (f + 2)
    square = s * s
    terms = [2 / (2 * k + 1) for k in range(form.log_terms, 0, -1)]
    rest = horner(square, terms) * square
    series = s.fma(rest, s * 2)
    low = exponent.fma(form.ln2_low, series)
    result = exponent.fma(form.ln2_high, low)
    result = select(x.equals(numbers.inf), x, result)
    result = select(x.equals(0), -numbers.inf, result)
    zero = x.number(0)
    return select(x >= 0, result, zero / zero)


def log1p(x: Scalar) -> Scalar:
    """`ln(1 + x)`, to the last bits also where x is small: what rounding took of the sum is added again."""
    total = 1 + x
    taken = x - (total - 1)
    result = log(total) + taken / total
    ends = x.equals(numbers.inf) | total.equals(0)
    return select(ends, log(total), result)


def _bits_of_root(form: ExponentialFormat) -> int:
    """The bits of √½."""
    whole = int(numbers.sqrt(0.5) * 2 ** (form.fraction + 1))
    return ((form.bias - 1) << form.fraction) + whole - 2**form.fraction


def power(x: Scalar, y: Scalar) -> Scalar:
    """
    `|x|^y = exp(y ln |x|)`, computed in f64, negative where x is and y is odd; NaN where x is finite and
    negative and y not whole. Zeros have a sign as well, and what is special is what C's `pow` gives.
    """
    given = x.type
    x, y = (v.convert(given, f64) for v in (x, y))
    size = abs(x)
    result = select(y.equals(0) | size.equals(1), 1, exp(y * log(size)))
    whole = y.apply(math.FloorOp).equals(y)
    half = y * 0.5
    even = half.apply(math.FloorOp).equals(half)
    odd = whole & select(even, x.number(1), 0).equals(0)
    result = select(odd & (x.bitcast(i64) < 0), -result, result)
    zero = x.number(0)
    valid = select(whole, result, zero / zero)
    result = select((x < 0) & (size < numbers.inf), valid, result)
    return result.convert(f64, given)
