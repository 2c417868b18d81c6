"""Activation functions beyond the basic ones."""

from __future__ import annotations

from math import pi, sqrt

from ...dialects import nn
from ..bodies import Body, Scalar
from .rule import Lowered, rule, unary


@rule(nn.EluOp)
def elu(op: nn.EluOp) -> Lowered:
    alpha = op.alpha.value.data

    def compute(body: Body, x: Scalar) -> Scalar:
        zero = body.like(0, x)
        below = body.multiply(body.like(alpha, x), body.expm1(body.at_most(x, zero)))
        return body.select(body.greater(x, zero), x, below)

    return unary(op, compute)


@rule(nn.GeluOp)
def gelu(op: nn.GeluOp) -> Lowered:
    """`x` times a sigmoid, or half of the error function's complement: nothing is lost where these are small."""
    in_tanh = op.approximation_mode.data == "tanh"

    def compute(body: Body, x: Scalar) -> Scalar:
        if in_tanh:
            square = body.multiply(x, x)
            factor = body.fma(square, body.like(0.044715, x), body.like(1, x))
            inner = body.multiply(body.multiply(x, factor), body.like(sqrt(8 / pi), x))
            return body.multiply(x, body.sigmoid(inner))
        beyond = body.erfc(body.multiply(x, body.like(-sqrt(0.5), x)))
        return body.multiply(body.multiply(x, body.like(0.5, x)), beyond)

    return unary(op, compute)


@rule(nn.SoftPlusOp)
def soft_plus(op: nn.SoftPlusOp) -> Lowered:
    """`max(x, 0) + log1p(exp(-|x|))`, which nothing overflows."""

    def compute(body: Body, x: Scalar) -> Scalar:
        small = body.exp(body.negative(body.absolute(x)))
        return body.add(body.at_least(x, body.like(0, x)), body.log1p(small))

    return unary(op, compute)
