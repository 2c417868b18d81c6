"""Hyperbolic sine and cosine, and the inverse hyperbolic functions, which are logarithms."""

from __future__ import annotations

from math import factorial, log

from xdsl.dialects import math
from xdsl.dialects.builtin import f64

from ..bodies import Body, Scalar
from .exponential import Format, exp, log1p
from .polynomial import horner
from .sign import with_sign


def _halves(body: Body, x: Scalar) -> tuple[Scalar, Scalar]:
    """`exp(|x|) / 2` and `exp(-|x|) / 2`."""
    grows = exp(body, body.absolute(x), -1)
    return grows, body.divide(body.like(0.25, x), grows)


def expand_cosh(body: Body, op: math.CoshOp) -> Scalar:
    """`(exp(x) + exp(-x)) / 2`"""
    return body.add(*_halves(body, op.operand))


def expand_sinh(body: Body, op: math.SinhOp) -> Scalar:
    """`(exp(x) - exp(-x)) / 2`; below 1, where that loses digits, the series `x + x³ / 3! + …`."""
    x, size = op.operand, body.absolute(op.operand)
    large = with_sign(body, body.subtract(*_halves(body, x)), x)
    square = body.multiply(x, x)
    count = 9 if x.type == f64 else 5
    series = horner(body, square, [1 / factorial(2 * k + 1) for k in range(count, 0, -1)])
    small = body.fma(series, body.multiply(square, x), x)
    return body.select(body.greater(body.like(1, x), size), small, large)


def _log1p_or_log_of_double(body: Body, small: Scalar, x: Scalar) -> Scalar:
    """`log1p(small)`, or `log(2 x)` of an x whose square leaves nothing of 1."""
    large = body.greater(x, body.like(2.0 ** (Format.of(x).fraction + 5), x))
    logarithm = log1p(body, body.select(large, x, small))
    return body.select(large, body.add(logarithm, body.like(log(2), x)), logarithm)


def expand_asinh(body: Body, op: math.AsinhOp) -> Scalar:
    """`asinh x = log1p(x + x² / (1 + √(x² + 1)))` above 0."""
    x, one = body.absolute(op.operand), body.like(1, op.operand)
    square = body.multiply(x, x)
    root = body.square_root(body.add(square, one))
    small = body.add(x, body.divide(square, body.add(one, root)))
    return with_sign(body, _log1p_or_log_of_double(body, small, x), op.operand)


def expand_acosh(body: Body, op: math.AcoshOp) -> Scalar:
    """`acosh x = log1p(t + √t √(t + 2))` of `t = x - 1`"""
    x = op.operand
    t = body.subtract(x, body.like(1, x))
    roots = [body.square_root(each) for each in (t, body.add(t, body.like(2, x)))]
    return _log1p_or_log_of_double(body, body.add(t, body.multiply(*roots)), x)


def expand_atanh(body: Body, op: math.AtanhOp) -> Scalar:
    """`atanh x = log1p(2 x / (1 - x)) / 2` above 0."""
    x = body.absolute(op.operand)
    ratio = body.divide(body.add(x, x), body.subtract(body.like(1, x), x))
    half = body.multiply(log1p(body, ratio), body.like(0.5, x))
    return with_sign(body, half, op.operand)
