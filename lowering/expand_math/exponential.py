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
from xdsl.dialects.builtin import IntegerType, f32, f64, i32, i64

from ..bodies import Body, Scalar
from .polynomial import horner


@dataclass(frozen=True)
class Format:
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
    def of(cls, x: Scalar) -> Format:
        """That of a scalar."""
        return _F64 if x.type == f64 else _F32

    def smallest(self) -> float:
        """The least normal number."""
        return 2.0 ** (1 - self.bias)


_LN2_LOW = 1.9082149292705877e-10
"""What is left of ln 2, in double precision, beyond its upper 32 bits."""

_F32 = Format(i32, 23, 127, 0.693359375, -2.12194440e-4, -104.0, 90.0, 7, 5)
_F64 = Format(i64, 52, 1023, 0.6931471803691238, _LN2_LOW, -746.0, 711.0, 13, 11)


def exp(body: Body, x: Scalar, power: int = 0) -> Scalar:
    """`2ᵖ exp(x)`, p the power of 2 given."""
    n, r = _reduced(body, x)
    n = body.add(n, body.like(power, n)) if power else n
    terms = [1 / numbers.factorial(k) for k in range(Format.of(x).exp_terms, -1, -1)]
    first, second = _halves(body, n, x)
    return body.multiply(body.multiply(horner(body, r, terms), first), second)


def expand_exp(body: Body, op: math.ExpOp) -> Scalar:
    """The exponential function."""
    return exp(body, op.operand)


def expm1(body: Body, x: Scalar) -> Scalar:
    """`exp(x) - 1`, to the last bits also where x is small."""
    n, r = _reduced(body, x)
    terms = [1 / numbers.factorial(k) for k in range(Format.of(x).exp_terms, 0, -1)]
    less = body.multiply(horner(body, r, terms), r)
    first, second = _halves(body, n, x)
    one = body.like(1, x)
    power = body.multiply(first, second)
    small = body.fma(less, power, body.subtract(power, one))
    # 2ⁿ alone may overflow where the whole does not.
    large = body.multiply(body.multiply(body.add(less, one), first), second)
    return body.select(body.greater(x, body.like(1, x)), body.subtract(large, one), small)


def expand_expm1(body: Body, op: math.ExpM1Op) -> Scalar:
    """The exponential function less 1."""
    return expm1(body, op.operand)


def _reduced(body: Body, x: Scalar) -> tuple[Scalar, Scalar]:
    """n, an integer, and r."""
    form = Format.of(x)
    x = body.clamp(x, form.lowest, form.highest)
    whole = body.round_even(body.multiply(x, body.like(1 / numbers.log(2), x)))
    r = body.fma(whole, body.like(-form.ln2_high, x), x)
    r = body.fma(whole, body.like(-form.ln2_low, x), r)
    return body.emit(arith.FPToSIOp(whole, form.bits)), r


def _halves(body: Body, n: Scalar, x: Scalar) -> tuple[Scalar, Scalar]:
    """Two powers of 2 whose product is 2ⁿ: the one may be too large or too small for a number."""
    half = body.emit(arith.ShRSIOp(n, body.like(1, n)))
    return _power(body, half, x), _power(body, body.subtract(n, half), x)


def _power(body: Body, n: Scalar, x: Scalar) -> Scalar:
    """`2ⁿ` of the type of x, made of its bits."""
    form = Format.of(x)
    biased = body.add(n, body.like(form.bias, n))
    bits = body.emit(arith.ShLIOp(biased, body.like(form.fraction, n)))
    return body.emit(arith.BitcastOp(bits, x.type))


