"""Hyperbolic sine and cosine, and the inverse hyperbolic functions, which are logarithms."""

from __future__ import annotations

from math import factorial, log

from xdsl.dialects.builtin import f64

from ..kernel_bodies.bodies import Scalar, select
from .exponential import ExponentialFormat, exp, log1p
from .polynomial import horner
from .sign import with_sign


def _halves(x: Scalar) -> tuple[Scalar, Scalar]:
    """`exp(|x|) / 2` and `exp(-|x|) / 2`."""
    grows = exp(abs(x), -1)
    return grows, 0.25 / grows


def expand_cosh(x: Scalar) -> Scalar:
    """`(exp(x) + exp(-x)) / 2`"""
    grows, falls = _halves(x)
    return grows + falls


def expand_sinh(x: Scalar) -> Scalar:
    """`(exp(x) - exp(-x)) / 2`; below 1, where that loses digits, the series `x + x³ / 3! + …`."""
    grows, falls = _halves(x)
    large = with_sign(grows - falls, x)
    square = x * x
    count = 9 if x.type == f64 else 5
    series = horner(square, [1 / factorial(2 * k + 1) for k in range(count, 0, -1)])
    small = series.fma(square * x, x)
    return select(abs(x) < 1, small, large)


def _log1p_or_log_of_double(small: Scalar, x: Scalar) -> Scalar:
    """`log1p(small)`, or `log(2 x)` of an x whose square leaves nothing of 1."""
    large = x > 2.0 ** (ExponentialFormat.of(x).fraction + 5)
    logarithm = log1p(select(large, x, small))
    return select(large, logarithm + log(2), logarithm)


def expand_asinh(x: Scalar) -> Scalar:
    """`asinh x = log1p(x + x² / (1 + √(x² + 1)))` above 0."""
    size, square = abs(x), x * x
    small = size + square / (1 + (square + 1).square_root())
    return with_sign(_log1p_or_log_of_double(small, size), x)


def expand_acosh(x: Scalar) -> Scalar:
    """`acosh x = log1p(t + √t √(t + 2))` of `t = x - 1`"""
    t = x - 1
    roots = t.square_root() * (t + 2).square_root()
    return _log1p_or_log_of_double(t + roots, x)


def expand_atanh(x: Scalar) -> Scalar:
    """`atanh x = log1p(2 x / (1 - x)) / 2` above 0."""
    size = abs(x)
    return with_sign(log1p((size + size) / (1 - size)) * 0.5, x)
