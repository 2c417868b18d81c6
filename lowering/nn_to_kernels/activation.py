"""Activation functions beyond the basic ones."""

from __future__ import annotations

from math import pi, sqrt

from ...dialects import nn
from ...dialects.inferred import shape_of, tensor
from ..bodies import Body, Scalar
from .chain import Chain
from .rule import Lowered, map_kernel, rule, unary


@rule(nn.PReluOp)
def p_relu(op: nn.PReluOp) -> Lowered:
    chain = Chain(op)
    slope = chain.reshape(op.slope, op.slope_shape(shape_of(op.input), shape_of(op.slope)))

    def compute(body: Body, x: Scalar, slope: Scalar) -> Scalar:
        return body.select(body.greater(x, body.like(0, x)), x, body.multiply(x, slope))

    return Lowered(
        chain.add(map_kernel(op, tensor(op.result), [op.input, slope], compute)), ops=chain.ops
    )


@rule(nn.EluOp)
def elu(op: nn.EluOp) -> Lowered:
    alpha = op.alpha.value.data

    def compute(body: Body, x: Scalar) -> Scalar:
        zero = body.like(0, x)
        below = body.multiply(body.like(alpha, x), body.expm1(body.at_most(x, zero)))
        return body.select(body.greater(x, zero), x, below)

    return unary(op, compute)


@rule(nn.HardSigmoidOp)
def hard_sigmoid(op: nn.HardSigmoidOp) -> Lowered:
    chain = Chain(op)
    alpha, beta = (chain.reshape(value, ()) for value in (op.alpha, op.beta))

    def compute(body: Body, x: Scalar, alpha: Scalar, beta: Scalar) -> Scalar:
        return body.clamp(body.add(body.multiply(alpha, x), beta), 0, 1)

    new = map_kernel(op, tensor(op.result), [op.input, alpha, beta], compute)
    return Lowered(chain.add(new), ops=chain.ops)


@rule(nn.HswishOp)
def hswish(op: nn.HswishOp) -> Lowered:
    def compute(body: Body, x: Scalar) -> Scalar:
        inner = body.clamp(body.add(x, body.like(3, x)), 0, 6)
        return body.multiply(x, body.multiply(inner, body.like(1 / 6, x)))

    return unary(op, compute)


@rule(nn.SwishOp)
def swish(op: nn.SwishOp) -> Lowered:
    chain = Chain(op)
    beta = [] if op.beta is None else [chain.reshape(op.beta, ())]

    def compute(body: Body, x: Scalar, *beta: Scalar) -> Scalar:
        return body.multiply(x, body.sigmoid(body.multiply(x, *beta) if beta else x))

    return Lowered(
        chain.add(map_kernel(op, tensor(op.result), [op.input, *beta], compute)), ops=chain.ops
    )


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