def log(body: Body, x: Scalar) -> Scalar:
    """`ln x`; -∞ at 0, NaN below."""
    form = Format.of(x)
    zero, one = body.like(0, x), body.like(1, x)
    # Subnormal numbers are made normal ones first.
    tiny = body.greater(body.like(form.smallest(), x), x)
    normal = body.select(tiny, body.multiply(x, body.like(2.0**form.fraction, x)), x)
    bits = body.emit(arith.BitcastOp(normal, form.bits))
    # Counted from √½, so that what is left lies between √½ and √2.
    root = _bits_of_root(form)
    moved = body.subtract(bits, body.constant(root, form.bits))
    n = body.emit(arith.ShRSIOp(moved, body.like(form.fraction, moved)))
    cut = body.emit(arith.ShLIOp(n, body.like(form.fraction, n)))
    m = body.emit(arith.BitcastOp(body.subtract(bits, cut), x.type))
    n = body.subtract(n, body.select(tiny, body.like(form.fraction, n), body.like(0, n)))
    exponent = body.convert(n, form.bits, x.type)
    f = body.subtract(m, one)
    s = body.divide(f, body.add(f, body.like(2, x)))
    square = body.multiply(s, s)
    terms = [2 / (2 * k + 1) for k in range(form.log_terms, 0, -1)]
    rest = body.multiply(horner(body, square, terms), square)
    series = body.fma(s, rest, body.multiply(s, body.like(2, x)))
    low = body.fma(exponent, body.like(form.ln2_low, x), series)
    result = body.fma(exponent, body.like(form.ln2_high, x), low)
    infinity = body.like(numbers.inf, x)
    result = body.select(body.compare("eq", x, infinity), infinity, result)
    result = body.select(body.compare("eq", x, zero), body.negative(infinity), result)
    valid = body.compare("ge", x, zero)
    return body.select(valid, result, body.divide(zero, zero))


def log1p(body: Body, x: Scalar) -> Scalar:
    """`ln(1 + x)`, to the last bits also where x is small: what rounding took of the sum is added again."""
    one = body.like(1, x)
    total = body.add(one, x)
    of_small, of_large = (
        body.subtract(less, body.subtract(total, more)) for less, more in ((x, one), (one, x))
    )
    taken = body.select(body.greater(x, one), of_large, of_small)
    result = body.add(log(body, total), body.divide(taken, total))
    infinity = body.like(numbers.inf, x)
    ends = body.logic(
        "or", body.compare("eq", x, infinity), body.compare("eq", total, body.like(0, x))
    )
    return body.select(ends, log(body, total), result)


def expand_log1p(body: Body, op: math.Log1pOp) -> Scalar:
    """The natural logarithm of what is 1 more."""
    return log1p(body, op.operand)


def expand_log(body: Body, op: math.LogOp) -> Scalar:
    """The natural logarithm."""
    return log(body, op.operand)


def _bits_of_root(form: Format) -> int:
    """Those of √½."""
    whole = int(numbers.sqrt(0.5) * 2 ** (form.fraction + 1))
    return ((form.bias - 1) << form.fraction) + whole - 2**form.fraction


def expand_pow(body: Body, op: math.PowFOp) -> Scalar:
    """
    `|x|^y = exp(y ln |x|)`, computed in f64, negative where x is and y is odd; NaN where x is finite and
    negative and y not whole. Zeros have a sign as well, and what is special is what C's `pow` gives.
    """
    narrow = op.lhs.type == f32
    x, y = (body.emit(arith.ExtFOp(v, f64)) if narrow else v for v in (op.lhs, op.rhs))
    zero, one, infinity = (body.like(number, x) for number in (0, 1, numbers.inf))
    size = body.absolute(x)
    result = exp(body, body.multiply(y, log(body, size)))
    trivial = body.logic("or", body.compare("eq", y, zero), body.compare("eq", size, one))
    result = body.select(trivial, one, result)
    whole = body.compare("eq", body.emit(math.FloorOp(y)), y)
    half = body.multiply(y, body.like(0.5, y))
    even = body.compare("eq", body.emit(math.FloorOp(half)), half)
    odd = body.logic("and", whole, body.compare("eq", body.select(even, one, zero), zero))
    bits = body.emit(arith.BitcastOp(x, i64))
    signed = body.logic("and", odd, body.greater(body.like(0, bits), bits))
    result = body.select(signed, body.negative(result), result)
    rooted = body.logic("and", body.greater(zero, x), body.greater(infinity, size))
    valid = body.select(whole, result, body.divide(zero, zero))
    result = body.select(rooted, valid, result)
    return body.emit(arith.TruncFOp(result, f32)) if narrow else result
